/** The writing of a batch, index by index. */
import {
  IndexFailure,
  type IndexFailureReason,
  type IndexName,
} from '../../domain/retrieval/index-failure.ts';
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import { AWAITED } from '../../domain/retrieval/message-search.ts';
import type { DirtyMark } from '../../stores/postgres/indexes/dirty-marks.store.ts';
import type { Point } from '../../stores/qdrant/point.ts';
import { idsOf, type Batch } from './batch.ts';
import {
  denseMessages,
  denseStatements,
  type DenseMessages,
  type DenseStatements,
} from './dense.ts';
import type { IndexDependencies } from './dependencies.ts';
import { embeddingFor, targetsOf } from './point-target.ts';
import type { PointTarget } from './targets.ts';
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
  /** The space of the vectors that finished statements have in the index now; null when they were given none. */
  readonly space: VectorSpace | null;
}

const NONE: ReadonlySet<string> = new Set();
const FINISHED: WriteReport = {
  unfinished: () => false,
  refused: NONE,
  failure: null,
  space: null,
};

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

/** The point says which vector it lacks, so that a process with the embedder of its collection finds it. */
export function awaitingVector({ payload, ...point }: Point): Point {
  return { ...point, payload: { ...payload, vector: AWAITED } };
}

function* pointsOf(
  accountId: string,
  { statements, messages }: Due,
  dense: DenseStatements,
  { passages }: DenseMessages,
): Generator<Point> {
  for (const statement of statements) {
    const { id } = statement.unit;
    const point = statementPoint(accountId, statement, dense.vectors.get(id) ?? null);
    yield dense.missing.has(id) ? awaitingVector(point) : point;
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

/**
 * Writes the points of the batch's Qdrant marks to every collection that is kept. Reports failures of index and embedder;
 * throws any other error. A unit without a vector is unfinished only where this process makes the vectors.
 */
export async function writePoints(
  dependencies: IndexDependencies,
  batch: Batch,
  signal: AbortSignal,
): Promise<WriteReport> {
  if (dueOf(batch, 'qdrant') === null) return FINISHED;
  let report = FINISHED;
  for (const target of await targetsOf(dependencies)) {
    const written = await writeTarget(dependencies, batch, target, signal);
    report = both(report, written);
  }
  return report;
}

/** As `writePoints`, to one collection. */
export async function writeTarget(
  dependencies: IndexDependencies,
  batch: Batch,
  target: PointTarget,
  signal: AbortSignal,
): Promise<WriteReport> {
  const { accountId } = batch;
  const due = dueOf(batch, 'qdrant');
  if (due === null) return FINISHED;
  const { points } = target;
  const embedding = embeddingFor(dependencies, target);
  try {
    const dense = await denseStatements(embedding, accountId, due.statements, signal);
    const passages = await denseMessages(embedding, accountId, due.messages, signal);
    const refused = await points.upsert(accountId, pointsOf(accountId, due, dense, passages));
    for (const unit of ['statement', 'message'] as const) {
      await points.deleteUnits(accountId, unit, due.gone[unit]);
    }
    const awaits = (unitId: string): boolean =>
      dense.missing.has(unitId) || passages.missing.has(unitId);
    const unfinished = target.vectors === 'own' ? awaits : FINISHED.unfinished;
    const space = target.vectors === 'own' ? dependencies.space : null;
    return { unfinished, refused, failure: null, space };
  } catch (error) {
    return failed(dependencies, error);
  }
}

/** What two collections say of the same units. */
function both(one: WriteReport, other: WriteReport): WriteReport {
  return {
    unfinished: (unitId) => one.unfinished(unitId) || other.unfinished(unitId),
    refused: new Set([...one.refused, ...other.refused]),
    failure: one.failure ?? other.failure,
    space: one.space ?? other.space,
  };
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
  return { unfinished: () => true, refused: NONE, failure: error.reason, space: null };
}

/** Takes back what was written for units that have gone since they were read. */
export async function forgetUnits(
  dependencies: IndexDependencies,
  accountId: string,
  marks: readonly DirtyMark[],
): Promise<void> {
  if (marks.length === 0) return;
  const targets = await targetsOf(dependencies);
  for (const unit of ['statement', 'message'] as const) {
    const ids = idsOf(marks, unit);
    try {
      for (const { points } of targets) await points.deleteUnits(accountId, unit, ids);
      await dependencies.records.deleteUnits(accountId, unit, ids);
    } catch (error) {
      failed(dependencies, error);
    }
  }
}
