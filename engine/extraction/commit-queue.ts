/**
 * Group commit of outcomes, for all batches of an account together. A group is closed when it is large, when nothing
 * has joined it for a moment, when its first member has waited long enough, or when a batch waits for its end. The
 * queue commits groups one after the other, first in, first out. Outcomes that arrive meanwhile form the next group:
 * the busier the account, the larger the groups, and the less each member costs. The work after a commit, mostly
 * waiting for an index, runs beside the next commits.
 */

/** The part of a queue that belongs to one batch. */
export interface CommitQueue<T> {
  push(item: T): void;
  /** Whether a commit of this part failed: nothing pushed from then on is committed. */
  readonly broken: boolean;
  /** Resolves when everything pushed so far is committed, and what follows is done; rejects with the first failure. */
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

/** The work on a group. A failure fails all its members. */
export interface GroupWork<T, Committed> {
  /** The items in their order, in groups that are committed one after the other. */
  readonly groupsOf: (items: readonly T[]) => readonly (readonly T[])[];
  /** One group at a time. */
  readonly commit: (items: readonly T[]) => Promise<Committed>;
  /** For several groups side by side. */
  readonly finish: (committed: Committed) => Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  readonly done: PromiseWithResolvers<void>;
}

/** The part of one batch. `join` answers when its item is done; `flush` has what waits committed. */
function partOf<T>(join: (item: T) => Promise<void>, flush: () => void): CommitQueue<T> {
  const pushed: Promise<void>[] = [];
  let failure: { readonly reason: unknown } | null = null;
  return {
    push(item) {
      if (failure !== null) return;
      const done = join(item).catch((reason: unknown) => {
        failure ??= { reason };
      });
      pushed.push(done);
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
}

/** The most groups whose work after the commit is unfinished. The next commit waits, and its group grows. */
const MOST_FINISHING = 8;

/** Answers how a batch gets its part of one queue. */
export function createSharedQueue<T, Committed>(
  { groupsOf, commit, finish }: GroupWork<T, Committed>,
  { quietMs, longestMs, enough }: CommitQueueOptions,
): () => CommitQueue<T> {
  let waiting: Waiting<T>[] = [];
  let running: Promise<void> = Promise.resolve();
  let quiet: NodeJS.Timeout | null = null;
  let longest: NodeJS.Timeout | null = null;
  const finishing = new Set<Promise<void>>();

  const end = (group: readonly Waiting<T>[], finished: Promise<void>): Promise<void> =>
    finished.then(
      () => group.forEach(({ done }) => done.resolve()),
      (reason: unknown) => group.forEach(({ done }) => done.reject(reason)),
    );

  const commitGroup = async (group: readonly Waiting<T>[]): Promise<void> => {
    try {
      const committed = await commit(group.map(({ item }) => item));
      const ended = end(group, finish(committed)).finally(() => finishing.delete(ended));
      finishing.add(ended);
    } catch (reason) {
      await end(group, Promise.reject(reason));
    }
    if (finishing.size >= MOST_FINISHING) await Promise.race(finishing);
  };

  /** Takes what waits when the commit before it is done, so that it holds all that came meanwhile. */
  const commitNext = async (before: Promise<void>): Promise<void> => {
    await before;
    const all = waiting;
    waiting = [];
    for (const items of groupsOf(all.map(({ item }) => item))) {
      await commitGroup(all.splice(0, items.length));
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
    const done = Promise.withResolvers<void>();
    waiting.push({ item, done });
    if (waiting.length >= enough) flush();
    else {
      longest ??= setTimeout(flush, longestMs);
      if (quiet === null) quiet = setTimeout(flush, quietMs);
      else quiet.refresh();
    }
    return done.promise;
  };

  return () => partOf(join, flush);
}
