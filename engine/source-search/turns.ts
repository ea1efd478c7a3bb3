/** The turns before and after the results of a source search, as excerpts of their beginnings. */
import { countClusters, excerptAround } from '../../domain/text/excerpt.ts';
import type { TurnBeside } from '../../stores/postgres/observations/turns.store.ts';
import { databaseTimeMs, type Deadline } from '../retrieval/deadline.ts';
import { createPauses } from '../slices.ts';
import type { SourceSearchDependencies, SourceSearchRequest } from './dependencies.ts';

export interface ShownTurn extends Omit<TurnBeside, 'beside' | 'side' | 'text' | 'is_cut_after'> {
  readonly excerpt: string;
}

/** Null where the session has no turn on that side that the reader may read. */
export interface ShownTurns {
  readonly before: ShownTurn | null;
  readonly after: ShownTurn | null;
}

export const NO_TURNS: ShownTurns = { before: null, after: null };

/** Code points that are read for each character of an excerpt; a character with its accents has a few. */
const POINTS_PER_CHARACTER = 2;

function beginningOf({ is_cut_after: isCutAfter, text }: TurnBeside, clusters: number): string {
  if (!isCutAfter && countClusters(text) <= clusters) return text;
  // The ellipsis takes one.
  const room = Math.max(1, clusters - 1);
  const span = { offset: 0, length: room };
  return excerptAround({ text, span, isCutBefore: false, isCutAfter }, room);
}

/**
 * The turns beside the messages, by their ids. Sends Postgres the same query also for no message: neither whether nor
 * how it is asked may depend on what an index found.
 */
export async function readTurns(
  { inAccount, limits }: SourceSearchDependencies,
  { accountId, excerptChars, reader, recordedBy = null, scopeIds, signal }: SourceSearchRequest,
  messageIds: readonly string[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, ShownTurns>> {
  const read = { reader, recordedBy, scopeIds };
  const rows = await inAccount(
    accountId,
    ({ turns }) => turns.beside(messageIds, read, POINTS_PER_CHARACTER * excerptChars),
    {
      statementTimeoutMs: databaseTimeMs(deadline, limits.partMs),
      signal,
      readOnly: true,
    },
  );
  const pause = createPauses();
  const byMessage = new Map<string, ShownTurns>();
  for (const row of rows) {
    const { beside, is_cut_after: _cut, side, text: _text, ...turn } = row;
    const shown: ShownTurn = { ...turn, excerpt: beginningOf(row, excerptChars) };
    byMessage.set(beside, { ...(byMessage.get(beside) ?? NO_TURNS), [side]: shown });
    await pause();
    signal.throwIfAborted();
  }
  return byMessage;
}
