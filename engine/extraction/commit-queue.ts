/**
 * Group commit of outcomes, for all batches of an account together. A group is closed when it is large, when nothing has
 * joined it for a moment, when its first member has waited long enough, or when a batch waits for its end. Groups are
 * committed one after the other, first in, first out, and what arrives meanwhile forms the next one: the busier the
 * account, the larger the groups, and the less each member costs.
 */

/** The part of a queue that belongs to one batch. */
export interface CommitQueue<T> {
  push(item: T): void;
  /** Whether a commit of this part failed: nothing pushed from then on is committed. */
  readonly broken: boolean;
  /** Resolves when everything pushed so far is committed; rejects with the first failure. */
  drain(): Promise<void>;
}

export interface CommitQueueOptions {
  /** A group that nothing joined for this long is committed. */
  readonly quietMs: number;
  /** The longest that the first member of a group waits. */
  readonly longestMs: number;
  /** A group of this size waits no longer. */
  readonly enough: number;
}

interface Waiting<T> {
  readonly item: T;
  readonly committed: PromiseWithResolvers<void>;
}

/** The parts of one queue. `commit` fails all members of a group, or none. */
export function createSharedQueue<T>(
  commit: (items: readonly T[]) => Promise<void>,
  { quietMs, longestMs, enough }: CommitQueueOptions,
): () => CommitQueue<T> {
  let waiting: Waiting<T>[] = [];
  let running: Promise<void> = Promise.resolve();
  let quiet: NodeJS.Timeout | null = null;
  let longest: NodeJS.Timeout | null = null;

  /** Takes the group when the commit before it is done, so that it holds all that came meanwhile. */
  const commitNext = async (before: Promise<void>): Promise<void> => {
    await before;
    const group = waiting;
    waiting = [];
    if (group.length === 0) return;
    try {
      await commit(group.map(({ item }) => item));
      for (const { committed } of group) committed.resolve();
    } catch (reason) {
      for (const { committed } of group) committed.reject(reason);
    }
  };

  const flush = (): void => {
    if (quiet !== null) clearTimeout(quiet);
    if (longest !== null) clearTimeout(longest);
    quiet = null;
    longest = null;
    running = commitNext(running);
  };

  const join = (item: T): Promise<void> => {
    const committed = Promise.withResolvers<void>();
    waiting.push({ item, committed });
    if (waiting.length >= enough) flush();
    else {
      longest ??= setTimeout(flush, longestMs);
      if (quiet === null) quiet = setTimeout(flush, quietMs);
      else quiet.refresh();
    }
    return committed.promise;
  };

  return () => {
    const pushed: Promise<void>[] = [];
    let failure: { readonly reason: unknown } | null = null;
    return {
      push(item) {
        if (failure !== null) return;
        const committed = join(item).catch((reason: unknown) => {
          failure ??= { reason };
        });
        pushed.push(committed);
      },
      get broken() {
        return failure !== null;
      },
      async drain() {
        flush();
        await Promise.all(pushed);
        if (failure !== null) throw failure.reason;
      },
    };
  };
}
