/**
 * The results of a search whose word strategies all ended too late, because the machine is busy or both indexes are
 * away: the most salient statements of the scopes that hold a word of the query, from Postgres. The search stays
 * degraded. Without this a memory that has an answer would seem to have none.
 */
import { poolSize } from '../../domain/retrieval/strategies.ts';
import type { SearchDependencies } from './dependencies.ts';
import { readRows } from './rows.ts';
import { NOTHING_FOUND, type StrategyRun } from './strategies.ts';
import type { StrategyInput } from './strategy-input.ts';

/** The strategies that look for the words or the meaning of the query. Others find related statements. */
const LOOKING: ReadonlySet<string> = new Set(['lexical', 'semantic']);

/**
 * Whether the deadline or a failure ended every strategy that looks for words. The results of the others do not count
 * here, because they may be hidden.
 */
function isEmptyHanded({ plan }: StrategyInput, runs: readonly StrategyRun[]): boolean {
  // Only an index knows which statements satisfy a phrase or an exclusion.
  if (plan.text === '' || plan.hasQueryOperators) return false;
  const ended = runs.filter(({ strategy }) => LOOKING.has(strategy));
  return (
    ended.some(({ outcome, strategy }) => strategy === 'lexical' && outcome.status === 'dropped') &&
    ended.every(({ outcome }) => outcome.status !== 'completed')
  );
}

/** The runs, the lexical one with what Postgres knows where no run has found anything. */
export async function withLateFirstPage(
  dependencies: SearchDependencies,
  runs: readonly StrategyRun[],
  input: StrategyInput,
): Promise<readonly StrategyRun[]> {
  if (!isEmptyHanded(input, runs)) return runs;
  const { at, deadline, limit, read, signal } = input;
  const deadlineEnabled = deadline.remainingMs() !== null;
  const of = { accountId: read.accountId, deadlineEnabled, signal };
  const rows = await readRows(dependencies, of, (stores) =>
    stores.candidates.salient(at, poolSize(limit, true), read),
  );
  const unscored = rows.map(({ id }) => id);
  const found = { ...NOTHING_FOUND, unscored, reason: 'timeout' } as const;
  return runs.map((run) => (run.strategy === 'lexical' ? { ...run, found } : run));
}
