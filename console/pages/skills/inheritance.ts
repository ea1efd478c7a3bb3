/** Which requirement of which card holds at a scope: the nearest card wins for each key. */
import type { OutputOf } from '../../../operations/registry.ts';

export type Card = OutputOf<'readSkillCard'>;

export interface InheritedRequirement {
  readonly requirement: Card['requirements'][number];
  readonly card: Pick<Card, 'id' | 'scope_path' | 'version'>;
  /** The nearer card that has a requirement of the same key; null where this one is the nearest. */
  readonly replacedBy: Pick<Card, 'id' | 'scope_path' | 'version'> | null;
}

/**
 * Every requirement of the cards of a chain, the farthest card first, each with what became of it.
 *
 * @param cards of one skill, in force, at most one of each scope of the chain
 */
export function inheritance(cards: readonly Card[]): readonly InheritedRequirement[] {
  const outermostFirst = cards.toSorted((a, b) => a.scope_path.length - b.scope_path.length);
  return outermostFirst.flatMap((card, depth) =>
    card.requirements.map((requirement) => {
      const nearer = outermostFirst
        .slice(depth + 1)
        .findLast(({ requirements }) => requirements.some(({ key }) => key === requirement.key));
      return { requirement, card, replacedBy: nearer ?? null };
    }),
  );
}
