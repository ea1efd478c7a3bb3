/** The writing of a batch, index by index. */
import {
  IndexFailure,
  type IndexFailureReason,
  type IndexName,
} from '../../domain/retrieval/index-failure.ts';
import type { DirtyMark } from '../../stores/postgres/dirty-marks.store.ts';
import type { Point } from '../../stores/qdrant/point.ts';
import { idsOf, type Batch } from './batch.ts';
import {
  denseMessages,
  denseStatements,
  type DenseMessages,
  type DenseStatements,
} from './dense.ts';
import type { IndexDependencies } from './dependencies.ts';
import {
  messageRecord,
  passagePoint,
  statementRecord,
  statementPoint,
  type AnalysedMessage,
  type AnalysedStatement,
} from './units.ts';

export interface WriteReport {
  /** Whether a unit's marks of this index must stay although the unit is not at fault. */
  readonly unfinished: (unitId: string) => boolean;
  /** Units that the index refused because of their content. */
  readonly refused: ReadonlySet<string>;
  /** Null when the index answered for everything in the batch. */
  readonly failure: IndexFailureReason | null;
}

const NONE: ReadonlySet<string> = new Set();
const FINISHED: WriteReport = { unfinished: () => false, refused: NONE, failure: null };

interface Due {
  readonly statements: readonly AnalysedStatement[];
  readonly messages: readonly AnalysedMessage[];
  /** What has gone, by kind of unit. */
  readonly gone: Batch['gone'];
}

/** The units of the index's marks in the batch; null when it has none. */
function dueOf(batch: Batch, index: IndexName): Due | null {
  const ids = new Set(
    batch.marks.filter((mark) => mark.engine === index).map((mark) => mark.unit_id),
  );
  if (ids.size === 0) return null;
  return {
    statements: batch.statements.filter(({ unit }) => ids.has(unit.id)),
    messages: batch.messages.filter(({ unit }) => ids.has(unit.id)),
    gone: {
      statement: batch.gone.statement.filter((id) => ids.has(id)),
      message: batch.gone.message.filter((id) => ids.has(id)),
    },
  };
}

/** Makes each result when it is asked for. */
function* mapped<T, R>(items: readonly T[], make: (item: T) => R): Generator<R> {
  for (const item of items) yield make(item);
}

function* pointsOf(
  accountId: string,
  { statements, messages }: Due,
  dense: DenseStatements,
  { passages }: DenseMessages,
): Generator<Point> {
  for (const statement of statements) {
    yield statementPoint(accountId, statement, dense.vectors.get(statement.unit.id) ?? null);
  }
  for (const [index, { unit, analysis }] of messages.entries()) {
    for (const [place, passage] of analysis.passages.entries()) {
      yield passagePoint(
        accountId,
        unit,
        analysis,
        passage,
        place,
        passages[index]?.[place] ?? null,
      );
    }
  }
}

/** Writes the points of the batch's Qdrant marks. Reports failures of index and embedder; throws any other error. */
export async function writePoints(
  dependencies: IndexDependencies,
  batch: Batch,
  signal: AbortSignal,
): Promise<WriteReport> {
  const { points } = dependencies;
  const { accountId } = batch;
  const due = dueOf(batch, 'qdrant');
  if (due === null) return FINISHED;
  try {
    const dense = await denseStatements(dependencies, accountId, due.statements, signal);
    const passages = await denseMessages(dependencies, accountId, due.messages, signal);
    const refused = await points.upsert(pointsOf(accountId, due, dense, passages));
    for (const unit of ['statement', 'message'] as const) {
      await points.deleteUnits(accountId, unit, due.gone[unit]);
    }
    const unfinished = (unitId: string): boolean =>
      dense.missing.has(unitId) || passages.missing.has(unitId);
    return { unfinished, refused, failure: null };
  } catch (error) {
    return failed(dependencies, error);
  }
}

/** Writes the records of the batch's Meilisearch marks; resolves when its tasks have succeeded. */
export async function writeRecords(
  dependencies: IndexDependencies,
  batch: Batch,
): Promise<WriteReport> {
  const { records } = dependencies;
  const { accountId } = batch;
  const due = dueOf(batch, 'meilisearch');
  if (due === null) return FINISHED;
  try {
    const refused = await Promise.all([
      records.putStatements(
        mapped(due.statements, (statement) => statementRecord(accountId, statement)),
      ),
      records.putMessages(mapped(due.messages, (message) => messageRecord(accountId, message))),
    ]);
    for (const unit of ['statement', 'message'] as const) {
      await records.deleteUnits(accountId, unit, due.gone[unit]);
    }
    return { ...FINISHED, refused: new Set(refused.flatMap((ids) => [...ids])) };
  } catch (error) {
    return failed(dependencies, error);
  }
}

function failed({ report }: IndexDependencies, error: unknown): WriteReport {
  if (!(error instanceof IndexFailure)) throw error;
  report('projection.engine_failed', {
    engine: error.index,
    reason: error.reason,
    code: error.code ?? '',
  });
  return { unfinished: () => true, refused: NONE, failure: error.reason };
}

/** Takes back what was written for units that have gone since they were read. */
export async function forgetUnits(
  dependencies: IndexDependencies,
  accountId: string,
  marks: readonly DirtyMark[],
): Promise<void> {
  const { points, records } = dependencies;
  for (const unit of ['statement', 'message'] as const) {
    const ids = idsOf(marks, unit);
    try {
      await points.deleteUnits(accountId, unit, ids);
      await records.deleteUnits(accountId, unit, ids);
    } catch (error) {
      failed(dependencies, error);
    }
  }
}
