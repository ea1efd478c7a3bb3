/**
 * Keeps both engines at what Postgres says.
 *
 * `refresh` works through the dirty marks of a mailbox. `indexStatements` is the short way for statements
 * that somebody is about to be told of: it writes their points and waits for Qdrant, but not for long. When
 * Qdrant does not answer, the statements are marked overdue (searches then read them from Postgres), and
 * nobody waits again until a probe has succeeded. Meilisearch is waited for in `refresh` alone.
 *
 * Marks are cleared by generation, so a change during a write keeps its mark. A mark that has vanished
 * meanwhile was cleared by another writer, which may have written before us what is newer: the unit is then
 * marked again, and written once more from what is true.
 */
import type { EngineFailureReason } from '../../domain/retrieval/engine-failure.ts';
import type { DirtyMark } from '../../stores/postgres/dirty-marks.store.ts';
import {
  countBatch,
  forgetUnits,
  loadBatch,
  writeDocuments,
  writePoints,
  type Batch,
} from './batch.ts';
import { createEngineGate } from './engine-gate.ts';
import type { ProjectionDependencies, ProjectionStores } from './ports.ts';

export interface RefreshInput {
  readonly accountId: string;
  readonly shard: number;
  /** Most marks to work through. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface RefreshReport {
  /** Marks cleared because the engine shows the unit now. */
  readonly written: number;
  /** Marks cleared because the engine has forgotten the unit. */
  readonly deleted: number;
  /** Marks that stay, for later. */
  readonly failed: number;
  /** Marks are left that are due now. */
  readonly more: boolean;
  /** Milliseconds until the next mark is due; null when none is left. */
  readonly nextDueInMs: number | null;
}

export interface IndexStatementsInput {
  readonly accountId: string;
  readonly knowledgeIds: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Indexer {
  /** Throws when Postgres is away or the signal fires; an engine's failure only postpones its marks. */
  refresh(input: RefreshInput): Promise<RefreshReport>;
  /** `acknowledged`: a search finds them now. `overdue`: they are marked so. Throws like `refresh`. */
  indexStatements(input: IndexStatementsInput): Promise<'acknowledged' | 'overdue'>;
}

/** The embedder may use this share of the time that a caller waits. */
const EMBEDDING_SHARE = 0.5;

/** Builds the indexer of a process. */
export function createIndexer(dependencies: ProjectionDependencies): Indexer {
  const { inAccount, points, now } = dependencies;
  const gate = createEngineGate({ probe: () => points.probe(), now });

  const acknowledge = async ({
    accountId,
    knowledgeIds,
    timeoutMs,
    signal,
  }: IndexStatementsInput): Promise<EngineFailureReason | null> => {
    const batch = await inAccount(accountId, async (stores) =>
      loadBatch(stores, accountId, await stores.statementMarks(knowledgeIds)),
    );
    const embedding = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs * EMBEDDING_SHARE)]);
    const report = await writePoints(dependencies, batch, embedding);
    if (report.failure !== null) return report.failure;
    const [unfinished, finished] = divided(batch.marks, report.unfinished);
    const gone = await inAccount(accountId, async (stores) => {
      await stores.markCaughtUp(statementIds(unfinished));
      return markAgain(stores, await stores.clearMarks(finished));
    });
    await forgetUnits(dependencies, accountId, gone);
    gate.open();
    return null;
  };

  const giveUp = async ({ accountId, knowledgeIds }: IndexStatementsInput): Promise<'overdue'> => {
    await inAccount(accountId, (stores) => stores.markOverdue(knowledgeIds));
    return 'overdue';
  };

  return {
    async refresh({ accountId, shard, limit, signal }) {
      signal.throwIfAborted();
      const batch = await inAccount(accountId, async (stores) =>
        loadBatch(stores, accountId, await stores.dueMarks(shard, limit)),
      );
      signal.throwIfAborted();
      const [inPoints, inDocuments] = await Promise.all([
        writePoints(dependencies, batch, signal),
        writeDocuments(dependencies, batch),
      ]);
      const tookPoints = inPoints.failure === null;
      if (tookPoints && batch.marks.some((mark) => mark.engine === 'qdrant')) gate.open();
      const [unfinished, finished] = divided(batch.marks, (mark) =>
        (mark.engine === 'qdrant' ? inPoints : inDocuments).unfinished(mark),
      );
      const { gone, nextDueInMs } = await inAccount(accountId, async (stores) => {
        const unplaced = await markAgain(stores, await stores.clearMarks(finished));
        await stores.postponeMarks(unfinished);
        if (tookPoints) await stores.markCaughtUp(statementIds(unfinished));
        await countBatch(stores, batch);
        return { gone: unplaced, nextDueInMs: await stores.nextMarkDueInMs(shard) };
      });
      await forgetUnits(dependencies, accountId, gone);
      return reportOf(batch, finished, unfinished, nextDueInMs);
    },

    async indexStatements(input) {
      if (input.knowledgeIds.length === 0) return 'acknowledged';
      if (!gate.isOpen()) return giveUp(input);
      const failure = await withinTime(acknowledge(input), input.timeoutMs);
      if (failure === null) return 'acknowledged';
      input.signal.throwIfAborted();
      if (failure !== 'refused') gate.close();
      // A late acknowledgement still clears the marks by itself, overdue or not.
      return giveUp(input);
    },
  };
}

function divided(
  marks: readonly DirtyMark[],
  belongsFirst: (mark: DirtyMark) => boolean,
): readonly [DirtyMark[], DirtyMark[]] {
  return [marks.filter(belongsFirst), marks.filter((mark) => !belongsFirst(mark))];
}

function statementIds(marks: readonly DirtyMark[]): string[] {
  return marks
    .filter((mark) => mark.engine === 'qdrant' && mark.unit === 'statement')
    .map((mark) => mark.unit_id);
}

/** Marks the units again; answers the marks of units that no longer exist. */
async function markAgain(
  stores: ProjectionStores,
  vanished: readonly DirtyMark[],
): Promise<DirtyMark[]> {
  const unplaced: DirtyMark[] = [];
  for (const unit of ['statement', 'message'] as const) {
    const marks = vanished.filter((mark) => mark.unit === unit);
    if (marks.length === 0) continue;
    const units = await stores.placeUnits(unit, [...new Set(marks.map((mark) => mark.unit_id))]);
    const there = new Set(units.map(({ unitId }) => unitId));
    unplaced.push(...marks.filter((mark) => !there.has(mark.unit_id)));
    for (const engine of ['qdrant', 'meilisearch'] as const) {
      const ids = new Set(marks.filter((m) => m.engine === engine).map((m) => m.unit_id));
      await stores.markDirty(
        units.filter(({ unitId }) => ids.has(unitId)),
        [engine],
      );
    }
  }
  return unplaced;
}

function reportOf(
  batch: Batch,
  finished: readonly DirtyMark[],
  unfinished: readonly DirtyMark[],
  nextDueInMs: number | null,
): RefreshReport {
  const gone = new Set([...batch.gone.statement, ...batch.gone.message]);
  const deleted = finished.filter((mark) => gone.has(mark.unit_id)).length;
  return {
    written: finished.length - deleted,
    deleted,
    failed: unfinished.length,
    more: nextDueInMs !== null && nextDueInMs <= 0,
    nextDueInMs: nextDueInMs === null ? null : Math.max(0, nextDueInMs),
  };
}

/** What became of the work; `timeout` when it is not done by then. It goes on and may not be waited for. */
async function withinTime(
  work: Promise<EngineFailureReason | null>,
  timeoutMs: number,
): Promise<EngineFailureReason | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
