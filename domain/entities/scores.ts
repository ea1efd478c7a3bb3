/** How much statements that share an entity with a query, or with each other, count. */
import type { QueryEntity } from './resolution.ts';

/** Entities of a query that count, the first ones. */
export const MOST_ENTITIES = 8;
/**
 * Statements of one entity. An entity with more of them counts for nothing: which of them were listed would be
 * arbitrary, and each that is listed goes before better ones that are not.
 */
export const MOST_ROWS_OF_ENTITY = 25;
/** Share of the statements of a corpus past which an entity tells none of them apart. */
export const MOST_SHARE_OF_CORPUS = 0.5;
/** Statements from which a corpus has shares. */
export const FEWEST_ROWS_OF_CORPUS = 20;

/** `units` are the statements of the scopes; null for a reader to whom their number would tell of hidden ones. */
export function tellsApart(statements: number, units: number | null): boolean {
  if (statements > MOST_ROWS_OF_ENTITY) return false;
  if (units === null || units < FEWEST_ROWS_OF_CORPUS) return true;
  return statements <= MOST_SHARE_OF_CORPUS * units;
}

/** ln(1 + N / n); 1 for a reader without frequencies, to whom all entities count alike (ADR 8). */
export function entityRarity(statements: number, units: number | null): number {
  return units === null || units < 1 ? 1 : Math.log(1 + units / Math.max(1, statements));
}

/** Statements of the scopes that mention the entity: a statement that uses two of its names counts twice. */
function statementsOf({ names }: QueryEntity): number {
  const once = new Map(names.map((name) => [`${name.scopeId} ${name.alias}`, name.statements]));
  return [...once.values()].reduce((sum, statements) => sum + statements, 0);
}

/**
 * Scores by statement, 0 to 1: the rarity of the entities that it mentions, divided by that of all entities that count.
 * Statements without any are absent.
 */
export function entityScores(
  entities: readonly QueryEntity[],
  units: number | null,
): ReadonlyMap<string, number> {
  const counting = entities
    .map((entity) => ({ entity, statements: statementsOf(entity) }))
    .filter(({ statements }) => statements > 0 && tellsApart(statements, units))
    .slice(0, MOST_ENTITIES)
    .map(({ entity, statements }) => ({
      ids: new Set(entity.names.flatMap(({ statementIds }) => statementIds)),
      rarity: entityRarity(statements, units),
    }));
  const total = counting.reduce((sum, { rarity }) => sum + rarity, 0);
  const scores = new Map<string, number>();
  for (const { ids, rarity } of counting) {
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + rarity / total);
  }
  return scores;
}
