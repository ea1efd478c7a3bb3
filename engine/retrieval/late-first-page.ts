/**
 * What a search finds when no strategy that looks for its words ended in time, because the machine is busy or both indexes are away: the
 * statements that stand out in the scopes, from Postgres, as far as they hold a word of the query. It stays degraded.
 * Without it a memory that has an answer would seem to have none.
 */
import { poolSize } from '../../domain/retrieval/strategies.ts';
import type { SearchDependencies } from './dependencies.ts';
import { readRows } from './rows.ts';
import { NOTHING_FOUND, type StrategyInput, type StrategyRun } from './strategies.ts';

/** The strategies that look for what the query says. Others find what stands beside it. */
const LOOKING: ReadonlySet<string> = new Set(['lexical', 'semantic']);

/**
 * Whether the deadline or a failure ended every strategy that would have looked. What the others found says nothing here:
 * it may be hidden.
 */
function isEmptyHanded({ plan }: StrategyInput, runs: readonly StrategyRun[]): boolean {
  // Which statements satisfy a phrase or an exclusion only an index tells.
  if (plan.text === '' || plan.hasOperators) return false;
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
