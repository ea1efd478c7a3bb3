/**
 * Finds statements one relation away from the hits of the other strategies. It runs after them, in the time that the
 * deadline leaves.
 */
import { MOST_CONTRACTS, relationScores, type Contract } from '../../domain/entities/relations.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { databaseTimeMs, runStrategy } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';
import { entityViewOf } from './entities.ts';
import { limitsOf, NOTHING_FOUND, type FoundCandidates, type StrategyRun } from './strategies.ts';
import type { StrategyInput } from './strategy-input.ts';

export interface RelationsInput extends StrategyInput {
  /** Those of `scopeIds` that are read because they are linked to one of the chain. */
  readonly linkedScopeIds: ReadonlySet<string>;
  /** The statements that were found and may be read, best first. */
  readonly found: (stores: Stores) => Promise<readonly Contract[]>;
}

/** Its queries to Postgres follow from the request alone, also if the other strategies found nothing (ADR 44). */
async function expand(
  { inAccount }: SearchDependencies,
  { deadline, found, linkedScopeIds, prepared, profile, read, scopeIds, search }: RelationsInput,
  signal: AbortSignal,
): Promise<FoundCandidates> {
  const view = entityViewOf(read.reader);
  const scored = await inAccount(
    search.accountId,
    async (stores) => {
      const contracts = (await found(stores)).slice(0, MOST_CONTRACTS);
      const ids = contracts.map(({ id }) => id);
      const shared = await stores.entities.shared(ids, scopeIds, view);
      const updates = await stores.entities.updates(ids, read.visible);
      const units = prepared.frequencies?.units ?? null;
      return relationScores(contracts, { shared, updates, units, linkedScopeIds });
    },
    {
      statementTimeoutMs: databaseTimeMs(deadline, profile.strategyTimeoutMs),
      signal,
      readOnly: true,
    },
  );
  return { ...NOTHING_FOUND, scored };
}

/**
 * The runs, with that of `relation_expand` where the profile has it. It does not apply to a blank query, which has no
 * words to relate to, nor to a past instant, for which no names are stored.
 */
export async function withRelations(
  dependencies: SearchDependencies,
  runs: readonly StrategyRun[],
  input: RelationsInput,
): Promise<readonly StrategyRun[]> {
  const strategy = 'relation_expand';
  const applies = input.plan.text !== '' && input.search.asOf === null;
  if (!applies || !input.profile.strategies.has(strategy)) return runs;
  const { deadline, signal } = input;
  const ran = await runStrategy(strategy, deadline, limitsOf(input), signal, (inTime) =>
    expand(dependencies, input, inTime),
  );
  return runs.map((run) => (run.strategy === strategy ? { strategy, ...ran } : run));
}
