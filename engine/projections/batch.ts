/** One batch of dirty marks: what is to be written, what is to go, and the writing of it, engine by engine. */
import { countsForRanking } from '../../domain/ranking/counted.ts';
import { EngineFailure, type EngineFailureReason } from '../../domain/retrieval/engine-failure.ts';
import type { DirtyMark, EngineName } from '../../stores/postgres/dirty-marks.store.ts';
import { maskSecrets } from '../secrets/mask.ts';
import { denseMessages, denseStatements } from './dense.ts';
import type { ProjectionDependencies, ProjectionStores } from './ports.ts';
import {
  analyseMessage,
  countedMessage,
  countedStatement,
  isIndexed,
  messageDocument,
  messagePoints,
  statementDocument,
  statementPoint,
  type AnalysedMessage,
  type IndexedStatement,
} from './units.ts';

type UnitKind = DirtyMark['unit'];

export interface Batch {
  readonly accountId: string;
  readonly marks: readonly DirtyMark[];
  readonly statements: readonly IndexedStatement[];
  readonly messages: readonly AnalysedMessage[];
  /** Units that no longer exist or were withdrawn. */
  readonly gone: Readonly<Record<UnitKind, readonly string[]>>;
}

function idsOf(marks: readonly DirtyMark[], unit: UnitKind): string[] {
  return [...new Set(marks.filter((mark) => mark.unit === unit).map((mark) => mark.unit_id))];
}

/** Reads the units of the marks. */
export async function loadBatch(
  stores: ProjectionStores,
  accountId: string,
  marks: readonly DirtyMark[],
): Promise<Batch> {
  const wanted = { statement: idsOf(marks, 'statement'), message: idsOf(marks, 'message') };
  const statements = (await stores.loadStatementUnits(wanted.statement)).filter(isIndexed);
  const units = await stores.loadMessageUnits(wanted.message);
  const masked = await maskSecrets(units.map(({ content }) => content));
  const messages = units.map((unit, index) =>
    analyseMessage(accountId, unit, masked[index] ?? unit.content),
  );
  const there = new Set([
    ...statements.map(({ id }) => id),
    ...messages.map(({ unit }) => unit.id),
  ]);
  return {
    accountId,
    marks,
    statements,
    messages,
    gone: {
      statement: wanted.statement.filter((id) => !there.has(id)),
      message: wanted.message.filter((id) => !there.has(id)),
    },
  };
}

/** Brings the frequencies to what the units are now. */
export async function countBatch(stores: ProjectionStores, batch: Batch): Promise<void> {
  const counted = batch.statements.filter(countsForRanking);
  const hidden = batch.statements.filter((unit) => !countsForRanking(unit)).map(({ id }) => id);
  await stores.uncountUnits([
    ...[...batch.gone.statement, ...hidden].map((unitId) => ({
      unit: 'statement' as const,
      unitId,
    })),
    ...batch.gone.message.map((unitId) => ({ unit: 'message' as const, unitId })),
  ]);
  await stores.countUnits([
    ...counted.map((unit) => countedStatement(batch.accountId, unit)),
    ...batch.messages.map(countedMessage),
  ]);
}

export interface WriteReport {
  /** Units whose marks of this engine must stay. */
  readonly unfinished: (mark: DirtyMark) => boolean;
  /** Null when the engine took everything in the batch. */
  readonly failure: EngineFailureReason | null;
}

const FINISHED: WriteReport = { unfinished: () => false, failure: null };

function marksFor(batch: Batch, engine: EngineName): ReadonlySet<string> {
  return new Set(batch.marks.filter((mark) => mark.engine === engine).map((mark) => mark.unit_id));
}

/** Points of the batch's Qdrant marks. Throws only what is not the engine's or the embedder's failure. */
export async function writePoints(
  dependencies: ProjectionDependencies,
  batch: Batch,
  signal: AbortSignal,
): Promise<WriteReport> {
  const { points } = dependencies;
  const { accountId } = batch;
  const due = marksFor(batch, 'qdrant');
  if (due.size === 0) return FINISHED;
  const statements = batch.statements.filter(({ id }) => due.has(id));
  const messages = batch.messages.filter(({ unit }) => due.has(unit.id));
  try {
    const dense = await denseStatements(dependencies, accountId, statements, signal);
    const passages = await denseMessages(dependencies, accountId, messages, signal);
    await points.upsert([
      ...statements.map((unit) =>
        statementPoint(accountId, unit, dense.vectors.get(unit.id) ?? null),
      ),
      ...messages.flatMap((message, index) =>
        messagePoints(accountId, message, passages.vectors[index] ?? []),
      ),
    ]);
    for (const unit of ['statement', 'message'] as const) {
      const gone = batch.gone[unit].filter((id) => due.has(id));
      await points.deleteUnits(accountId, unit, gone);
    }
    const withoutVector = new Set([
      ...dense.missing,
      ...(passages.missing ? messages.map(({ unit }) => unit.id) : []),
    ]);
    return { unfinished: (mark) => withoutVector.has(mark.unit_id), failure: null };
  } catch (error) {
    return failed(dependencies, error);
  }
}

/** Documents of the batch's Meilisearch marks; resolves when the engine's tasks have succeeded. */
export async function writeDocuments(
  dependencies: ProjectionDependencies,
  batch: Batch,
): Promise<WriteReport> {
  const { documents } = dependencies;
  const { accountId } = batch;
  const due = marksFor(batch, 'meilisearch');
  if (due.size === 0) return FINISHED;
  try {
    await Promise.all([
      documents.putStatements(
        batch.statements
          .filter(({ id }) => due.has(id))
          .map((unit) => statementDocument(accountId, unit)),
      ),
      documents.putMessages(
        batch.messages
          .filter(({ unit }) => due.has(unit.id))
          .map((message) => messageDocument(accountId, message)),
      ),
    ]);
    for (const unit of ['statement', 'message'] as const) {
      const gone = batch.gone[unit].filter((id) => due.has(id));
      await documents.deleteUnits(accountId, unit, gone);
    }
    return FINISHED;
  } catch (error) {
    return failed(dependencies, error);
  }
}

function failed({ report }: ProjectionDependencies, error: unknown): WriteReport {
  if (!(error instanceof EngineFailure)) throw error;
  report('projection.engine_failed', {
    engine: error.engine,
    reason: error.reason,
    code: error.code ?? '',
  });
  return { unfinished: () => true, failure: error.reason };
}

/** Takes back what was written for units that have gone since they were read. */
export async function forgetUnits(
  dependencies: ProjectionDependencies,
  accountId: string,
  marks: readonly DirtyMark[],
): Promise<void> {
  const { points, documents } = dependencies;
  for (const unit of ['statement', 'message'] as const) {
    const ids = idsOf(marks, unit);
    try {
      await points.deleteUnits(accountId, unit, ids);
      await documents.deleteUnits(accountId, unit, ids);
    } catch (error) {
      failed(dependencies, error);
    }
  }
}
