/**
 * The only place where a caller learns that there are statements which it may not read. The probe runs only when no
 * statement that the reader may read matched a word of the query. It asks whether a free word of the query occurs in a
 * statement that `spokenOf` allows to mention, and in none that the reader may read. Phrases, exclusions, alternatives
 * and filters are left out: with them a caller could read a hidden sentence word by word, or learn where it came from.
 * Postgres confirms what the index finds, because an index that lags behind must not reveal redacted or erased
 * statements. No count, no id and no score leaves the probe. It never asks for a statement that must not be mentioned,
 * so that the time taken does not reveal one either.
 */
import { BELIEVED_STATES, spokenOf, type Condition } from '../../domain/governance/visibility.ts';
import type { SparseVector } from '../../domain/ranking/sparse.ts';
import type { ComponentOutcome } from '../../domain/retrieval/outcomes.ts';
import { NO_SOURCE_FILTERS } from '../../domain/retrieval/source-filters.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import type { CandidateRead } from '../../stores/postgres/knowledge/candidates.store.ts';
import { partsTogether, partWithin, reasonOf, type Deadline } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';
import { freeTermIdsOf, type QueryPlan } from './query-plan.ts';

/** The probe comes after everything else in a search, so it gets little time. */
const PROBE_TIMEOUT_MS = 100;
/** Enough that a few stale points do not hide a true one. */
const MOST_PROBE_HITS = 10;

export interface Probe {
  readonly plan: QueryPlan;
  /** The query's words, weighed. */
  readonly vector: SparseVector;
  /** How the search itself reads: the account, the reader and the instant. */
  readonly read: CandidateRead;
  readonly scopeIds: readonly string[];
  /** The instant that expiry is judged at, ISO 8601. */
  readonly at: string;
  readonly now: Date;
}

type Ask = Pick<SearchDependencies, 'points' | 'inAccount' | 'probeTimeoutMs'>;

/** The vector without the words that the query has in phrases only. */
function freeWordsOf({ plan, vector, read }: Probe): SparseVector {
  const free = freeTermIdsOf(plan, read.accountId);
  const kept = vector.indices.flatMap((id, i) => (free.has(id) ? [i] : []));
  return {
    indices: kept.map((i) => vector.indices[i] ?? 0),
    values: kept.map((i) => vector.values[i] ?? 0),
  };
}

/** Those of `ids` that satisfy the condition at the instant of the read. */
async function confirmed(
  { inAccount, probeTimeoutMs }: Ask,
  read: CandidateRead,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await inAccount(
    read.accountId,
    (stores) => stores.candidates.read(ids, read),
    // The part gives up before the database does, so that the search does not fail.
    { statementTimeoutMs: 2 * (probeTimeoutMs ?? PROBE_TIMEOUT_MS), signal },
  );
  return rows.map(({ id }) => id);
}

async function isHidden(
  ask: Ask,
  probe: Probe,
  vector: SparseVector,
  signal: AbortSignal,
): Promise<boolean> {
  const { scopeIds, at, now } = probe;
  const read: CandidateRead = { ...probe.read, withText: false, sourceMessageId: null };
  const hits = async (
    inTime: AbortSignal,
    visible: Condition,
    narrowing: Pick<StatementSearch, 'statesToday'> = {},
  ): Promise<readonly string[]> => {
    const { accountId, asOf } = read;
    const search = { accountId, asOf, visible, operators: null, sourceFilters: NO_SOURCE_FILTERS };
    const found = await ask.points.searchSparse(
      vector,
      { ...search, ...narrowing },
      MOST_PROBE_HITS,
      inTime,
    );
    return confirmed(
      ask,
      { ...read, visible },
      found.map(({ sourceId }) => sourceId),
      inTime,
    );
  };
  const [own, anyones] = await partsTogether(signal, [
    (inTime) => hits(inTime, read.visible),
    (inTime) => hits(inTime, spokenOf({ scopeIds, at }), { statesToday: BELIEVED_STATES }),
  ]);
  if (own.length > 0 || anyones.length === 0) return false;
  if (read.asOf === null) return true;
  // A statement that is not believed today is not mentioned for an earlier instant either.
  const today = { ...read, asOf: null, visible: spokenOf({ scopeIds, at: now.toISOString() }) };
  return (await confirmed(ask, today, anyones, signal)).length > 0;
}

/** The `candidate_filter` outcome when visibility removed every lexical match, else null. */
export async function filteredOut(
  ask: Ask,
  probe: Probe,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<ComponentOutcome | null> {
  const vector = freeWordsOf(probe);
  if (vector.indices.length === 0 || probe.scopeIds.length === 0) return null;
  const startedMs = deadline.elapsedMs();
  const timeoutMs = ask.probeTimeoutMs ?? PROBE_TIMEOUT_MS;
  try {
    const hidden = await partWithin(timeoutMs, signal, (inTime) =>
      isHidden(ask, probe, vector, inTime),
    );
    if (!hidden) return null;
  } catch (error) {
    signal.throwIfAborted();
    if (reasonOf(error) === null) throw error;
    return null;
  }
  return {
    component: 'candidate_filter',
    status: 'completed',
    reasonClass: 'authorization_filtered',
    elapsedMs: deadline.elapsedMs() - startedMs,
    budgetRemainingMs: deadline.remainingMs(),
  };
}
