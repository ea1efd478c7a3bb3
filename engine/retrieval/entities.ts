/** Finds statements by the people, places and things that the query names. */
import { entitiesOf, type StatementsHolding } from '../../domain/entities/resolution.ts';
import { entityScores } from '../../domain/entities/scores.ts';
import { mayUseFrequencies } from '../../domain/governance/counted.ts';
import type { ChainReader } from '../../domain/governance/visibility.ts';
import { termId } from '../../domain/ranking/term-id.ts';
import type { Frequencies } from '../../stores/postgres/retrieval/frequencies.store.ts';
import { analyze } from '../text/analyze.ts';
import type { EntityView } from '../../stores/postgres/entities/entities.store.ts';
import type { QueryPlan } from '../text/query-plan.ts';
import type { SearchRequest } from './request.ts';
import type { StrategyInput } from './strategy-input.ts';

/** The rows that decide which entity a name stands for, for this reader. */
export function entityViewOf(reader: ChainReader): EntityView {
  return mayUseFrequencies(reader) ? 'shared' : 'public';
}

/**
 * Whether the strategy looks names up. Not for a blank query, nor for a past instant: the names that are known are those of
 * today's statements.
 */
export function asksForNames(
  { text }: Pick<QueryPlan, 'text'>,
  { asOf, profile }: Pick<SearchRequest, 'asOf' | 'profile'>,
): boolean {
  return profile.strategies.has('entity_match') && text !== '' && asOf === null;
}

/** Scores by statement, without the statements' confidence. */
export async function matchEntities(
  { names, plan, prepared, search }: StrategyInput,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | 'not_applicable'> {
  if (names === null) return 'not_applicable';
  const known = await names.read(signal);
  const { frequencies } = prepared;
  const entities = entitiesOf(plan.names, known, holdingOf(search.accountId, frequencies));
  return entityScores(entities, frequencies?.units ?? null);
}

/** In how many statements a word stands: in no more than the rarest of its terms does. */
function holdingOf(accountId: string, frequencies: Frequencies | null): StatementsHolding {
  if (frequencies === null) return () => null;
  return (word) => {
    const terms = [...analyze(word).terms.keys()];
    const counts = terms.map((term) => frequencies.byTerm.get(termId(accountId, term)) ?? 0);
    return terms.length === 0 ? null : Math.min(...counts);
  };
}
