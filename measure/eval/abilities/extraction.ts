/** Compares extraction with the facts that people noted from LoCoMo's conversations, and with two baselines. */
import type { Statement } from '../../bench/client.ts';
import { turnsOf } from '../../data/conversation.ts';
import { readLocomo, type LocomoConversation } from '../../data/locomo.ts';
import { declarativeBaseline, sentenceBaseline, type SpokenMessage } from '../metrics/baselines.ts';
import { namesATime } from '../metrics/dates.ts';
import {
  combined,
  measureExtraction,
  repeatedFromOneSource,
  type Cited,
  type ExtractionCase,
  type ExtractionFigures,
  type Tally,
} from '../metrics/extraction.ts';
import { none, type Row } from '../report.ts';
import { ingest, type Ability, type Bench, type Ingested } from '../service/conversation.ts';
import { contractRows } from './contract.ts';

/** The category of questions that no message answers; they have no answer to look for. */
const UNANSWERABLE = 5;

export function percent({ held, of }: Tally): number {
  return (100 * held) / of;
}

/** In a conversation of two people, a statement that is not about its speaker is about the other one. */
function subjectOf(
  statement: Statement,
  source: LocomoConversation['messages'][number] | undefined,
  speakers: readonly string[],
): string | null {
  if (source === undefined) return null;
  if (statement.evidence_level === 'direct') return source.speaker;
  return speakers.find((speaker) => speaker !== source.speaker) ?? null;
}

function citedOf(conversation: LocomoConversation, ingested: Ingested): Cited[] {
  const speakers = [...new Set(conversation.messages.map(({ speaker }) => speaker))];
  const known = new Map(
    ingested.messageIds.map((id, index) => [id, conversation.messages[index]] as const),
  );
  return [...ingested.statements.values()].map((statement) => {
    const sources = statement.source_message_ids.flatMap((id) => known.get(id) ?? []);
    return {
      text: statement.statement ?? '',
      sources: sources.map(({ dia_id }) => dia_id),
      subject: subjectOf(statement, sources[0], speakers),
    };
  });
}

function caseOf(conversation: LocomoConversation, statements: readonly Cited[]): ExtractionCase {
  return {
    messages: new Map(conversation.messages.map(({ dia_id, content }) => [dia_id, content])),
    statements,
    facts: conversation.observations.map(({ text, speaker, evidence }) => ({
      text,
      subject: speaker,
      evidence,
    })),
    answers: conversation.questions.flatMap(({ answer, category, evidence }) =>
      category === UNANSWERABLE || answer === undefined || answer === null
        ? []
        : [{ text: String(answer), evidence }],
    ),
  };
}

/**
 * What an extractor that keeps only what lasts reaches. One that kept nearly every sentence reached EC 92, FR 63, AR 86, with
 * 1.06 statements a message of which 40 in a hundred were worth keeping; AR must be nine tenths of that.
 */
function figureRows(figures: ExtractionFigures): Row[] {
  const { held, of } = figures.perMessage;
  return [
    { metric: 'EC, facts covered %', value: percent(figures.coverage), floor: 73 },
    { metric: 'EP, statements on evidence %', value: percent(figures.precision), floor: 75 },
    { metric: 'FR@.5, facts told %', value: percent(figures.factRecall), floor: 50 },
    {
      metric: 'FP@.35, statements that tell one %',
      value: percent(figures.factPrecision),
      floor: 55,
    },
    {
      metric: 'AR, words of answers that survive %',
      value: percent(figures.answerWords),
      floor: 77.4,
    },
    {
      metric: 'SPM, statements per message',
      value: held / of,
      digits: 2,
      floor: 0.7,
      lessIsBetter: true,
    },
    { metric: 'subject right, where evidence is shared %', value: percent(figures.subject) },
  ];
}

function baselineRows(name: string, figures: ExtractionFigures): Row[] {
  const { held, of } = figures.perMessage;
  const rows = figureRows(figures)
    .slice(0, 5)
    .map(({ metric, value }) => ({ metric: `${name}: ${metric}`, value }));
  return [...rows, { metric: `${name}: SPM`, value: held / of, digits: 2 }];
}

/** The share of statements with a window, of those that hold no word of time. */
function falseDates(statements: Iterable<Statement>): Row {
  const without = [...statements].filter(({ statement }) => !namesATime(statement ?? ''));
  const dated = without.filter((row) => row.relevant_from !== null || row.relevant_until !== null);
  return {
    metric: `false dates, of ${without.length} statements without a cue %`,
    value: percent({ held: dated.length, of: without.length }),
    floor: 3,
    lessIsBetter: true,
  };
}

interface Measured {
  readonly conversation: LocomoConversation;
  readonly ingested: Ingested;
  readonly cited: readonly Cited[];
}

async function measured(bench: Bench, conversation: LocomoConversation): Promise<Measured> {
  const name = conversation.conversation_id;
  const keyOf = (index: number): string => `${bench.run}-${name}-${index}`;
  const ingested = await ingest(bench, name, turnsOf(conversation), keyOf);
  return { conversation, ingested, cited: citedOf(conversation, ingested) };
}

function spoken({ conversation }: Measured): SpokenMessage[] {
  return conversation.messages.map(({ dia_id, speaker, content }) => ({
    id: dia_id,
    speaker,
    content,
  }));
}

async function measure(
  bench: Bench,
  conversations: readonly LocomoConversation[],
): Promise<readonly Row[]> {
  const all: Measured[] = [];
  for (const conversation of conversations) all.push(await measured(bench, conversation));
  const figuresOf = (statementsOf: (one: Measured) => readonly Cited[]): ExtractionFigures =>
    combined(all.map((one) => measureExtraction(caseOf(one.conversation, statementsOf(one)))));
  const repeated = all.reduce((sum, { cited }) => sum + repeatedFromOneSource(cited), 0);
  const contract = await contractRows(
    bench,
    conversations,
    all.map(({ ingested }) => ingested),
  );
  return [
    ...figureRows(figuresOf(({ cited }) => cited)),
    none('same statement twice from one source', repeated),
    falseDates(all.flatMap(({ ingested }) => [...ingested.statements.values()])),
    ...contract,
    ...baselineRows(
      'every sentence',
      figuresOf((one) => sentenceBaseline(spoken(one))),
    ),
    ...baselineRows(
      'declarative',
      figuresOf((one) => declarativeBaseline(spoken(one))),
    ),
  ];
}

/** One scope per conversation. */
export const extraction: Ability = {
  title: 'extraction (locomo)',
  prepare(dataFolder) {
    const conversations = readLocomo(dataFolder);
    return conversations === null ? null : (bench) => measure(bench, conversations);
  },
};
