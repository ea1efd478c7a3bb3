/**
 * A counting semaphore with a fair queue. One instance bounds the concurrent model calls of a process;
 * work that waits for a slot leaves the queue as soon as it is cancelled, so that a cancelled backlog
 * makes no call. Keys take turns in the queue, and `Shares` bounds the slots that one key takes.
 */
import { createDemand, type Demand } from './demand.ts';

/** Timers know no shorter time. */
const SHORTEST_REST_MS = 1;
/** Longest rest of a slot: after one long piece of work, its key need not wait for as long again. */
const LONGEST_REST_MS = 500;

export interface Semaphore {
  /**
   * Runs `work` in a slot. Rejects with the signal's reason, without running it, once it is aborted; without a signal
   * it waits as long as it takes. `key` names what takes turns, such as an account.
   */
  run<T>(signal: AbortSignal | null, work: () => Promise<T>, key?: string): Promise<T>;
}

function assertLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError('a semaphore needs a slot');
}

/** Waiting work by key, in the order of the keys' next turns. */
type Waiting = Map<string, Set<() => void>>;

/** Takes the oldest work of the first key in line that may take a slot; the key goes to the end of the line. */
function takeNext(
  waiting: Waiting,
  mayTake: (key: string) => boolean,
): { readonly key: string; readonly enter: () => void } | null {
  for (const [key, queue] of waiting) {
    if (!mayTake(key)) continue;
    const [enter] = queue;
    waiting.delete(key);
    if (enter === undefined) continue;
    queue.delete(enter);
    if (queue.size > 0) waiting.set(key, queue);
    return { key, enter };
  }
  return null;
}

/** Resolves when the work is given a turn of its key; leaves the line and rejects when the signal is aborted. */
function standInLine(waiting: Waiting, key: string, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = waiting.get(key) ?? new Set();
    waiting.set(key, queue);
    const enter = (): void => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      queue.delete(enter);
      if (queue.size === 0 && waiting.get(key) === queue) waiting.delete(key);
      reject(signal?.reason);
    };
    queue.add(enter);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

/** How many slots one key may take, so that others have the rest. */
export interface Shares {
  /** Slots that one key takes at most; all of them unless given. */
  readonly mostOfOne?: number;
  /** Slots that one key takes at most while another key is busy too; `mostOfOne` unless given. */
  readonly besideOthers?: number;
  /**
   * Slots that a key takes at most while it crowds the others; `besideOthers` unless given. Less than one means one
   * slot that rests for the other part of the time.
   */
  readonly ofCrowd?: number;
}

interface Share {
  /** Slots that the key takes at most now. */
  readonly most: (key: string) => number;
  /** How long a slot rests for its key after work, as a multiple of the work's time. */
  readonly restPerWork: (key: string) => number;
}

function sharing(
  limit: number,
  { mostOfOne = limit, besideOthers = mostOfOne, ofCrowd = besideOthers }: Shares,
  demand: Demand,
): Share {
  /** Slots of the key beside others, fractions included: `ofCrowd` while it crowds them, else `besideOthers`. */
  const leftTo = (key: string): number =>
    ofCrowd < besideOthers && demand.crowds(key) ? ofCrowd : besideOthers;
  return {
    most: (key) => (demand.hasOtherThan(key) ? Math.ceil(leftTo(key)) : mostOfOne),
    restPerWork(key) {
      const left = leftTo(key);
      return Math.ceil(left) / left - 1;
    },
  };
}

/**
 * A semaphore with `limit` slots (at least 1), shared by keys as `shares` says. A slot that rests for one key is free
 * for other keys. Semaphores with the same `demand` know what a key asks of all of them.
 */
export function createSemaphore(
  limit: number,
  shares: Shares = {},
  demand: Demand = createDemand(),
): Semaphore {
  assertLimit(limit);
  let free = limit;
  const share = sharing(limit, shares, demand);
  const taken = new Map<string, number>();
  const waiting: Waiting = new Map();

  const mayTake = (key: string): boolean => free > 0 && (taken.get(key) ?? 0) < share.most(key);

  const take = (key: string): void => {
    free -= 1;
    taken.set(key, (taken.get(key) ?? 0) + 1);
  };

  const acquire = async (signal: AbortSignal | null, key: string): Promise<void> => {
    demand.hears(key);
    // Work that waits while a slot is free is kept back by the share of its own key, so this call overtakes none.
    if (mayTake(key)) {
      take(key);
      return;
    }
    await standInLine(waiting, key, signal);
  };

  /** Passes a free slot to the next work in line, so new work cannot overtake the queue. */
  const passOne = (): boolean => {
    const next = takeNext(waiting, mayTake);
    if (next === null) return false;
    take(next.key);
    next.enter();
    return true;
  };

  const giveBack = (key: string): void => {
    const left = (taken.get(key) ?? 1) - 1;
    if (left > 0) taken.set(key, left);
    else taken.delete(key);
    // More than one may begin, because a key that is alone again may take more slots.
    while (passOne());
  };

  const release = (key: string, workedMs: number): void => {
    demand.hears(key);
    free += 1;
    const restMs = workedMs * share.restPerWork(key);
    if (restMs < SHORTEST_REST_MS) {
      giveBack(key);
      return;
    }
    // Other keys may take the slot at once; its own key has one slot less until the rest is over.
    setTimeout(giveBack, Math.min(restMs, LONGEST_REST_MS), key).unref();
    while (passOne());
  };

  return {
    async run(signal, work, key = '') {
      signal?.throwIfAborted();
      await acquire(signal, key);
      const begunAt = performance.now();
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        release(key, performance.now() - begunAt);
      }
    },
  };
}
