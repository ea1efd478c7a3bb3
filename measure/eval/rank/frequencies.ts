/** Weights of query terms from different counts of how common they are. */
import { queryWeight } from '../../../domain/ranking/sparse.ts';
import type { Indexed } from './memory-index.ts';
import type { Weigh } from './recipe.ts';

/** Frequencies of own words over all units of the conversation: what a service without hidden messages could use. */
export function ownFrequencies({ prepared, frequencies }: Indexed): () => Weigh {
  return () => (term, count) =>
    queryWeight(count, prepared.units.length, frequencies.get(term) ?? 0);
}
