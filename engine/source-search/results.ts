/** Turns messages that were found into results. Everything is read through the rule of who may read a message. */
import type { MessageHit } from '../../stores/qdrant/message-points.ts';
import type { SourceRead } from '../../stores/postgres/visibility/shown-messages.ts';
import type {
  FoundSource,
  SourceTexts,
} from '../../stores/postgres/observations/source-messages.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { LONGEST_PASSAGE } from '../analysis/passages.ts';
import { createPauses } from '../slices.ts';
import { databaseTimeMs, type Deadline } from '../retrieval/deadline.ts';
import type { QueryPlan, WeighedWords } from '../text/query-plan.ts';
import type { SourceSearchDependencies, SourceSearchRequest } from './dependencies.ts';
import { excerptOfFound, termsAskedFor, UNPLACED_CHARS } from './excerpt.ts';
import type { Parts } from './parts.ts';
import { rescored } from './rescored.ts';
import { NO_TURNS, readTurns, type ShownTurns } from './turns.ts';
import type { FoundMessages } from './words.ts';

export interface SourceResult {
  readonly message: Omit<FoundSource, 'text' | 'text_begins_at' | 'is_cut_after'>;
  readonly excerpt: string;
  /** Between 0 and 1; of this search only. */
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  /** Present if the request asks for neighbours. */
  readonly turns?: ShownTurns;
}

/**
 * Texts that one search checks operators on, in bytes, the best candidates first. What has no room is not shown: an
 * exclusion could not be kept. The answer is then `stale`, unless it has as many results as were asked for.
 */
const MOST_CHECKED_BYTES = 1_048_576;

/** Whether the whole texts are looked at: operators are checked on them, and whether they only ask. */
const isChecked = ({ plan, request }: Pick<AskedResults, 'plan' | 'request'>): boolean =>
  plan.hasQueryOperators || request.includesQuestions === false;

function textsOf(asked: Pick<AskedResults, 'plan' | 'request'>): SourceTexts {
  const { excerptChars } = asked.request;
  if (isChecked(asked)) return { part: 'whole', bytes: MOST_CHECKED_BYTES };
  const length = LONGEST_PASSAGE + 2 * excerptChars;
  return { part: 'around', before: excerptChars, length, unplaced: UNPLACED_CHARS };
}

interface Passing {
  readonly rows: readonly FoundSource[];
  /** Of each that could not be checked, how many rows before it pass. */
  readonly uncheckedAt: readonly number[];
}

/** Those of the rows that satisfy the operators of the query and, where questions are left out, do more than ask. */
async function accepted(
  { text }: SourceSearchDependencies,
  rows: readonly FoundSource[],
  { accountId, includesQuestions, query }: SourceSearchRequest,
  parts: Parts,
): Promise<Passing> {
  const isQuestionLeftOut = includesQuestions === false;
  const texts = rows.flatMap((row) =>
    row.text === null ? [] : [{ query, content: row.text, isQuestionLeftOut }],
  );
  const verdicts = await parts.ask('work', (signal) => text.accept(texts, { accountId, signal }));
  const ofReadable = verdicts.values();
  const passing: FoundSource[] = [];
  const uncheckedAt: number[] = [];
  for (const row of rows) {
    const verdict = row.text === null ? null : (ofReadable.next().value ?? null);
    if (verdict === null) uncheckedAt.push(passing.length);
    else if (verdict) passing.push(row);
  }
  return { rows: passing, uncheckedAt };
}

export interface ReadResults {
  readonly results: readonly SourceResult[];
  /** A message that could not be checked might stand among them. */
  readonly isCut: boolean;
}

export interface AskedResults {
  readonly request: SourceSearchRequest;
  readonly plan: QueryPlan;
  /** What the words weigh, of a search by words. */
  readonly words: WeighedWords | null;
}

/** The hits in the order in which they are shown; those of the index of words are scored again as far as they may be read. */
async function inOrder(
  { sourceMessages }: Stores,
  { words }: Pick<AskedResults, 'words'>,
  { hits, isOfIndex }: Pick<FoundMessages, 'hits' | 'isOfIndex'>,
  read: SourceRead,
): Promise<readonly MessageHit[]> {
  if (!isOfIndex || words === null) return hits;
  const ids = [...new Set(hits.map(({ messageId }) => messageId))];
  const spoken = await sourceMessages.spoken(ids, read);
  return rescored(hits, spoken, { reading: words.reading, total: words.total, ...read });
}

/** The results, with the turns beside each of them where the request asks for them. */
async function withTurns(
  dependencies: SourceSearchDependencies,
  request: SourceSearchRequest,
  results: readonly SourceResult[],
  deadline: Deadline,
): Promise<readonly SourceResult[]> {
  if (request.includesNeighbours !== true) return results;
  const ids = results.map(({ message }) => message.message_id);
  const turns = await readTurns(dependencies, request, ids, deadline);
  return results.map((each) => ({
    ...each,
    turns: turns.get(each.message.message_id) ?? NO_TURNS,
  }));
}

/**
 * The results, best first, at most as many as asked for. The same queries also without hits: an index may have found
 * hidden messages alone, and neither whether nor how the database is asked may depend on it.
 */
export async function readResults(
  dependencies: SourceSearchDependencies,
  asked: AskedResults,
  found: Pick<FoundMessages, 'hits' | 'isOfIndex'>,
  deadline: Deadline,
  parts: Parts,
): Promise<ReadResults> {
  const { plan, request, words } = asked;
  const checks = isChecked(asked);
  const { accountId, excerptChars, limit, reader, recordedBy = null, scopeIds, signal } = request;
  const read = { reader, recordedBy, scopeIds };
  const { hits, rows } = await dependencies.inAccount(
    accountId,
    async (stores) => {
      const ordered = await inOrder(stores, asked, found, read);
      const wanted = ordered.map(({ beginsAt, messageId }) => ({ id: messageId, beginsAt }));
      const most = checks ? ordered.length : limit;
      const texts = textsOf(asked);
      return { hits: ordered, rows: await stores.sourceMessages.read(wanted, read, texts, most) };
    },
    {
      statementTimeoutMs: databaseTimeMs(deadline, dependencies.limits.partMs),
      signal,
      readOnly: true,
    },
  );
  const passing = checks
    ? await accepted(dependencies, rows, request, parts)
    : { rows, uncheckedAt: [] };
  const byId = new Map(hits.map((hit) => [hit.messageId, hit]));
  const termsOf = termsAskedFor(new Set(plan.terms.keys()), words?.alternatives);
  const pause = createPauses();
  const results: SourceResult[] = [];
  for (const row of passing.rows.slice(0, limit)) {
    const { is_cut_after: isCutAfter, text, text_begins_at: begin, ...message } = row;
    const hit = byId.get(message.message_id);
    const passageAt = hit === undefined || hit.beginsAt === null ? null : hit.beginsAt - begin;
    const whole = { text: text ?? '', isCutBefore: begin > 0, isCutAfter, passageAt };
    const excerpt = excerptOfFound(whole, termsOf, excerptChars);
    results.push({ message, excerpt, score: hit?.score ?? 0, rank: results.length + 1 });
    await pause();
    signal.throwIfAborted();
  }
  return {
    results: await withTurns(dependencies, request, results, deadline),
    isCut: passing.uncheckedAt.some((before) => before < limit),
  };
}
