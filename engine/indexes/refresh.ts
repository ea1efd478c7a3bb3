/**
 * Works through the dirty marks of a mailbox: takes some that are due, reads their units, analyses them, writes them to
 * both indexes, and clears what is done. Only reading and clearing happen in transactions.
 */
import { createSemaphore } from '../semaphore.ts';
import type { DirtyMark } from '../../stores/postgres/dirty-marks.store.ts';
import type { HeldMark } from '../../stores/postgres/mark-holds.store.ts';
import { analyseUnits, idsInPoints, partsOf, readUnits, type Batch } from './batch.ts';
import { markAgain, markAround, markDrawn, sorted, spreadingOf, type Sorted } from './outcome.ts';
import type { IndexDependencies } from './dependencies.ts';
import { mentionsOfPart, readBatchNames } from './mentions.ts';
import { readBatchWords, wordListsOfPart } from './word-lists.ts';
import { forgetUnits, writeRecords, writePoints, type WriteReport } from './writes.ts';

export interface RefreshInput {
  readonly accountId: string;
  readonly shard: number;
  /** Most marks to work through. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface RefreshReport {
  /** Marks cleared because the index shows the unit now. */
  readonly written: number;
  /** Marks cleared because the index has forgotten the unit. */
  readonly deleted: number;
  /** Marks that stay, for later. */
  readonly failed: number;
  /** The batch had as many marks as it may have, or much text: further marks would not have shared this refresh. */
  readonly full: boolean;
  /** Marks are left that are due now. */
  readonly more: boolean;
  /** Milliseconds until the next mark is due; null when none is left. */
  readonly nextDueInMs: number | null;
}

/**
 * Most text of one batch, each unit counted once for each index: a single message of a mebibyte, or `limit` short
 * units. The process holds all that is made of the text at once, about twenty times as much.
 */
const MOST_BATCH_BYTES = 2_097_152;
/** Batches with more text than this take turns, so that a process never holds many of them. */
const LARGE_BATCH_BYTES = 262_144;
const MOST_LARGE_BATCHES = 2;

type Refreshed = Omit<RefreshReport, 'full'>;

/** `onAnswer` is told when Qdrant took points. */
export function createRefresh(
  dependencies: IndexDependencies,
  onAnswer: () => void,
): (input: RefreshInput) => Promise<RefreshReport> {
  const { inAccount } = dependencies;
  const large = createSemaphore(MOST_LARGE_BATCHES);
  return async (input) => {
    const { accountId, shard, limit, signal } = input;
    signal.throwIfAborted();
    // Taking a mark counts the attempt before the work: a batch that ends this process does not come back in the same form.
    const marks = await inAccount(accountId, (stores) =>
      stores.markHolds.take(shard, { limit, bytes: MOST_BATCH_BYTES }),
    );
    try {
      const isLarge = marks.reduce((sum, { bytes }) => sum + bytes, 0) > LARGE_BATCH_BYTES;
      const work = (): Promise<Refreshed> => workOff(dependencies, input, marks, onAnswer);
      const done = await (isLarge ? large.run(signal, work, accountId) : work());
      return { ...done, full: isLarge || marks.length >= limit };
    } catch (error) {
      if (signal.aborted) await giveBack(dependencies, accountId, marks);
      throw error;
    }
  };
}

async function workOff(
  dependencies: IndexDependencies,
  { accountId, shard, signal }: RefreshInput,
  marks: readonly HeldMark[],
  onAnswer: () => void,
): Promise<Refreshed> {
  const { inAccount } = dependencies;
  const units = await inAccount(accountId, (stores) => readUnits(stores, accountId, marks));
  const batch = await analyseUnits(dependencies, units, signal);
  signal.throwIfAborted();
  const [inPoints, inRecords] = await Promise.all([
    writePoints(dependencies, batch, signal),
    writeRecords(dependencies, batch),
  ]);
  const tookPoints = inPoints.failure === null;
  if (tookPoints && marks.some((mark) => mark.engine === 'qdrant')) onAnswer();
  const reportOn = (mark: DirtyMark): WriteReport =>
    mark.engine === 'qdrant' ? inPoints : inRecords;
  const spreading = spreadingOf(marks);
  const all = sorted(batch, marks, reportOn);
  const postponed = new Set<DirtyMark>(all.unfinished);
  const heard = marks.filter((mark) => !postponed.has(mark));
  await markDrawn(dependencies, accountId, heard, signal);
  const done = await finish(dependencies, batch, { all, spreading, tookPoints });
  const nextDueInMs = await inAccount(accountId, (stores) => stores.dirtyMarks.nextDueInMs(shard));
  return reportOf(batch, done, nextDueInMs);
}

interface Ended {
  readonly all: Sorted;
  /** Messages whose neighbours are to be written again once they are written or gone. */
  readonly spreading: ReadonlySet<string>;
  readonly tookPoints: boolean;
}

/**
 * Clears the marks that are done, marks what takes words of new messages, postpones the others, and counts terms; one
 * transaction for each part.
 */
async function finish(
  dependencies: IndexDependencies,
  batch: Batch,
  { all, spreading, tookPoints }: Ended,
): Promise<Sorted> {
  const { inAccount, report } = dependencies;
  const { accountId } = batch;
  const gone: DirtyMark[] = [];
  const names = await readBatchNames(batch);
  const words = await readBatchWords(batch);
  for (const { unitIds, ...counts } of partsOf(batch)) {
    const isOf = (mark: DirtyMark): boolean => unitIds.has(mark.unit_id);
    const unfinished = all.unfinished.filter(isOf);
    const finished = all.finished.filter(isOf);
    await inAccount(accountId, async (stores) => {
      gone.push(...(await markAgain(stores, await stores.dirtyMarks.clear(finished))));
      await markAround(
        stores,
        batch,
        idsInPoints(finished, 'message').filter((id) => spreading.has(id)),
      );
      await stores.markHolds.postpone(unfinished);
      if (tookPoints) await stores.dirtyMarks.setCaughtUp(idsInPoints(unfinished, 'statement'));
      const mentions = await mentionsOfPart(stores, batch, unitIds, names);
      await stores.frequencies.recount(counts);
      await stores.mentions.rewrite(mentions);
      await stores.wordLists.rewrite(wordListsOfPart(batch, unitIds, words));
    });
  }
  if (all.atFault.length > 0) {
    await inAccount(accountId, (stores) => stores.markHolds.setAside(all.atFault));
    const units = new Set(all.atFault.map((mark) => mark.unit_id)).size;
    report('projection.units_set_aside', { units });
  }
  await forgetUnits(dependencies, accountId, gone);
  return all;
}

async function giveBack(
  { inAccount }: IndexDependencies,
  accountId: string,
  marks: readonly DirtyMark[],
): Promise<void> {
  try {
    await inAccount(accountId, (stores) => stores.markHolds.giveBack(marks));
  } catch {
    // The marks come due again by themselves, a little later and in smaller batches.
  }
}

function reportOf(
  batch: Batch,
  { finished, unfinished, atFault }: Sorted,
  nextDueInMs: number | null,
): Refreshed {
  const gone = new Set([...batch.gone.statement, ...batch.gone.message]);
  const deleted = finished.filter((mark) => gone.has(mark.unit_id)).length;
  return {
    written: finished.length - deleted,
    deleted,
    failed: unfinished.length + atFault.length,
    more: nextDueInMs !== null && nextDueInMs <= 0,
    nextDueInMs: nextDueInMs === null ? null : Math.max(0, nextDueInMs),
  };
}
