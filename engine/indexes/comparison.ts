/**
 * Compares what an index holds with what Postgres says, for one account and kind of unit. Both are walked in pages;
 * one set of ids is held. The index is read first, so a unit written meanwhile is either expected or marked.
 */
import { INDEX_NAMES, type IndexName } from '../../domain/retrieval/index-failure.ts';
import { UNIT_KINDS, type UnitKind } from '../../domain/retrieval/units.ts';
import { validate as isUuid } from 'uuid';
import type { ExpectedUnit } from '../../stores/postgres/indexes/units.store.ts';
import type { IndexDependencies } from './dependencies.ts';

export interface IndexDrift {
  readonly engine: IndexName;
  readonly unit: UnitKind;
  readonly expected: number;
  readonly present: number;
  /** Not in the index, and no mark says so. */
  readonly missing: number;
  /** In the index in another version, and no mark says so. */
  readonly stale: number;
  /** In the index and not, or no longer, in Postgres. */
  readonly orphans: number;
  /** Marked: known to be on the way. */
  readonly pending: number;
}

export interface Comparison extends IndexDrift {
  /** Ids of points or records. */
  readonly orphanIds: readonly string[];
  /** Of the stale ones, those that the index shows in a version that Postgres has not reached. */
  readonly ahead: readonly { readonly unitId: string; readonly ids: readonly string[] }[];
}

interface Stored {
  readonly versions: ReadonlyMap<string, number>;
  /** Ids of points or records by unit. */
  readonly idsBySource: Map<string, string[]>;
}

const PAGE = 1000;

async function readStored(
  { points, records }: IndexDependencies,
  index: IndexName,
  unit: UnitKind,
  accountId: string,
  signal: AbortSignal,
): Promise<Stored> {
  const versions = new Map<string, number>();
  const idsBySource = new Map<string, string[]>();
  const pages = (index === 'qdrant' ? points : records).scroll(accountId, unit);
  for await (const page of pages) {
    signal.throwIfAborted();
    for (const { id, sourceId, rowVersion } of page) {
      versions.set(sourceId, rowVersion);
      idsBySource.set(sourceId, [...(idsBySource.get(sourceId) ?? []), id]);
    }
  }
  return { versions, idsBySource };
}

async function* readExpected(
  { inAccount }: IndexDependencies,
  index: IndexName,
  unit: UnitKind,
  accountId: string,
): AsyncGenerator<ExpectedUnit> {
  let afterId: string | null = null;
  for (;;) {
    const page: { afterId: string | null; limit: number } = { afterId, limit: PAGE };
    const rows: readonly ExpectedUnit[] = await inAccount(accountId, (stores) =>
      stores.units.expected(index, unit, page),
    );
    yield* rows;
    const last = rows.at(-1)?.id;
    if (last === undefined || rows.length < PAGE) return;
    afterId = last;
  }
}

async function compare(
  dependencies: IndexDependencies,
  index: IndexName,
  unit: UnitKind,
  accountId: string,
  signal: AbortSignal,
): Promise<Comparison> {
  const { versions, idsBySource } = await readStored(dependencies, index, unit, accountId, signal);
  const counts = { expected: 0, missing: 0, stale: 0, pending: 0 };
  const ahead: Comparison['ahead'][number][] = [];
  for await (const row of readExpected(dependencies, index, unit, accountId)) {
    const version = versions.get(row.id);
    counts.expected += 1;
    if (row.dirty) counts.pending += 1;
    else if (version === undefined) counts.missing += 1;
    else if (unit === 'statement' && version !== row.version) {
      counts.stale += 1;
      if (version > row.version) ahead.push({ unitId: row.id, ids: idsBySource.get(row.id) ?? [] });
    }
    idsBySource.delete(row.id);
  }
  const leaving = await dependencies.inAccount(accountId, (stores) =>
    stores.dirtyMarks.marked(index, unit, [...idsBySource.keys()].filter(isUuid)),
  );
  for (const id of leaving) idsBySource.delete(id);
  return {
    engine: index,
    unit,
    present: versions.size,
    ...counts,
    pending: counts.pending + leaving.length,
    orphans: idsBySource.size,
    orphanIds: [...idsBySource.values()].flat(),
    ahead,
  };
}

/** Compares both indexes for both kinds of units. Throws an `IndexFailure` when one is away. */
export async function compareAll(
  dependencies: IndexDependencies,
  accountId: string,
  signal: AbortSignal,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const index of INDEX_NAMES) {
    for (const unit of UNIT_KINDS) {
      comparisons.push(await compare(dependencies, index, unit, accountId, signal));
    }
  }
  return comparisons;
}
