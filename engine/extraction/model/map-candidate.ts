/**
 * Maps an item of an answer to a Candidate: texts cleaned, the span replaced by the message's own characters,
 * names resolved to keys, dates to window ends. The mapping tolerates every form that it can understand, so that
 * only real faults cost a repair.
 */
import type {
  Candidate,
  ExtractionRequest,
  TargetLevel,
  WindowEnd,
} from '../../../domain/statements/candidate.ts';
import { saidOf } from '../../../domain/statements/said.ts';
import type { CandidateFault } from '../../../domain/extraction/validate-faults.ts';
import { locateSpan } from '../../../domain/extraction/validate-span.ts';
import { knownPeople, resolvePeerReference } from '../../../domain/extraction/validate-subject.ts';
import { cleanText } from '../../../domain/extraction/validate-text.ts';
import type { AnswerItem } from './schema.ts';
import { parseWindowEnd } from './window-end.ts';

export interface MappedItem {
  readonly candidate: Candidate;
  /** Faults that a Candidate cannot express. */
  readonly faults: readonly CandidateFault[];
}

/** Maps one item that has the schema's shape. */
export function mapItem(item: AnswerItem, request: ExtractionRequest): MappedItem {
  const faults: CandidateFault[] = [];
  const windowEnd = (field: 'relevant_from' | 'relevant_until'): WindowEnd | null => {
    const text = item[field];
    if (text === null || text.trim() === '') return null;
    const end = parseWindowEnd(text);
    if (end === null) faults.push({ field, code: 'window_not_a_date' });
    return end;
  };
  const sourceMessageIds = citedIds(item, request);
  const candidate: Candidate = {
    supportingSpan: ownSpan(item.supporting_span, sourceMessageIds, request),
    statement: cleanText(item.statement),
    ...saidOf(item),
    subjectType: item.subject_type,
    subjectRef: subjectRef(item, request),
    sensitivity: item.sensitivity,
    targetLevel: targetLevel(item),
    sourceMessageIds,
    relevantFrom: windowEnd('relevant_from'),
    relevantUntil: windowEnd('relevant_until'),
  };
  return { candidate, faults };
}

/** Distinct ids in the order given; none means the anchor. */
function citedIds(item: AnswerItem, request: ExtractionRequest): readonly string[] {
  const known = [request.anchor, ...request.window].map((message) => message.id);
  const ids = item.source_message_ids.map((text) => {
    const wanted = text.trim().toLowerCase();
    return known.find((id) => id.toLowerCase() === wanted) ?? wanted;
  });
  return ids.length === 0 ? [request.anchor.id] : [...new Set(ids)];
}

function ownSpan(span: string, ids: readonly string[], request: ExtractionRequest): string {
  for (const message of [request.anchor, ...request.window]) {
    const located = ids.includes(message.id) ? locateSpan(message.content, span) : null;
    if (located !== null) return located;
  }
  return span;
}

function subjectRef(item: AnswerItem, request: ExtractionRequest): string {
  const reference = item.subject_ref.trim();
  if (item.subject_type === 'scope') return reference;
  return resolvePeerReference(reference, knownPeople(request));
}

/** Restricted knowledge is never proposed above its subject. */
function targetLevel(item: AnswerItem): TargetLevel {
  return item.sensitivity === 'restricted' ? 'peer' : item.target_level;
}
