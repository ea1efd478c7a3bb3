/**
 * Group commit of outcomes. A group is closed when it is large, when nothing has joined it for a moment, or
 * when its first member has waited long enough. So fast extractions share a commit, and a slow one does not hold up
 * the others. Groups are committed one after the other, first in, first out.
 */

export type CommitQueue<T> = ReturnType<typeof createCommitQueue<T>>;

export interface CommitQueueOptions {
  /** A group that nothing joined for this long is committed. */
  readonly quietMs: number;
  /** The longest that the first member of a group waits. */
  readonly longestMs: number;
  /** A group of this size waits no longer. */
  readonly enough: number;
}

export function createCommitQueue<T>(
  commit: (items: readonly T[]) => Promise<void>,
  { quietMs, longestMs, enough }: CommitQueueOptions,
) {
  let waiting: T[] = [];
  let running: Promise<void> = Promise.resolve();
  let quiet: NodeJS.Timeout | null = null;
  let longest: NodeJS.Timeout | null = null;
  let failure: { readonly reason: unknown } | null = null;

  /** Takes the group when the commit before it is done, so that it holds all that came meanwhile. */
  const commitNext = async (before: Promise<void>): Promise<void> => {
    await before;
    const group = waiting;
    waiting = [];
    if (group.length === 0 || failure !== null) return;
    try {
      await commit(group);
    } catch (reason) {
      failure = { reason };
    }
  };

  const flush = (): void => {
    if (quiet !== null) clearTimeout(quiet);
    if (longest !== null) clearTimeout(longest);
    quiet = null;
    longest = null;
    running = commitNext(running);
  };

  return {
    push(item: T): void {
      waiting.push(item);
      if (waiting.length >= enough) {
        flush();
        return;
      }
      longest ??= setTimeout(flush, longestMs);
      if (quiet === null) quiet = setTimeout(flush, quietMs);
      else quiet.refresh();
    },
    /** Whether a commit failed: nothing pushed from then on is committed. */
    get broken(): boolean {
      return failure !== null;
    },
    /** Resolves when everything pushed so far is committed; rejects with the first failure. */
    async drain(): Promise<void> {
      flush();
      await running;
      if (failure !== null) throw failure.reason;
    },
  };
}
