/**
 * What a recall does where no model plans it: from what kind of question it is, whom and which time it names, and what
 * was found so far. The same question gets the same plan.
 */
import type { EvidenceItem } from '../evidence.ts';
import { callKey, isPermitted, type RecallPermissions, type ToolCall } from './tools.ts';

export const QUESTION_CLASSES = [
  'fact',
  'enumeration',
  'temporal',
  'summary',
  'preference',
  'unknown',
] as const;
export type QuestionClass = (typeof QUESTION_CLASSES)[number];

/** What was read in a question. */
export interface RecallQuestion {
  readonly text: string;
  readonly kind: QuestionClass;
  /** Its content words, without those that only make it a question. */
  readonly wording: string;
  /** The people and things that it names, as it spells them. */
  readonly names: readonly string[];
  /** The period that it names, ISO 8601; null when it names none. */
  readonly period: { readonly from: string | null; readonly until: string | null } | null;
  /** The questions that it is made of; itself alone when it is one. */
  readonly parts: readonly string[];
  readonly isOfOneself: boolean;
}

export interface PlanSoFar {
  readonly question: RecallQuestion;
  readonly permissions: RecallPermissions;
  /** From 1. */
  readonly round: number;
  /** Everything found, best first. */
  readonly evidence: readonly EvidenceItem[];
  /** Keys of the calls that were made. */
  readonly made: ReadonlySet<string>;
}

/** A call, and how much what it finds counts beside what the other calls find. */
export interface PlannedCall {
  readonly call: ToolCall;
  readonly weight: number;
}

/** Of a call that was made of the words of the question. */
export const WHOLE_WEIGHT = 1;
/** Of a search by the words of found items: what resembles them is less sure to answer than what resembles the question. */
const LEAD_WEIGHT = 0.1;

/** Items whose texts lead to further searches, in a round. */
const MOST_LEADS = 3;
/** UTF-16 code units of the text of a lead. */
const MOST_LEAD_CHARS = 160;

const search = (query: string): ToolCall => ({ tool: 'search', query });
const whole = (call: ToolCall): PlannedCall => ({ call, weight: WHOLE_WEIGHT });

/** What to do first for a question of this kind. */
function firstCalls({ kind, names, parts, period, wording }: RecallQuestion): ToolCall[] {
  const dated: ToolCall[] =
    period === null ? [] : [{ tool: 'search_dates', query: wording, ...period }];
  const ofParts = parts.length > 1 ? parts.map(search) : [];
  const byName = names.map((name) => search(`${name} ${wording}`));
  switch (kind) {
    case 'temporal':
      return [...dated, ...ofParts, search(wording), ...byName];
    case 'enumeration':
      return [...ofParts, { tool: 'search_direct', query: wording }, ...byName, ...dated];
    case 'summary':
      return [
        ...ofParts,
        { tool: 'search_derived', query: wording },
        ...names.map(search),
        ...dated,
      ];
    case 'preference':
      return [
        ...ofParts,
        ...names.map((name) => search(`${name} likes prefers ${wording}`)),
        search(wording),
      ];
    case 'fact':
    case 'unknown':
      return [...ofParts, ...dated, search(wording), ...byName];
  }
}

/** The statements whose words and origins a later round looks at: three for each round, the best first. */
function leadsOf({ evidence, round }: PlanSoFar): readonly EvidenceItem[] {
  return evidence
    .filter(({ type }) => type === 'knowledge')
    .slice((round - 2) * MOST_LEADS, (round - 1) * MOST_LEADS);
}

/** What they say, as one query: what is said like all of them answers what they do not. */
function byWordsOf(leads: readonly EvidenceItem[], wording: string): PlannedCall[] {
  const texts = leads.map(({ text }) => text.slice(0, MOST_LEAD_CHARS).toWellFormed());
  const query = [wording, ...texts].join(' ');
  return leads.length === 0 ? [] : [{ call: search(query), weight: LEAD_WEIGHT }];
}

const byOriginOf = (leads: readonly EvidenceItem[]): PlannedCall[] =>
  leads.map(({ id }) => ({ call: { tool: 'lineage', id }, weight: LEAD_WEIGHT }));

/** The calls of a round, the most promising first; without those that were made, and those that are not permitted. */
export function planRound(so: PlanSoFar): readonly PlannedCall[] {
  const { made, permissions, question, round } = so;
  const sources: ToolCall[] = [
    { tool: 'source_semantic', query: question.text },
    { tool: 'source_exact', query: question.wording },
  ];
  const own: ToolCall[] = question.isOfOneself ? [{ tool: 'stable_profile' }] : [];
  const [first, ...rest] = firstCalls(question);
  const leads = leadsOf(so);
  const planned =
    round === 1
      ? [...(first === undefined ? [] : [first]), ...own, ...sources, ...rest].map(whole)
      : [...byWordsOf(leads, question.wording), ...rest.map(whole), ...byOriginOf(leads)];
  const keys = new Set(made);
  return planned.filter(({ call }) => {
    const key = callKey(call);
    const isNew = !keys.has(key) && isPermitted(call.tool, permissions);
    keys.add(key);
    return isNew && (!('query' in call) || call.query.trim() !== '');
  });
}
