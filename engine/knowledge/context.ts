/** What every change of statements through the gates needs: the chains of scopes, and the rules in force. */
import type { ParaphraseRule } from '../../domain/statements/paraphrase.ts';
import type { RefusalRule } from '../../domain/knowledge/refusal.ts';
import type { PlanContext } from '../../domain/knowledge/plan.ts';
import { chainIds, type PlacedScope } from '../../domain/scopes/chain-ids.ts';
import type { LoadedKnowledge } from '../../stores/postgres/knowledge/state.ts';

/** `scopes` are every scope of the chains of the statements' places; the root is one of them. */
export function planContext(
  scopes: readonly PlacedScope[],
  state: LoadedKnowledge,
  newId: () => string,
  paraphrases: ParaphraseRule | null = null,
  refusals: RefusalRule | null = null,
): PlanContext {
  const places = [...scopes, ...state.places];
  const root = places.find(({ parentId }) => parentId === null);
  if (root === undefined) throw new TypeError('every chain has the root');
  const chainOf = chainIds(places);
  return {
    rules: state.rules,
    consent: { automatic: state.automaticConsent },
    chains: new Map(places.map(({ id }) => [id, chainOf(id)])),
    rootScopeId: root.id,
    now: state.now,
    newId,
    paraphrases,
    refusals,
  };
}
