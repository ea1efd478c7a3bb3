/** One unit as each index shows it now, looked up by its id. */
import { IndexFailure, type IndexName } from '../../domain/retrieval/index-failure.ts';
import type { UnitKind } from '../../domain/retrieval/units.ts';
import type { IndexDependencies } from './dependencies.ts';

export interface IndexLook {
  readonly index: IndexName;
  /** Null where the index does not hold the unit, or did not answer. */
  readonly shown: { readonly rowVersion: number; readonly awaitsVector: boolean } | null;
  readonly isAway: boolean;
}

async function asLook(index: IndexName, asked: Promise<IndexLook['shown']>): Promise<IndexLook> {
  try {
    return { index, shown: await asked, isAway: false };
  } catch (error) {
    if (!(error instanceof IndexFailure)) throw error;
    return { index, shown: null, isAway: true };
  }
}

/** Of a long message the first passage is looked up: the others are written and deleted with it. */
export function lookAtUnit(
  { points, records }: Pick<IndexDependencies, 'points' | 'records'>,
  accountId: string,
  unit: UnitKind,
  unitId: string,
): Promise<readonly IndexLook[]> {
  const inQdrant = async () => (await points.shown(accountId, unit, [unitId])).get(unitId) ?? null;
  const inMeilisearch = async () => {
    const rowVersion = (await records.shown(accountId, unit, [unitId])).get(unitId);
    return rowVersion === undefined ? null : { rowVersion, awaitsVector: false };
  };
  return Promise.all([asLook('qdrant', inQdrant()), asLook('meilisearch', inMeilisearch())]);
}
