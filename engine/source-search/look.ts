/**
 * Which of the messages that a reader may read have a vector of the configured space: one bounded look, whatever the
 * history of the account. It sees messages that wait for the index, points that say that they await a vector, and, of
 * the full-text index, which does not depend on the vector space, some of the oldest messages: they have no point while
 * the collection of a new space is being filled. Postgres confirms every message, so hidden ones change nothing.
 */
import type { VectorState } from '../../domain/retrieval/source-status.ts';
import type { IndexGate } from '../indexes/index-gate.ts';
import { databaseTimeMs, type Deadline } from '../retrieval/deadline.ts';
import type {
  SourceAccess,
  SourceSearchDependencies,
  SourceSearchRequest,
} from './dependencies.ts';
import { askPoints, PartFailure, type Parts } from './parts.ts';
import type { PreparedSources } from './prepare.ts';

/** Messages of each sort that are looked at. */
const MOST_LOOKED_AT = 16;

export interface Look {
  readonly state: Exclude<VectorState, 'not_needed'>;
  /** Some visible message has no current vector, whatever the search finds. */
  readonly isLacking: boolean;
  /** Points with a vector exist that may be of readable messages, although none of those looked at was. */
  readonly isUncertain: boolean;
}

/** @throws PartFailure when Qdrant does not answer; without Meilisearch it sees less. */
export async function lookAtVectors(
  { embed, inAccount, limits, points, records }: SourceSearchDependencies,
  { accountId, reader, scopeIds }: SourceSearchRequest,
  access: SourceAccess,
  gate: IndexGate,
  { waitingIds }: PreparedSources,
  deadline: Deadline,
  parts: Parts,
): Promise<Look> {
  const search = { ...access, operators: null };
  const [{ awaiting, withVector }, sample] = await Promise.all([
    askPoints(gate, parts, () => points.lookForVectors(search, MOST_LOOKED_AT, embed !== null)),
    parts
      .ask('index', (signal) => records.some(access, MOST_LOOKED_AT, signal))
      .catch((error: unknown) => {
        if (error instanceof PartFailure) return [];
        throw error;
      }),
  ]);
  const shown = await askPoints(gate, parts, () => points.indexed(accountId, sample));
  const readable = new Set(
    await inAccount(
      accountId,
      ({ sourceMessages }) =>
        sourceMessages.readable([...new Set([...awaiting, ...withVector, ...sample])], {
          reader,
          scopeIds,
        }),
      { statementTimeoutMs: databaseTimeMs(deadline, limits.partMs) },
    ),
  );
  const isReadable = (id: string): boolean => readable.has(id);
  const hasVector = withVector.some(isReadable);
  const isLacking =
    waitingIds.length > 0 ||
    awaiting.some(isReadable) ||
    sample.some((id) => isReadable(id) && shown.get(id) === undefined);
  const isUncertain = !hasVector && withVector.length > 0;
  if (hasVector) return { state: isLacking ? 'some' : 'all', isLacking, isUncertain };
  const state = readable.size > 0 || waitingIds.length > 0 ? 'none' : 'no_messages';
  return { state, isLacking, isUncertain };
}
