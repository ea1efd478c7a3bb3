/** Reads a model's answer: the valid statements in it, and what is wrong with the rest. */
import type { Candidate, ExtractionRequest } from '../../../domain/extraction/candidate.ts';
import type { Fault } from '../../../domain/extraction/validate-faults.ts';
import type { ResolveDates } from '../../../domain/extraction/validate-dates.ts';
import { validateCandidate } from '../../../domain/extraction/validate.ts';
import { mapItem } from './map-candidate.ts';
import { MAX_ITEMS } from './prompt.ts';
import { ITEM_DEFAULTS, answerItem } from './schema.ts';
import { unwrapJson } from './unwrap-json.ts';

/** Items of an answer that are looked at, so that a model that does not stop costs no more than one that does. */
const MAX_ITEMS_READ = 2 * MAX_ITEMS;

export interface ReadAnswer {
  readonly candidates: readonly Candidate[];
  readonly faults: readonly Fault[];
  /** Items with at least one fault, and those past the limit, which is no fault: a repair would not pay. */
  readonly rejected: number;
  /** False when no list of statements could be found at all. */
  readonly hasObject: boolean;
}

/** Reads an answer of any form; never throws. */
export function readAnswer(
  text: string,
  request: ExtractionRequest,
  resolveDates: ResolveDates,
): ReadAnswer {
  const items = itemsOf(unwrapJson(text));
  if (items === null) {
    const faults: Fault[] = [{ item: null, field: '', code: 'no_object' }];
    return { candidates: [], faults, rejected: 0, hasObject: false };
  }
  const candidates: Candidate[] = [];
  const faults: Fault[] = [];
  let rejected = 0;
  for (const [index, item] of items.slice(0, MAX_ITEMS_READ).entries()) {
    const read = readItem(item, request, resolveDates);
    if (read.faults.length > 0) {
      rejected += 1;
      faults.push(...read.faults.map((fault) => ({ item: index, ...fault })));
    } else if (read.candidate !== null) candidates.push(read.candidate);
  }
  const found = distinct(candidates);
  const unread = Math.max(0, items.length - MAX_ITEMS_READ);
  const beyond = Math.max(0, found.length - MAX_ITEMS) + unread;
  return {
    candidates: found.slice(0, MAX_ITEMS),
    faults,
    rejected: rejected + beyond,
    hasObject: true,
  };
}

function itemsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null || !('statements' in value)) return null;
  return Array.isArray(value.statements) ? value.statements : null;
}

function readItem(
  item: unknown,
  request: ExtractionRequest,
  resolveDates: ResolveDates,
): { candidate: Candidate | null; faults: readonly Omit<Fault, 'item'>[] } {
  const filled = typeof item === 'object' && item !== null ? { ...ITEM_DEFAULTS, ...item } : item;
  const parsed = answerItem.safeParse(filled);
  if (!parsed.success) {
    // Only field names of the schema are repeated; a superfluous key is the model's own text.
    const fields = new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? '')));
    return {
      candidate: null,
      faults: [...fields].map((field) => ({ field, code: 'wrong_shape' as const })),
    };
  }
  const { candidate, faults } = mapItem(parsed.data, request);
  return {
    candidate,
    faults: [...faults, ...validateCandidate(candidate, request, resolveDates)],
  };
}

/** The same claim about the same subject in the same window, proposed twice, is one proposal. */
function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const byClaim = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { subjectType, subjectRef, statement, relevantFrom, relevantUntil } = candidate;
    const claim = [subjectType, subjectRef, statement, relevantFrom?.at, relevantUntil?.at];
    const key = JSON.stringify(claim);
    if (!byClaim.has(key)) byClaim.set(key, candidate);
  }
  return [...byClaim.values()];
}
