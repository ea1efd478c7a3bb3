/** What a chain of cards requires in the end: the nearest card wins for each key, and a tombstone takes its key away. */
import type { CardContent, Requirement } from './card.ts';

/** A card in force at one scope of the chain. */
export interface PlacedCard extends CardContent {
  readonly id: string;
  readonly version: number;
  readonly scopeId: string;
  readonly scopePath: string;
}

/** A requirement that is in force, and the card that it comes from. */
export interface EffectiveRequirement {
  readonly requirement: Requirement;
  readonly card: PlacedCard;
}

/** Requirements that one report checks. */
export const MOST_CHECKED = 64;

export interface CheckedRequirements {
  /** In the order in which the cards, from the root on, name them first. */
  readonly checked: readonly EffectiveRequirement[];
  /** Further ones that are in force, of the cards that are farthest away. */
  readonly unchecked: number;
}

/**
 * @param cards of the chain, outermost first
 */
export function effectiveRequirements(
  cards: readonly PlacedCard[],
): readonly EffectiveRequirement[] {
  const byKey = new Map<string, EffectiveRequirement>();
  for (const card of cards) {
    for (const requirement of card.requirements) {
      if (requirement.enabled) byKey.set(requirement.key, { requirement, card });
      else byKey.delete(requirement.key);
    }
  }
  return [...byKey.values()];
}

/** The requirements that a report checks: all, or those of the nearest cards where there are too many. */
export function requirementsToCheck(cards: readonly PlacedCard[]): CheckedRequirements {
  const all = effectiveRequirements(cards);
  const depth = new Map(cards.map(({ id }, place) => [id, place]));
  const nearest = all
    .toSorted((a, b) => (depth.get(b.card.id) ?? 0) - (depth.get(a.card.id) ?? 0))
    .slice(0, MOST_CHECKED);
  const isChecked = new Set(nearest);
  return {
    checked: all.filter((one) => isChecked.has(one)),
    unchecked: all.length - nearest.length,
  };
}
