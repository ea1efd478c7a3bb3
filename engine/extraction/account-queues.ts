/** One queue of outcomes for each account that has batches under way. */
import {
  createSharedQueue,
  type CommitQueue,
  type CommitQueueOptions,
  type GroupWork,
} from './commit-queue.ts';

export interface AccountQueues<T> {
  /** Runs `work` with a part of the account's queue. */
  joined<R>(accountId: string, work: (queue: CommitQueue<T>) => Promise<R>): Promise<R>;
}

/** The groups of an account are committed one at a time, those of different accounts side by side. */
export function createAccountQueues<T, Committed>(
  workOf: (accountId: string) => GroupWork<T, Committed>,
  options: CommitQueueOptions,
): AccountQueues<T> {
  const queues = new Map<string, { readonly join: () => CommitQueue<T>; batches: number }>();
  return {
    async joined(accountId, work) {
      const queue = queues.get(accountId) ?? {
        join: createSharedQueue(workOf(accountId), options),
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
