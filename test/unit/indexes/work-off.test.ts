/** How a rebuild works off the marks of an account. Refreshes are played here; the marks are those of a small book. */
import { expect, test } from '@jest/globals';
import type { Indexer } from '../../../engine/indexes/indexer.ts';
import { workOffMarks } from '../../../engine/indexes/work-off.ts';
import type { InAccount } from '../../../stores/postgres/in-account.ts';

const ACCOUNT = 'account';
const signal = new AbortController().signal;
/** Longer than the whole test run. */
const NOT_SOON_MS = 3_600_000;

interface Mailbox {
  /** Batches of due marks. */
  due: number;
  /** Milliseconds until those that are not due yet are. */
  later: number | null;
}

/** Mailboxes with one mark for each batch, and what refreshes did in them. */
function bookOf(
  mailboxes: Map<number, Mailbox>,
  refresh?: (shard: number) => Promise<void>,
  isLocked: () => boolean = () => false,
) {
  const refreshed: number[] = [];
  const seen = { now: 0, most: 0 };
  const inAccount = ((_account: string, work: (stores: unknown) => Promise<unknown>) =>
    work({
      dirtyMarks: {
        remaining: async () =>
          [...mailboxes]
            .filter(([, { due, later }]) => due > 0 || later !== null)
            .map(([shard, { due, later }]) => ({
              shard,
              marks: due + (later === null ? 0 : 1),
              newest: 9,
              due_in_ms: due > 0 ? -1 : (later ?? 0),
            })),
      },
    })) as unknown as InAccount;
  const indexer = {
    refresh: async ({ shard }: { shard: number }) => {
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      refreshed.push(shard);
      const mailbox = mailboxes.get(shard);
      const took = mailbox !== undefined && mailbox.due > 0 && !isLocked() ? 1 : 0;
      if (mailbox !== undefined) mailbox.due -= took;
      await new Promise((resolve) => setImmediate(resolve));
      await refresh?.(shard);
      seen.now -= 1;
      return { written: took, deleted: 0, failed: 0, more: (mailbox?.due ?? 0) > 0 };
    },
  } as unknown as Indexer;
  return { refreshed, seen, run: () => workOffMarks({ inAccount }, indexer, ACCOUNT, signal) };
}

const shards = (amount: number, mailbox: Mailbox): Map<number, Mailbox> =>
  new Map(Array.from({ length: amount }, (_, shard) => [shard, { ...mailbox }] as const));

test('mailboxes are worked off side by side, eight refreshes at a time, until no mark is left', async () => {
  const book = bookOf(shards(10, { due: 4, later: null }));
  expect(await book.run()).toEqual({ written: 40, deleted: 0, failed: 0 });
  expect(book.seen.most).toBe(8);
  expect(book.seen.now).toBe(0);
});

test('refreshes share a mailbox that holds all marks', async () => {
  const book = bookOf(shards(1, { due: 20, later: null }));
  expect(await book.run()).toMatchObject({ written: 20, failed: 0 });
  expect(book.seen.most).toBe(8);
});

test('marks that come due again soon are waited for', async () => {
  const mailboxes = shards(2, { due: 1, later: null });
  mailboxes.set(1, { due: 0, later: 20 });
  setTimeout(() => mailboxes.set(1, { due: 1, later: null }), 20).unref();
  const book = bookOf(mailboxes);
  expect(await book.run()).toEqual({ written: 2, deleted: 0, failed: 0 });
  expect(book.refreshed).toContain(1);
});

test('marks that come due late are left, and told', async () => {
  const mailboxes = shards(3, { due: 2, later: null });
  mailboxes.set(1, { due: 0, later: NOT_SOON_MS });
  expect(await bookOf(mailboxes).run()).toEqual({ written: 4, deleted: 0, failed: 1 });
});

test('marks that another process has locked are asked for again after a while, not at once', async () => {
  const mailboxes = shards(1, { due: 1, later: null });
  const lockedUntil = performance.now() + 50;
  const book = bookOf(mailboxes, undefined, () => performance.now() < lockedUntil);
  expect(await book.run()).toEqual({ written: 1, deleted: 0, failed: 0 });
  // Eight lanes before the lock is gone, and eight after it.
  expect(book.refreshed.length).toBeLessThanOrEqual(16);
});

test('when a refresh throws, no other is begun, and those under way have ended before that is told', async () => {
  const book = bookOf(shards(8, { due: 50, later: null }), async (shard) => {
    if (shard === 2) throw new Error('Postgres is away');
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  await expect(book.run()).rejects.toThrow('Postgres is away');
  expect(book.refreshed).toHaveLength(8);
  // The one that threw has not counted itself out.
  expect(book.seen.now).toBe(1);
});
