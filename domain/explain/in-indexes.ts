/** What the indexes, and the marks of their writes, say of one unit, and what of it keeps the unit from being found. */
import type { IndexName } from '../retrieval/index-failure.ts';
import type { MarkState } from '../retrieval/marks.ts';
import type { UnitKind } from '../retrieval/units.ts';
import type { Obstacle } from './causes.ts';

/** `outdated`: in another version than the row has. `away`: the index did not answer. */
export const PRESENCES = ['present', 'outdated', 'missing', 'away'] as const;
export type Presence = (typeof PRESENCES)[number];

/** Of a message only presence can be told: its text does not change, and its points carry the time of a reading. */
export function presenceOf(
  unit: UnitKind,
  shown: { readonly rowVersion: number } | null,
  rowVersion: number | null,
): Presence {
  if (shown === null) return 'missing';
  return unit === 'statement' && shown.rowVersion !== rowVersion ? 'outdated' : 'present';
}

export interface IndexedUnit {
  readonly index: IndexName;
  readonly presence: Presence;
  /** Null where no write waits. */
  readonly mark: MarkState | null;
  /** Searches read it from Postgres until its write has succeeded. */
  readonly isOverdue: boolean;
}

function causeOf({ isOverdue, mark, presence }: IndexedUnit): Obstacle['cause'] | null {
  if (presence === 'away') return 'index_away';
  if (presence === 'present' || isOverdue) return null;
  if (mark === null) return presence === 'missing' ? 'index_lost' : 'index_outdated';
  return mark === 'waiting' || mark === 'taken' ? 'index_write_waits' : 'index_write_fails';
}

/** Qdrant ranks everything; of Meilisearch searches ask for phrases and exclusions. Qdrant comes first. */
export function obstaclesInIndexes(
  unit: UnitKind,
  indexed: readonly IndexedUnit[],
): readonly Obstacle[] {
  const ranked = unit === 'message' ? 'source_search' : 'search';
  return indexed.flatMap((one): Obstacle[] => {
    const cause = causeOf(one);
    const from = one.index === 'qdrant' ? ranked : 'phrases';
    return cause === null ? [] : [{ cause, from, of: one.index }];
  });
}
