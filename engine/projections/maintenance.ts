/** Looking after the engines from the command line: counting what differs, and writing everything again. */
import type { MarkedUnit } from '../../stores/postgres/dirty-marks.store.ts';
import { compareAll, UNITS, type IndexDrift } from './comparison.ts';
import type { Indexer } from './indexer.ts';
import type { ProjectionDependencies } from './ports.ts';

export interface IndexVerification {
  /** Points without a dense vector although an embedder exists. */
  readonly withoutVector: number;
  readonly indexes: readonly IndexDrift[];
}

export interface IndexRebuild {
  /** Units marked. */
  readonly units: number;
  readonly written: number;
  readonly deleted: number;
  readonly failed: number;
  readonly orphansRemoved: number;
}

export interface IndexMaintenance {
  /** Changes nothing. Throws an `EngineFailure` when an engine is away. */
  verify(accountId: string, signal: AbortSignal): Promise<IndexVerification>;
  /**
   * Marks and refreshes every unit of the scope and below (null: of the account), then removes what the
   * engines hold beyond that. Null when the path names no scope.
   */
  rebuild(
    accountId: string,
    scopePath: string | null,
    signal: AbortSignal,
  ): Promise<IndexRebuild | null>;
}

const PAGE = 1000;
const REFRESH_LIMIT = 200;

async function markAll(
  { inAccount }: ProjectionDependencies,
  accountId: string,
  scopeIds: readonly string[] | null,
  signal: AbortSignal,
): Promise<number> {
  let units = 0;
  for (const unit of UNITS) {
    let afterId: string | null = null;
    for (;;) {
      signal.throwIfAborted();
      const options = { scopeIds, afterId, limit: PAGE };
      const page: MarkedUnit[] = await inAccount(accountId, async (stores) => {
        const found = await stores.pageOfUnits(unit, options);
        await stores.markDirty(found);
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

async function refreshAll(
  { inAccount }: ProjectionDependencies,
  indexer: Indexer,
  accountId: string,
  signal: AbortSignal,
): Promise<Pick<IndexRebuild, 'written' | 'deleted' | 'failed'>> {
  const total = { written: 0, deleted: 0, failed: 0 };
  const shards = await inAccount(accountId, (stores) => stores.markedShards());
  for (const { shard } of shards) {
    for (let more = true; more;) {
      const report = await indexer.refresh({ accountId, shard, limit: REFRESH_LIMIT, signal });
      total.written += report.written;
      total.deleted += report.deleted;
      total.failed += report.failed;
      more = report.more;
    }
  }
  return total;
}

async function removeOrphans(
  dependencies: ProjectionDependencies,
  accountId: string,
  signal: AbortSignal,
): Promise<number> {
  const { points, documents } = dependencies;
  let removed = 0;
  for (const found of await compareAll(dependencies, accountId, signal)) {
    const { engine, unit, orphanIds } = found;
    for (let start = 0; start < orphanIds.length; start += PAGE) {
      const ids = orphanIds.slice(start, start + PAGE);
      await (engine === 'qdrant' ? points.deletePoints(ids) : documents.deleteDocuments(unit, ids));
      removed += ids.length;
    }
  }
  return removed;
}

/** Builds the maintenance; `indexer` does the writing. */
export function createIndexMaintenance(
  dependencies: ProjectionDependencies,
  indexer: Indexer,
): IndexMaintenance {
  return {
    async verify(accountId, signal) {
      const comparisons = await compareAll(dependencies, accountId, signal);
      return {
        withoutVector:
          dependencies.embed === null ? 0 : await dependencies.points.countWithoutDense(accountId),
        indexes: comparisons.map(({ orphanIds: _ids, ...drift }) => drift),
      };
    },
    async rebuild(accountId, scopePath, signal) {
      const scopeIds =
        scopePath === null
          ? null
          : await dependencies.inAccount(accountId, (stores) => stores.scopesWithin(scopePath));
      if (scopeIds?.length === 0) return null;
      const units = await markAll(dependencies, accountId, scopeIds, signal);
      const counts = await refreshAll(dependencies, indexer, accountId, signal);
      const orphansRemoved = await removeOrphans(dependencies, accountId, signal);
      return { units, ...counts, orphansRemoved };
    },
  };
}
