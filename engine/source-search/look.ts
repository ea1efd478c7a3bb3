/**
 * Which of the messages that a reader may read have a vector of the configured space: one bounded look, whatever the
 * history of the account. It sees what `prepare` read of Postgres: messages that wait for the index, and some of the
 * reader's own, the oldest too, which have no point while the collection of a new space is being filled. It also sees
 * messages whose point names the reader, after Postgres has confirmed them. Points of crowds are not looked at: they name
 * nobody, so those that the reader may not read could take all the places of a look.
 */
import type { VectorState } from '../../domain/retrieval/source-status.ts';
import type { IndexGate } from '../indexes/index-gate.ts';
import { databaseTimeMs, type Deadline } from '../retrieval/deadline.ts';
import type {
  SourceAccess,
  SourceSearchDependencies,
  SourceSearchRequest,
} from './dependencies.ts';
import { askPoints, type Parts } from './parts.ts';
import type { PreparedSources } from './prepare.ts';

/** Messages of each sort that are looked at. */
const MOST_LOOKED_AT = 16;

export interface Look {
  readonly state: Exclude<VectorState, 'not_needed'>;
  /** Some visible message has no current vector, whatever the search finds. */
  readonly isLacking: boolean;
}

/** @throws PartFailure when Qdrant does not answer. */
export async function lookAtVectors(
  { embed, inAccount, limits, points }: SourceSearchDependencies,
  { accountId, reader, scopeIds, signal }: SourceSearchRequest,
  access: SourceAccess,
  gate: IndexGate,
  { ownIds, waitingIds }: PreparedSources,
  deadline: Deadline,
  parts: Parts,
): Promise<Look> {
  const search = { ...access, queryOperators: null };
  const { awaiting, withVector } = await askPoints(gate, parts, (ends) =>
    points.lookForVectors(search, MOST_LOOKED_AT, embed !== null, ends),
  );
  const shown = await askPoints(gate, parts, (ends) => points.indexed(accountId, ownIds, ends));
  const readable = new Set(
    await inAccount(
      accountId,
      ({ sourceMessages }) =>
        sourceMessages.readable([...new Set([...awaiting, ...withVector])], { reader, scopeIds }),
      { statementTimeoutMs: databaseTimeMs(deadline, limits.partMs), signal, readOnly: true },
    ),
  );
  const isReadable = (id: string): boolean => readable.has(id);
  const own = ownIds.map((id) => shown.get(id));
  const hasVector = withVector.some(isReadable) || own.some((point) => point?.hasVector === true);
  const isLacking =
    waitingIds.length > 0 ||
    awaiting.some(isReadable) ||
    own.some((point) => point === undefined || point.awaitsVector);
  if (hasVector) return { state: isLacking ? 'some' : 'all', isLacking };
  const isAny = readable.size > 0 || ownIds.length > 0 || waitingIds.length > 0;
  return { state: isAny ? 'none' : 'no_messages', isLacking };
}
