/**
 * The only place where a caller learns that statements exist which it may not read. The probe runs only when no
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
import type { CandidateRead } from '../../stores/postgres/retrieval/candidates.store.ts';
import { partsTogether, partWithin, reasonOf, type Deadline } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';
import { freeTermIdsOf, type QueryPlan, type WeighedWords } from '../text/query-plan.ts';

/** The probe comes after everything else in a search, so it gets little time. */
const PROBE_TIMEOUT_MS = 100;
/** Enough that a few stale points do not hide a true one. */
const MOST_PROBE_HITS = 10;

export interface Probe {
  readonly plan: QueryPlan;
  readonly words: WeighedWords;
  /** How the search itself reads: the account, the reader and the instant. */
  readonly read: CandidateRead;
  readonly scopeIds: readonly string[];
  /** The instant that expiry is judged at, ISO 8601. */
  readonly at: string;
  readonly now: Date;
}

type Ask = Pick<SearchDependencies, 'points' | 'inAccount' | 'probeTimeoutMs'>;

/** The query's own words, without those that it has in phrases only. */
function freeWordsOf({ plan, words: { own }, read }: Probe): SparseVector {
  const free = freeTermIdsOf(plan, read.accountId);
  const kept = own.indices.flatMap((id, i) => (free.has(id) ? [i] : []));
  return {
    indices: kept.map((i) => own.indices[i] ?? 0),
    values: kept.map((i) => own.values[i] ?? 0),
  };
}

/**
 * Whether the words occur in statements that may be mentioned, and in none that the reader may read. The calls to the
 * index and the queries to the database are the same whatever the index found, so that only the answer tells.
 */
async function isHidden(
  { inAccount, points, probeTimeoutMs }: Ask,
  probe: Probe,
  vector: SparseVector,
  signal: AbortSignal,
): Promise<boolean> {
  const { scopeIds, at, now } = probe;
  const { accountId, asOf, visible } = probe.read;
  const mentioned = spokenOf({ scopeIds, at });
  const find = async (
    inTime: AbortSignal,
    matching: Condition,
    narrowing: Pick<StatementSearch, 'statesToday'> = {},
  ): Promise<readonly string[]> => {
    const search = {
      accountId,
      asOf,
      visible: matching,
      queryOperators: null,
      sourceFilters: NO_SOURCE_FILTERS,
    };
    const asked = { ...search, ...narrowing };
    const hits = await points.searchSparse(vector, asked, MOST_PROBE_HITS, inTime);
    return hits.map(({ sourceId }) => sourceId);
  };
  const [ownHits, anyonesHits] = await partsTogether(signal, [
    (inTime) => find(inTime, visible),
    (inTime) => find(inTime, mentioned, { statesToday: BELIEVED_STATES }),
  ]);
  return inAccount(
    accountId,
    async ({ candidates }) => {
      const own = await candidates.readable(ownHits, { asOf, visible });
      const anyones = await candidates.readable(anyonesHits, { asOf, visible: mentioned });
      if (asOf === null) return own.length === 0 && anyones.length > 0;
      // A statement that is not believed today is not mentioned for an earlier instant either.
      const today = spokenOf({ scopeIds, at: now.toISOString() });
      const still = await candidates.readable(anyonesHits, { asOf: null, visible: today });
      const stillIds = new Set(still);
      return own.length === 0 && anyones.some((id) => stillIds.has(id));
    },
    // The part gives up before the database does, so that the search does not fail.
    { statementTimeoutMs: 2 * (probeTimeoutMs ?? PROBE_TIMEOUT_MS), signal, readOnly: true },
  );
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
