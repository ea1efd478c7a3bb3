/** Looking after the indexes from the command line: counting what differs, and writing everything again. */
import type { MarkedUnit } from '../../stores/postgres/indexes/dirty-marks.store.ts';
import { UNIT_KINDS, type UnitKind } from '../../domain/retrieval/units.ts';
import { compareAll, type Comparison, type IndexDrift } from './comparison.ts';
import type { Indexer } from './indexer.ts';
import type { IndexDependencies } from './dependencies.ts';
import { lookAtUnit, type IndexLook } from './look.ts';
import { workOffMarks } from './work-off.ts';

export interface IndexVerification {
  /** Points without a dense vector although an embedder exists. */
  readonly withoutVector: number;
  readonly indexes: readonly IndexDrift[];
}

export interface IndexRebuild {
  /** Units marked. */
  readonly units: number;
  /** Marks that this process cleared; a worker may have cleared others. */
  readonly written: number;
  readonly deleted: number;
  /** Marks that are left, because an index or the embedder failed, or refused the unit. */
  readonly failed: number;
  readonly orphansRemoved: number;
}

export interface IndexMaintenance {
  /** Changes nothing. Throws an `IndexFailure` when an index is away. */
  verify(accountId: string, signal: AbortSignal): Promise<IndexVerification>;
  /** What each index shows of one unit. An index that does not answer is said to be away. */
  look(accountId: string, unit: UnitKind, unitId: string): Promise<readonly IndexLook[]>;
  /**
   * Removes what the indexes hold of the account and should not, then marks and refreshes every unit of the
   * scope and below (null: of the account). Null when the path names no scope.
   */
  rebuild(
    accountId: string,
    scopePath: string | null,
    signal: AbortSignal,
  ): Promise<IndexRebuild | null>;
}

const PAGE = 1000;

async function markAll(
  { inAccount }: IndexDependencies,
  accountId: string,
  scopeIds: readonly string[] | null,
  signal: AbortSignal,
): Promise<number> {
  let units = 0;
  for (const unit of UNIT_KINDS) {
    let afterId: string | null = null;
    for (;;) {
      signal.throwIfAborted();
      const options = { scopeIds, afterId, limit: PAGE };
      const page: MarkedUnit[] = await inAccount(accountId, async (stores) => {
        const found = await stores.units.page(unit, options);
        await stores.dirtyMarks.add(found);
        return found;
      });
      units += page.length;
      const last: string | undefined = page.at(-1)?.unitId;
      if (last === undefined || page.length < PAGE) break;
      afterId = last;
    }
  }
  return units;
}

async function removeStored(
  { points, records }: IndexDependencies,
  { engine: index, unit }: Comparison,
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += PAGE) {
    const some = ids.slice(start, start + PAGE);
    await (index === 'qdrant' ? points.deletePoints(some) : records.deleteRecords(unit, some));
  }
}

/**
 * Removes what writing a unit again would not mend: orphans, and units that an index shows in a later version than
 * Postgres has. A conditional write of the current version does not replace a later one. Answers the number of orphans.
 */
async function removeWrong(
  dependencies: IndexDependencies,
  accountId: string,
  signal: AbortSignal,
): Promise<number> {
  let orphans = 0;
  for (const found of await compareAll(dependencies, accountId, signal)) {
    const { ahead, engine: index, orphanIds, unit } = found;
    await removeStored(dependencies, found, [...orphanIds, ...ahead.flatMap(({ ids }) => ids)]);
    orphans += orphanIds.length;
    // The units ahead may lie outside the scope that is written again. Any write would have cleared an earlier mark.
    await dependencies.inAccount(accountId, async (stores) => {
      const unitIds = ahead.map(({ unitId }) => unitId);
      await stores.dirtyMarks.add(await stores.units.place(unit, unitIds), [index]);
    });
  }
  return orphans;
}

/** Builds the maintenance; `indexer` does the writing. */
export function createIndexMaintenance(
  dependencies: IndexDependencies,
  indexer: Indexer,
): IndexMaintenance {
  return {
    async verify(accountId, signal) {
      const comparisons = await compareAll(dependencies, accountId, signal);
      return {
        withoutVector:
          dependencies.embed === null ? 0 : await dependencies.points.countWithoutDense(accountId),
        indexes: comparisons.map(({ orphanIds: _ids, ahead: _ahead, ...drift }) => drift),
      };
    },
    look: (accountId, unit, unitId) => lookAtUnit(dependencies, accountId, unit, unitId),
    async rebuild(accountId, scopePath, signal) {
      const scopes =
        scopePath === null
          ? null
          : await dependencies.inAccount(accountId, (stores) => stores.scopes.subtree(scopePath));
      if (scopes?.length === 0) return null;
      const scopeIds = scopes?.map(({ id }) => id) ?? null;
      const orphansRemoved = await removeWrong(dependencies, accountId, signal);
      const units = await markAll(dependencies, accountId, scopeIds, signal);
      const counts = await workOffMarks(dependencies, indexer, accountId, signal);
      return { units, ...counts, orphansRemoved };
    },
  };
}
