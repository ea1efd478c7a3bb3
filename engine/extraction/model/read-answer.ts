/** Reads a model's answer: the valid statements in it, and the faults of the rest. */
import type { Candidate, ExtractionRequest } from '../../../domain/statements/candidate.ts';
import type { Fault } from '../../../domain/extraction/validate-faults.ts';
import type { ResolveDates } from '../../../domain/extraction/validate-dates.ts';
import { validateCandidate } from '../../../domain/extraction/validate.ts';
import { requestsToForget } from '../../english-extractor/meant.ts';
import { mapItem } from './map-candidate.ts';
import { MAX_ITEMS } from './prompt.ts';
import { ITEM_DEFAULTS, answerItem } from './schema.ts';
import { unwrapJson } from '../../models/unwrap-json.ts';

/** Most items of an answer that are read, so that a model that does not stop costs no more than one that does. */
const MAX_ITEMS_READ = 2 * MAX_ITEMS;

/** The part of an answer about one anchor. */
export interface ReadAnswer {
  readonly candidates: readonly Candidate[];
  readonly faults: readonly Fault[];
  /**
   * Items with at least one fault, items that repeat a request to forget, and items past the limit; the last two are no fault,
   * since a repair would not pay.
   */
  readonly rejected: number;
  /** False when no list of answers could be found at all. */
  readonly hasObject: boolean;
}

/** Reads an answer of any form, for each of the requests in their order; never throws. */
export function readAnswer(
  text: string,
  requests: readonly ExtractionRequest[],
  resolveDates: ResolveDates,
): readonly ReadAnswer[] {
  const value = unwrapJson(text);
  const entries = entriesOf(value, requests);
  if (entries === null) return requests.map(() => unread('no_object', false));
  return requests.map((request) => {
    const lists = entries.filter(({ anchorId }) => anchorId === request.anchor.id.toLowerCase());
    if (lists.length === 0) return unread('anchor_not_answered', true);
    return readItems(
      lists.flatMap(({ items }) => items),
      request,
      resolveDates,
    );
  });
}

function unread(code: Fault['code'], hasObject: boolean): ReadAnswer {
  return { candidates: [], faults: [{ item: null, field: '', code }], rejected: 0, hasObject };
}

function readItems(
  items: readonly unknown[],
  request: ExtractionRequest,
  resolveDates: ResolveDates,
): ReadAnswer {
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
  const kept = withoutRequests(candidates, request);
  const found = distinct(kept);
  rejected += candidates.length - kept.length;
  const unread = Math.max(0, items.length - MAX_ITEMS_READ);
  const beyond = Math.max(0, found.length - MAX_ITEMS) + unread;
  return {
    candidates: found.slice(0, MAX_ITEMS),
    faults,
    rejected: rejected + beyond,
    hasObject: true,
  };
}

/** A request to forget is no statement, whoever reads it. Nobody asks for anything in a document. */
function withoutRequests(
  candidates: readonly Candidate[],
  { anchor, document }: ExtractionRequest,
): readonly Candidate[] {
  if (document != null || candidates.length === 0) return candidates;
  const requests = requestsToForget(anchor.content);
  if (requests.length === 0) return candidates;
  return candidates.filter(({ supportingSpan }) => {
    const start = anchor.content.indexOf(supportingSpan);
    if (start === -1) return true;
    const end = start + supportingSpan.length;
    return !requests.some(([from, until]) => start < until && from < end);
  });
}

interface Entry {
  /** In lower case. */
  readonly anchorId: string;
  readonly items: readonly unknown[];
}

/**
 * The entries of the answer, whichever anchors they name; null when there is no list of them. Where one anchor
 * was asked about, its bare statements are understood too.
 */
function entriesOf(value: unknown, requests: readonly ExtractionRequest[]): Entry[] | null {
  const answers = Array.isArray(value) ? value : listIn(value, 'answers');
  const entries = answers?.flatMap((entry): Entry[] => {
    const items = listIn(entry, 'statements');
    const id: unknown = isRecord(entry) ? entry['anchor_id'] : undefined;
    return items === null || typeof id !== 'string'
      ? []
      : [{ anchorId: id.trim().toLowerCase(), items }];
  });
  if (entries !== undefined && entries.length > 0) return entries;
  const [only, ...others] = requests;
  const bare = Array.isArray(value) ? value : listIn(value, 'statements');
  if (only !== undefined && others.length === 0 && bare !== null) {
    return [{ anchorId: only.anchor.id.toLowerCase(), items: bare }];
  }
  return entries ?? null;
}

function listIn(value: unknown, key: string): readonly unknown[] | null {
  const list = isRecord(value) ? value[key] : null;
  return Array.isArray(list) ? list : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
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
  return { candidate, faults: [...faults, ...validateCandidate(candidate, request, resolveDates)] };
}

/** The same statement about the same subject in the same window, proposed twice, is one proposal. */
function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const byContent = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { subjectType, subjectRef, statement, relevantFrom, relevantUntil } = candidate;
    const content = [subjectType, subjectRef, statement, relevantFrom?.at, relevantUntil?.at];
    const key = JSON.stringify(content);
    if (!byContent.has(key)) byContent.set(key, candidate);
  }
  return [...byContent.values()];
}
