/** One queue of outcomes for each account that has batches under way. */
import { createSharedQueue, type CommitQueue, type CommitQueueOptions } from './commit-queue.ts';

export interface AccountQueues<T> {
  /** Runs `work` with a part of the account's queue. */
  joined<R>(accountId: string, work: (queue: CommitQueue<T>) => Promise<R>): Promise<R>;
}

/** `commit` is called for one group of an account at a time, and for different accounts side by side. */
export function createAccountQueues<T>(
  commit: (accountId: string, items: readonly T[]) => Promise<void>,
  options: CommitQueueOptions,
): AccountQueues<T> {
  const queues = new Map<string, { readonly join: () => CommitQueue<T>; batches: number }>();
  return {
    async joined(accountId, work) {
      const queue = queues.get(accountId) ?? {
        join: createSharedQueue<T>((items) => commit(accountId, items), options),
        batches: 0,
      };
      queues.set(accountId, queue);
      queue.batches += 1;
      try {
        return await work(queue.join());
      } finally {
        queue.batches -= 1;
        if (queue.batches === 0) queues.delete(accountId);
      }
    },
  };
}
