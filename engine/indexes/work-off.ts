/**
 * Works off the marks of a whole account, for a rebuild: several refreshes side by side, until no mark is left that
 * stood at the beginning. A refresh mostly waits, for Meilisearch above all, which takes about as long for many records
 * as for few; refreshes that wait at the same time share its tasks (`stores/meilisearch/writing-rounds.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RemainingMarks } from '../../stores/postgres/indexes/dirty-marks.store.ts';
import type { IndexDependencies } from './dependencies.ts';
import type { Indexer } from './indexer.ts';

export interface WorkedOff {
  /** Marks that this process cleared. */
  readonly written: number;
  readonly deleted: number;
  /** Marks that are left of those that stood at the beginning. */
  readonly failed: number;
}

/** Refreshes at a time. They take turns in the mailboxes, so that one mailbox with all marks is worked off as fast. */
const REFRESHES_AT_ONCE = 8;
const MARKS_OF_REFRESH = 500;
/**
 * Longest wait, all in all, while marks are not due: of an index that was away, of units that wait for a vector, and
 * those that a worker holds, or a worker that died (its lease is 15 s).
 */
const MOST_WAITING_MS = 30_000;
/** A worker clears the marks that it holds before they are due. */
const LOOK_EVERY_MS = 250;

interface Counts {
  written: number;
  deleted: number;
  /** Marks that a refresh took, whatever became of them. */
  taken: number;
}

/** One of several loops side by side. It refreshes the next mailbox that holds due marks, until none has any that nobody else has locked. */
async function work(
  indexer: Indexer,
  accountId: string,
  open: Set<number>,
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const [shard] = open;
    if (shard === undefined) return;
    // To the end of the line, where the next loop takes it after the others.
    open.delete(shard);
    open.add(shard);
    const report = await indexer.refresh({ accountId, shard, limit: MARKS_OF_REFRESH, signal });
    const taken = report.written + report.deleted + report.failed;
    counts.written += report.written;
    counts.deleted += report.deleted;
    counts.taken += taken;
    if (!report.more || taken === 0) open.delete(shard);
  }
}

/** Refreshes the mailboxes until none of them holds a due mark. When one loop fails, no other begins anything more. */
async function workOff(
  indexer: Indexer,
  accountId: string,
  shards: readonly number[],
  signal: AbortSignal,
): Promise<Counts> {
  const open = new Set(shards);
  const counts = { written: 0, deleted: 0, taken: 0 };
  const refreshes = Array.from({ length: REFRESHES_AT_ONCE }, async () => {
    try {
      await work(indexer, accountId, open, counts, signal);
    } catch (error) {
      open.clear();
      throw error;
    }
  });
  const ends = await Promise.allSettled(refreshes);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return counts;
}

const sumOf = (remaining: readonly RemainingMarks[]): number =>
  remaining.reduce((sum, { marks }) => sum + marks, 0);

/**
 * Refreshes until none of the marks is left that stand now, or until those that are left are not due within the time
 * that it waits at most. Marks that come meanwhile are worked off with them, but not waited for.
 */
export async function workOffMarks(
  { inAccount }: Pick<IndexDependencies, 'inAccount'>,
  indexer: Indexer,
  accountId: string,
  signal: AbortSignal,
): Promise<WorkedOff> {
  const remainingUpTo = (generation: number | null): Promise<readonly RemainingMarks[]> =>
    inAccount(accountId, (stores) => stores.dirtyMarks.remaining(generation));
  let remaining = await remainingUpTo(null);
  const newest = Math.max(...remaining.map((one) => one.newest));
  const total = { written: 0, deleted: 0 };
  let mayWaitMs = MOST_WAITING_MS;
  while (remaining.length > 0) {
    signal.throwIfAborted();
    const due = remaining.filter((one) => one.due_in_ms <= 0).map(({ shard }) => shard);
    const done = await workOff(indexer, accountId, due, signal);
    total.written += done.written;
    total.deleted += done.deleted;
    if (done.taken === 0) {
      // Those that are due and were not taken are locked: a worker is about to clear them.
      const nextMs = Math.max(1, Math.min(...remaining.map((one) => one.due_in_ms)));
      if (nextMs > mayWaitMs) break;
      const restMs = Math.min(due.length > 0 ? LOOK_EVERY_MS : nextMs, LOOK_EVERY_MS, mayWaitMs);
      await sleep(restMs, undefined, { signal });
      mayWaitMs -= restMs;
    }
    remaining = await remainingUpTo(newest);
  }
  return { ...total, failed: sumOf(remaining) };
}
