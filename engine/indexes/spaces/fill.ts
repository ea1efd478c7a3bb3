/**
 * Writes units to a collection that is being filled, while every process writes there what changes meanwhile.
 *
 * A unit is marked before it is written, and the mark is cleared afterwards. So a process that dies in between leaves marks,
 * from which a worker writes the unit again, or deletes what was written of one that was erased meanwhile. A unit that the
 * collection shows in its current version, with its vector, is left alone: a second run goes on where the first one ended.
 */
import type { ErrorClass } from '../../../domain/error-class.ts';
import { isErrorClass } from '../../../domain/error-class.ts';
import type { IndexFailureReason } from '../../../domain/retrieval/index-failure.ts';
import { UNIT_KINDS, type UnitKind } from '../../../domain/retrieval/units.ts';
import type { MarkedUnit } from '../../../stores/postgres/indexes/dirty-marks.store.ts';
import type { SizedUnit, WalkedMark } from '../../../stores/postgres/indexes/space-walk.store.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';
import type { SpacePoints } from '../../../stores/qdrant/space-points.ts';
import { analyseUnits, readUnits } from '../batch.ts';
import type { IndexDependencies } from '../dependencies.ts';
import { markAgain, sorted } from '../outcome.ts';
import type { PointTarget } from '../targets.ts';
import { forgetUnits, writeTarget, type WriteReport } from '../writes.ts';

export interface FillDependencies extends IndexDependencies {
  /** The collection that is filled; its vectors are those of the process's embedder. */
  readonly target: PointTarget;
  readonly shown: SpacePoints;
}

export interface FillCounts {
  /** Units that were written now. */
  readonly written: number;
  /** Units that the collection showed already. */
  readonly kept: number;
  /** Units that could not be analysed, or that Qdrant refused for their content. */
  readonly refused: number;
}

export const NOTHING_FILLED: FillCounts = { written: 0, kept: 0, refused: 0 };

/** Why filling cannot go on just now: the embedder failed, or Qdrant. */
export class FillStopped extends Error {
  override readonly name = 'FillStopped';
  readonly errorClass: ErrorClass | `index_${IndexFailureReason}`;

  constructor(errorClass: FillStopped['errorClass']) {
    super(errorClass);
    this.errorClass = errorClass;
  }
}

/** Most text that is held at once, as in a refresh. */
const MOST_PART_BYTES = 2_097_152;
const MOST_PART_UNITS = 64;

export function added(one: FillCounts, other: FillCounts): FillCounts {
  return {
    written: one.written + other.written,
    kept: one.kept + other.kept,
    refused: one.refused + other.refused,
  };
}

/** Consecutive units, of at most 64 and 2 MiB of text each; a longer text is alone. */
function partsOf(units: readonly SizedUnit[]): SizedUnit[][] {
  const parts: SizedUnit[][] = [];
  let [part, bytes]: [SizedUnit[], number] = [[], 0];
  for (const unit of units) {
    const isFull = part.length >= MOST_PART_UNITS || bytes + unit.bytes > MOST_PART_BYTES;
    if (part.length > 0 && isFull) {
      parts.push(part);
      [part, bytes] = [[], 0];
    }
    part.push(unit);
    bytes += unit.bytes;
  }
  return part.length === 0 ? parts : [...parts, part];
}

/** Those of the units that the collection lacks, or may show in another form: a mark says that one is on its way. */
async function lacking(
  { inAccount, shown }: FillDependencies,
  accountId: string,
  unit: UnitKind,
  units: readonly MarkedUnit[],
): Promise<readonly SizedUnit[]> {
  const ids = units.map(({ unitId }) => unitId);
  const { sizes, marked } = await inAccount(accountId, async (stores) => ({
    sizes: await stores.spaceWalk.sizes(unit, ids),
    marked: new Set(await stores.dirtyMarks.marked('qdrant', unit, ids)),
  }));
  const there = await shown.shown(accountId, unit, ids);
  return sizes.filter(({ id, version }) => {
    const point = there.get(id);
    if (point === undefined || point.awaitsVector || marked.has(id)) return true;
    return unit === 'statement' && point.rowVersion !== version;
  });
}

/** Clears the marks of written units. Those of units that others wrote meanwhile are made again; answers what has gone. */
async function settle(stores: Stores, marks: readonly WalkedMark[], space: WriteReport['space']) {
  const made = marks.filter((mark) => mark.is_new);
  const vanished = [...(await stores.dirtyMarks.clear(made, space))];
  const found = marks.filter((mark) => !mark.is_new);
  for (const unit of ['statement', 'message'] as const) {
    const own = found.filter((mark) => mark.unit === unit);
    const ids = own.map((mark) => mark.unit_id);
    const left = new Set(await stores.dirtyMarks.marked('qdrant', unit, ids));
    vanished.push(...own.filter((mark) => !left.has(mark.unit_id)));
  }
  return markAgain(stores, vanished);
}

/**
 * Takes back what was written of units that were withdrawn meanwhile. Whoever withdrew them may have told the collection
 * before they were written; what is withdrawn from now on is deleted afterwards.
 */
async function forgetWithdrawn(
  { inAccount, target }: FillDependencies,
  accountId: string,
  units: readonly MarkedUnit[],
): Promise<void> {
  for (const unit of UNIT_KINDS) {
    const ids = units.filter((each) => each.unit === unit).map(({ unitId }) => unitId);
    const sizes = await inAccount(accountId, ({ spaceWalk }) => spaceWalk.sizes(unit, ids));
    const there = new Set(sizes.map(({ id }) => id));
    const gone = ids.filter((id) => !there.has(id));
    await target.points.deleteUnits(accountId, unit, gone);
  }
}

/** The class of the embedder's failure, as it reports it to the writer of points. */
function listening(dependencies: FillDependencies) {
  let failedAs: FillStopped['errorClass'] = 'internal_error';
  const report: IndexDependencies['report'] = (event, fields) => {
    const word = String(fields['error_class'] ?? '');
    if (event === 'projection.embedding_failed' && isErrorClass(word)) failedAs = word;
    dependencies.report(event, fields);
  };
  return { dependencies: { ...dependencies, report }, failedAs: () => failedAs };
}

/** @throws FillStopped when the embedder or Qdrant failed; the units await their vectors then, or are as they were. */
async function writePart(
  given: FillDependencies,
  accountId: string,
  units: readonly MarkedUnit[],
  signal: AbortSignal,
): Promise<FillCounts> {
  const { dependencies, failedAs } = listening(given);
  const { inAccount } = dependencies;
  const marks = await inAccount(accountId, (stores) => stores.spaceWalk.hold(units));
  const read = await inAccount(accountId, (stores) => readUnits(stores, accountId, marks));
  const batch = await analyseUnits(dependencies, read, signal);
  const report = await writeTarget(dependencies, batch, dependencies.target, signal);
  const { unfinished, atFault } = sorted(batch, marks, () => report);
  // What Qdrant took of it is not known. The marks stay, and a worker sees to their units.
  if (report.failure !== null) throw new FillStopped(`index_${report.failure}`);
  const gone = await inAccount(accountId, (stores) => settle(stores, marks, report.space));
  await forgetUnits(dependencies, accountId, gone);
  await forgetWithdrawn(dependencies, accountId, units);
  if (unfinished.length > 0) {
    signal.throwIfAborted();
    throw new FillStopped(failedAs());
  }
  return { written: marks.length - atFault.length, kept: 0, refused: atFault.length };
}

/**
 * Writes those of the units of one kind and account that the collection lacks, part by part.
 * @throws FillStopped; IndexFailure when Qdrant is away; the signal's reason.
 */
export async function fillUnits(
  dependencies: FillDependencies,
  accountId: string,
  units: readonly MarkedUnit[],
  signal: AbortSignal,
): Promise<FillCounts> {
  const unit = units[0]?.unit;
  if (unit === undefined) return NOTHING_FILLED;
  const lack = await lacking(dependencies, accountId, unit, units);
  const byId = new Map(units.map((each) => [each.unitId, each]));
  let counts: FillCounts = { ...NOTHING_FILLED, kept: units.length - lack.length };
  for (const part of partsOf(lack)) {
    signal.throwIfAborted();
    const wanted = part.flatMap(({ id }) => byId.get(id) ?? []);
    counts = added(counts, await writePart(dependencies, accountId, wanted, signal));
  }
  return counts;
}
