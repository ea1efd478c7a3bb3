/**
 * The one place where a caller learns of something it may not read: that there is some. Asked only when an
 * answer is empty: do words of the query occur in any statement of the authorised chain that somebody
 * believes? The engine's word is confirmed in Postgres: an index that lags behind must not speak of what was
 * redacted or erased. No count, no id, no score leaves.
 */
import type { Condition } from '../../domain/governance/visibility.ts';
import type { Outcome } from '../../domain/retrieval/outcomes.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import type { CandidateRead } from '../../stores/postgres/retrieval.store.ts';
import { reasonOf, within, type Deadline } from './deadline.ts';
import { resolveOperators } from './operators.ts';
import type { SearchDependencies } from './ports.ts';
import type { Prepared } from './prepare.ts';
import type { QueryPlan } from './query-plan.ts';

/** An answer is late already when it is empty: the probe gets little. Milliseconds. */
const PROBE_TIMEOUT_MS = 100;
/** Enough that a few stale points do not hide a true one. */
const PROBE_HITS = 10;
const BELIEVED = ['active', 'provisional'] as const;

/** The `candidate_filter` outcome when visibility removed every lexical match, else null. */
export async function filteredOut(
  { points, documents, inAccount }: SearchDependencies,
  plan: QueryPlan,
  read: CandidateRead,
  search: StatementSearch,
  { vector }: Prepared,
  scopeIds: readonly string[],
  deadline: Deadline,
): Promise<Outcome | null> {
  if (vector.indices.length === 0 || scopeIds.length === 0) return null;
  const startedMs = deadline.elapsedMs();
  const anyone: StatementSearch = {
    ...search,
    visible: { field: 'scope_id', in: scopeIds },
    statesToday: BELIEVED,
  };
  const confirmed: Condition = {
    all: [
      { field: 'scope_id', in: scopeIds },
      { field: 'state', in: BELIEVED },
    ],
  };
  try {
    const hidden = await within(PROBE_TIMEOUT_MS, new AbortController().signal, async () => {
      const operators = plan.hasOperators
        ? (await resolveOperators(plan, documents, anyone, [])).alternatives
        : null;
      // Operators that could not be resolved would count texts that the query excludes.
      if (plan.hasOperators && operators === null) return false;
      const hits = await points.searchSparse(vector, { ...anyone, operators }, PROBE_HITS);
      const ids = hits.map(({ sourceId }) => sourceId);
      const rows = await inAccount(read.accountId, (stores) =>
        stores.readCandidates(ids, { ...read, visible: confirmed }),
      );
      return rows.length > 0;
    });
    if (!hidden) return null;
  } catch (error) {
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
