/** A projection drain goes on when Qdrant has a batch, and hears later what became of its records. */
import { describe, expect, test } from '@jest/globals';
import { ProjectionFlow } from '../../../activities/projection-flow.ts';
import type { BegunRefresh, MarkCounts } from '../../../engine/indexes/refresh.ts';

const INPUT = { accountId: 'account', shard: 0, maxMs: 60_000, maxUnits: 5_000 };
const signal = new AbortController().signal;

const counts = (written: number): MarkCounts => ({ written, deleted: 0, failed: 0 });

/** Refreshes of one mark for each index, whose records end when the test says so. */
function scene() {
  const records: PromiseWithResolvers<MarkCounts>[] = [];
  const begun: BegunRefresh[] = [];
  const beginRefresh = async (): Promise<BegunRefresh> => {
    const next = begun.shift();
    if (next !== undefined) return next;
    const ending = Promise.withResolvers<MarkCounts>();
    records.push(ending);
    return { ...counts(1), full: true, trailing: { marks: 1, ended: ending.promise } };
  };
  const flow = new ProjectionFlow(
    {
      mailboxes: { nextDueInMs: async () => null },
      indexer: { beginRefresh },
      inTurn: (_signal, work) => work(),
      tracing: undefined,
    },
    INPUT,
    1,
  );
  return { begun, flow, records };
}

const ok = (units: number) => ({ ok: units, retry: 0, failed: 0, fenced: 0 });

describe('a step of a projection drain', () => {
  test('ends while its records are under way, and a later step counts them', async () => {
    const { flow, records } = scene();
    expect(await flow.step(500, signal)).toEqual(ok(1));
    expect(flow.units).toBe(1);
    records[0]?.resolve({ written: 1, deleted: 1, failed: 2 });
    await records[0]?.promise;
    expect(await flow.step(500, signal)).toEqual({ ...ok(3), retry: 2 });
    expect(flow.units).toBe(1);
  });

  test('waits for the first of eight batches whose records are under way', async () => {
    const { flow, records } = scene();
    for (let n = 0; n < 8; n += 1) await flow.step(500, signal);
    let isBegun = false;
    const ninth = flow.step(500, signal).then(() => void (isBegun = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([isBegun, records.length]).toEqual([false, 8]);
    records[5]?.resolve(counts(1));
    await ninth;
    expect([isBegun, records.length, flow.units]).toEqual([true, 9, 8]);
  });

  test('that finds nothing answers null, however much is under way', async () => {
    const { begun, flow } = scene();
    await flow.step(500, signal);
    begun.push({ ...counts(0), full: false, trailing: null });
    expect(await flow.step(500, signal)).toBeNull();
    expect(flow.units).toBe(1);
  });

  test('throws what the records of an earlier batch failed with', async () => {
    const { flow, records } = scene();
    await flow.step(500, signal);
    records[0]?.reject(new Error('the database is away'));
    await expect(flow.step(500, signal)).rejects.toThrow('the database is away');
  });
});

describe('the end of a projection drain', () => {
  test('waits for all records, and counts each once', async () => {
    const { flow, records } = scene();
    await flow.step(500, signal);
    await flow.step(500, signal);
    const settling = flow.settle(Number.POSITIVE_INFINITY);
    records[1]?.resolve(counts(1));
    expect(await settling).toEqual(ok(1));
    records[0]?.resolve(counts(1));
    expect(await flow.settle(Number.POSITIVE_INFINITY)).toEqual(ok(1));
    expect(flow.units).toBe(0);
    expect(await flow.settle(Number.POSITIVE_INFINITY)).toBeNull();
  });

  test('fails with what the records failed with', async () => {
    const { flow, records } = scene();
    await flow.step(500, signal);
    records[0]?.reject(new Error('the database is away'));
    await expect(flow.settle(Number.POSITIVE_INFINITY)).rejects.toThrow('the database is away');
  });
});
