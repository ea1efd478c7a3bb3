/**
 * Works through the dirty marks of a mailbox: takes some that are due, reads their units, analyses them, writes them to
 * both indexes, and clears what is done. Only reading and clearing happen in transactions.
 */
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import { createSemaphore } from '../semaphore.ts';
import type { DirtyMark } from '../../stores/postgres/indexes/dirty-marks.store.ts';
import type { HeldMark } from '../../stores/postgres/indexes/mark-holds.store.ts';
import { analyseUnits, idsInPoints, partsOf, readUnits, type Batch } from './batch.ts';
import { markAgain, markAround, markDrawn, sorted, spreadingOf, type Sorted } from './outcome.ts';
import type { IndexDependencies } from './dependencies.ts';
import { mentionsOfPart, readBatchNames } from './mentions.ts';
import { forgetUnits, writeRecords, writePoints, type WriteReport } from './writes.ts';

export interface RefreshInput {
  readonly accountId: string;
  readonly shard: number;
  /** Most marks to work through. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** What became of marks. */
export interface MarkCounts {
  /** Marks cleared because the index shows the unit now. */
  readonly written: number;
  /** Marks cleared because the index has forgotten the unit. */
  readonly deleted: number;
  /** Marks that stay, for later. */
  readonly failed: number;
}

export interface RefreshReport extends MarkCounts {
  /** The batch had as many marks as it may have, or much text: further marks would not have shared this refresh. */
  readonly full: boolean;
  /** Marks are left that are due now. */
  readonly more: boolean;
  /** Milliseconds until the next mark is due; null when none is left. */
  readonly nextDueInMs: number | null;
}

/** The marks of Meilisearch of a batch whose points are written. */
export interface TrailingMarks {
  readonly marks: number;
  /** Rejects as a refresh does. */
  readonly ended: Promise<MarkCounts>;
}

/** A refresh whose points are written. */
export interface BegunRefresh extends MarkCounts {
  readonly full: boolean;
  /** What goes on; null when nothing does. */
  readonly trailing: TrailingMarks | null;
}

/**
 * Most text of one batch, each unit counted once for each index: a single message of a mebibyte, or `limit` short
 * units. The process holds all that is made of the text at once, about twenty times as much.
 */
const MOST_BATCH_BYTES = 2_097_152;
/** Batches with more text than this take turns, so that a process never holds many of them. */
const LARGE_BATCH_BYTES = 262_144;
const MOST_LARGE_BATCHES = 2;

/**
 * Batches whose records a process may have under way beside further batches. They are small, so that all together hold no
 * more text than a few large ones.
 */
const MOST_TRAILING_BATCHES = 32;

/** Works through the marks of a mailbox. */
export interface Refreshing {
  /** Ends when both indexes have what the batch holds. */
  refresh(input: RefreshInput): Promise<RefreshReport>;
  /**
   * Ends when Qdrant has it, which makes messages and statements findable. Meilisearch takes ten times as long for a small
   * batch, and what comes meanwhile must not wait for it: the records of a small batch may be under way.
   */
  beginRefresh(input: RefreshInput): Promise<BegunRefresh>;
}

/** `onAnswer` is called when Qdrant has taken points. */
export function createRefreshing(
  dependencies: IndexDependencies,
  onAnswer: () => void,
): Refreshing {
  const { inAccount } = dependencies;
  const large = createSemaphore(MOST_LARGE_BATCHES);
  let trailing = 0;

  const begin = async (input: RefreshInput, mayTrail: boolean): Promise<BegunRefresh> => {
    const { accountId, shard, limit, signal } = input;
    signal.throwIfAborted();
    // Taking a mark counts the attempt before the work: a batch that ends this process does not come back in the same form.
    const marks = await inAccount(accountId, (stores) =>
      stores.markHolds.take(shard, { limit, bytes: MOST_BATCH_BYTES }),
    );
    try {
      const isLarge = marks.reduce((sum, { bytes }) => sum + bytes, 0) > LARGE_BATCH_BYTES;
      const trails = mayTrail && !isLarge && trailing < MOST_TRAILING_BATCHES;
      const work = (): Promise<Begun> => workOff(dependencies, input, marks, { onAnswer, trails });
      const done = await (isLarge ? large.run(signal, work, accountId) : work());
      if (done.trailing !== null) {
        trailing += 1;
        const ended = (): void => void (trailing -= 1);
        done.trailing.ended.then(ended, ended);
      }
      return { ...done, full: isLarge || marks.length >= limit };
    } catch (error) {
      if (signal.aborted) await giveBack(dependencies, accountId, marks);
      throw error;
    }
  };

  return {
    beginRefresh: (input) => begin(input, true),
    async refresh(input) {
      const { trailing: _none, ...done } = await begin(input, false);
      const { accountId, shard } = input;
      const next = await inAccount(accountId, (stores) => stores.dirtyMarks.nextDueInMs(shard));
      const more = next !== null && next <= 0;
      return { ...done, more, nextDueInMs: next === null ? null : Math.max(0, next) };
    },
  };
}

type Begun = Omit<BegunRefresh, 'full'>;

async function workOff(
  dependencies: IndexDependencies,
  { accountId, signal }: RefreshInput,
  marks: readonly HeldMark[],
  { onAnswer, trails }: { readonly onAnswer: () => void; readonly trails: boolean },
): Promise<Begun> {
  const { inAccount } = dependencies;
  const units = await inAccount(accountId, (stores) => readUnits(stores, accountId, marks));
  const batch = await analyseUnits(dependencies, units, signal);
  signal.throwIfAborted();
  const records = writeRecords(dependencies, batch);
  // When the points cannot be written, nobody looks at the records: all marks come due again.
  records.catch(() => undefined);
  const inPoints = await writePoints(dependencies, batch, signal);
  const ofPoints = marks.filter((mark) => mark.engine === 'qdrant');
  const ofRecords = marks.filter((mark) => mark.engine === 'meilisearch');
  const tookPoints = inPoints.failure === null;
  if (tookPoints && ofPoints.length > 0) onAnswer();
  if (!trails || ofPoints.length === 0 || ofRecords.length === 0) {
    const inRecords = await records;
    const reportOn = (mark: DirtyMark): WriteReport =>
      mark.engine === 'qdrant' ? inPoints : inRecords;
    const all = sorted(batch, marks, reportOn);
    const mayLand = mayYetLand(inRecords);
    const ended = { all, marks, tookPoints, counts: true, mayLand, space: inPoints.space };
    await finish(dependencies, batch, ended, signal);
    return { ...countsOf(batch, all), trailing: null };
  }
  const first = sorted(batch, ofPoints, () => inPoints);
  await finish(
    dependencies,
    batch,
    {
      all: first,
      marks: ofPoints,
      tookPoints,
      counts: true,
      mayLand: false,
      space: inPoints.space,
    },
    signal,
  );
  const trail = async (): Promise<MarkCounts> => {
    const inRecords = await records;
    const all = sorted(batch, ofRecords, () => inRecords);
    const mayLand = mayYetLand(inRecords);
    const ended = { all, marks: ofRecords, tookPoints, counts: false, mayLand, space: null };
    await finish(dependencies, batch, ended, signal);
    return countsOf(batch, all);
  };
  return { ...countsOf(batch, first), trailing: { marks: ofRecords.length, ended: trail() } };
}

interface Ended {
  readonly all: Sorted;
  /** All of them; the sorted ones say what became of each. */
  readonly marks: readonly HeldMark[];
  readonly tookPoints: boolean;
  /** Whether the units are counted now; false when they were, with the other marks of the batch. */
  readonly counts: boolean;
  /** Whether Meilisearch may yet write records that are not finished. */
  readonly mayLand: boolean;
  /** Of the vectors that statements were given. */
  readonly space: VectorSpace | null;
}

/** No answer in time says nothing of what becomes of a request. */
const mayYetLand = ({ failure }: WriteReport): boolean => failure === 'timeout';

/**
 * Clears the marks that are done, marks what takes words of new messages, postpones the others, and counts terms; one
 * transaction for each part.
 */
async function finish(
  dependencies: IndexDependencies,
  batch: Batch,
  { all, counts, marks, mayLand, space, tookPoints }: Ended,
  signal: AbortSignal,
): Promise<void> {
  const { inAccount, report } = dependencies;
  const { accountId } = batch;
  const postponed = new Set<DirtyMark>(all.unfinished);
  const heard = marks.filter((mark) => !postponed.has(mark));
  await markDrawn(dependencies, accountId, heard, signal);
  const spreading = spreadingOf(marks);
  const gone: DirtyMark[] = [];
  const names = counts ? await readBatchNames(batch) : null;
  for (const { unitIds, ...counted } of partsOf(batch)) {
    const isOf = (mark: DirtyMark): boolean => unitIds.has(mark.unit_id);
    const unfinished = all.unfinished.filter(isOf);
    const finished = all.finished.filter(isOf);
    await inAccount(accountId, async (stores) => {
      gone.push(...(await markAgain(stores, await stores.dirtyMarks.clear(finished, space))));
      await markAround(
        stores,
        batch,
        idsInPoints(finished, 'message').filter((id) => spreading.has(id)),
      );
      await stores.markHolds.postpone(unfinished, mayLand);
      if (tookPoints) await stores.dirtyMarks.setCaughtUp(idsInPoints(unfinished, 'statement'));
      if (names === null) return;
      const mentions = await mentionsOfPart(stores, batch, unitIds, names);
      await stores.frequencies.recount(counted);
      await stores.mentions.rewrite(mentions);
    });
  }
  if (all.atFault.length > 0) {
    await inAccount(accountId, (stores) => stores.markHolds.setAside(all.atFault));
    const units = new Set(all.atFault.map((mark) => mark.unit_id)).size;
    report('projection.units_set_aside', { units });
  }
  await forgetUnits(dependencies, accountId, gone);
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

function countsOf(batch: Batch, { atFault, finished, unfinished }: Sorted): MarkCounts {
  const gone = new Set([...batch.gone.statement, ...batch.gone.message]);
  const deleted = finished.filter((mark) => gone.has(mark.unit_id)).length;
  return {
    written: finished.length - deleted,
    deleted,
    failed: unfinished.length + atFault.length,
  };
}
