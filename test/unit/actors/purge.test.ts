/** How many idempotency keys an hourly pass of the third net forgets. */
import { describe, expect, test } from '@jest/globals';
import { createReconcile } from '../../../engine/reconcile/reconcile.ts';
import type { ReconcileStore } from '../../../stores/postgres/reconcile/reconcile.store.ts';

const HOUR_SECONDS = 3_600;
const never = new AbortController().signal;

/** A store that holds so many expired keys; each slice takes `sliceMs` of its clock. */
function scene(held: number, sliceMs = 0) {
  const froms: (string | null)[] = [];
  let left = held;
  let nowMs = 0;
  const store = {
    forgetIdempotencyKeys: async ({ limit }: { limit: number }, from: string | null) => {
      froms.push(from);
      nowMs += sliceMs;
      const forgotten = Math.min(limit, left);
      left -= forgotten;
      return { forgotten, reached: `slice ${froms.length}` };
    },
  } as unknown as ReconcileStore;
  const reconcile = createReconcile({
    store,
    workflowState: async () => 'open',
    markMessages: async () => ({ messages: 0, mailboxes: [] }),
    markScopes: async () => ({ scopes: 0, mailboxes: [] }),
    blobs: { delete: async () => {}, deleteDraft: async () => {} },
    ring: () => {},
    now: () => nowMs,
  });
  return { froms, forget: () => reconcile.forgetIdempotencyKeys(never), left: () => left };
}

describe('an hourly pass over idempotency keys', () => {
  test('forgets the keys of an hour of 2,500 requests a second', async () => {
    const { forget, left } = scene(2_500 * HOUR_SECONDS);
    expect(await forget()).toBe(2_500 * HOUR_SECONDS);
    expect(left()).toBe(0);
  });

  test('begins each slice where the one before ended', async () => {
    const { forget, froms } = scene(12_000);
    await forget();
    expect(froms).toEqual([null, 'slice 1', 'slice 2']);
  });

  test('ends after four minutes with what it has, and leaves the rest to the next', async () => {
    const { forget, left } = scene(50_000_000, 10_000);
    expect(await forget()).toBe(24 * 5_000);
    expect(left()).toBe(50_000_000 - 24 * 5_000);
  });
});
