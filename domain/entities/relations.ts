/** Which statements stand one step from those that a search found: by a shared entity, or because one updates the other. */
import { entityRarity, tellsApart } from './scores.ts';

/** Statements that a search found, the first ones, whose neighbours are looked for. */
export const MOST_CONTRACTS = 5;
/** Neighbours of one statement by shared entities. */
export const MOST_NEIGHBOURS = 10;
/** Statements of an entity that can all be neighbours of one of them; of more, some would be left out at will. */
export const MOST_ROWS_OF_SHARED = MOST_NEIGHBOURS + 1;
/** Share of a statement's own entities, by rarity, that a neighbour has too. */
const FEWEST_SHARED = 0.75;
/** How much a tie counts that leads from a scope to one that is linked to it. */
const ACROSS_A_LINK = 0.5;

/** A statement that was found. */
export interface Contract {
  readonly id: string;
  /** Its score in fusion. */
  readonly score: number;
}

/** A name that a found statement mentions. */
export interface SharedName {
  readonly ofId: string;
  /** The scope of the statement. */
  readonly ofScopeId: string;
  readonly alias: string;
  /** Statements of the scopes that mention it. */
  readonly statements: number;
  /** All of them where they are few enough (`MOST_ROWS_OF_SHARED`), else none. */
  readonly mentioning: readonly { readonly id: string; readonly scopeId: string }[];
}

/** A statement that ended, replaced, or was ended or replaced by a found one. */
export interface UpdateLink {
  readonly ofId: string;
  readonly id: string;
}

export interface Relations {
  readonly shared: readonly SharedName[];
  readonly updates: readonly UpdateLink[];
  /** Statements of the scopes; null for a reader without frequencies. */
  readonly units: number | null;
  /** Scopes that are read because they are linked to one of the chain. */
  readonly linkedScopeIds: ReadonlySet<string>;
}

type Tie = readonly [id: string, strength: number];

/** Neighbours of one statement by the entities that both mention: the share of its own entities, by rarity. */
function byEntity(names: readonly SharedName[], { linkedScopeIds, units }: Relations): Tie[] {
  const total = names.reduce((sum, { statements }) => sum + entityRarity(statements, units), 0);
  const shares = new Map<string, { share: number; isAcross: boolean }>();
  for (const { mentioning, ofId, ofScopeId, statements } of names) {
    if (!tellsApart(statements, units)) continue;
    const rarity = entityRarity(statements, units);
    for (const { id, scopeId } of mentioning) {
      if (id === ofId) continue;
      const isAcross = linkedScopeIds.has(scopeId) !== linkedScopeIds.has(ofScopeId);
      shares.set(id, { share: (shares.get(id)?.share ?? 0) + rarity / total, isAcross });
    }
  }
  return [...shares]
    .filter(([, { share }]) => share >= FEWEST_SHARED)
    .map(([id, { isAcross, share }]): Tie => [id, share * (isAcross ? ACROSS_A_LINK : 1)])
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? 1 : -1))
    .slice(0, MOST_NEIGHBOURS);
}

/**
 * Scores by statement, 0 to 1: how strong its strongest tie is, times the score of the statement at the other end divided
 * by the best one. An update is a tie of strength 1.
 */
export function relationScores(
  contracts: readonly Contract[],
  relations: Relations,
): ReadonlyMap<string, number> {
  const best = Math.max(...contracts.map(({ score }) => score));
  const names = Map.groupBy(relations.shared, ({ ofId }) => ofId);
  const updates = Map.groupBy(relations.updates, ({ ofId }) => ofId);
  const scores = new Map<string, number>();
  for (const { id: ofId, score } of contracts) {
    const ties: readonly Tie[] = [
      ...byEntity(names.get(ofId) ?? [], relations),
      ...(updates.get(ofId) ?? []).map(({ id }): Tie => [id, 1]),
    ];
    for (const [id, strength] of ties) {
      const tied = best > 0 ? (strength * score) / best : 0;
      if (tied > (scores.get(id) ?? 0)) scores.set(id, tied);
    }
  }
  return scores;
}
