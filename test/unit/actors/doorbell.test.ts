import { afterEach, expect, jest, test } from '@jest/globals';
import type { Mailbox } from '../../../domain/actors/names.ts';
import { Doorbell } from '../../../runtime/actors/doorbell.ts';

afterEach(() => {
  jest.useRealTimers();
});

const silentLog = { info() {}, warn() {}, error() {} };

function mailbox(shard: number): Mailbox {
  return { accountId: '0199b2f0-7a10-7cc2-a5d6-0123456789ab', kind: 'ingest', shard };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Scene {
  readonly rung: number[];
  readonly asked: number[][];
}

function scene(
  options: {
    readonly awake?: readonly number[];
    readonly epoch?: () => number;
    readonly ring?: () => Promise<void>;
    readonly maxInFlight?: number;
  } = {},
) {
  const seen: Scene = { rung: [], asked: [] };
  const doorbell = new Doorbell({
    actors: {
      async ring({ shard }) {
        seen.rung.push(shard);
        await options.ring?.();
      },
    },
    async looks(asked) {
      seen.asked.push(asked.map(({ shard }) => shard));
      return asked.map((one) => ({
        mailbox: one,
        awake: options.awake?.includes(one.shard) ?? false,
        epoch: options.epoch?.() ?? 1,
      }));
    },
    log: silentLog,
    flushMs: 5,
    deadlineMs: 200,
    ...(options.maxInFlight === undefined ? {} : { maxInFlight: options.maxInFlight }),
  });
  return { doorbell, ...seen };
}

test('many rings of a mailbox are one signal, after one question to the database', async () => {
  const { doorbell, rung, asked } = scene();
  for (let n = 0; n < 50; n += 1) doorbell.ring(mailbox(n % 2));
  await doorbell.close();
  expect(new Set(rung)).toEqual(new Set([0, 1]));
  expect(rung).toHaveLength(2);
  expect(asked).toEqual([[0, 1]]);
});

test('a mailbox with an awake drain is not rung', async () => {
  const { doorbell, rung } = scene({ awake: [1] });
  for (const shard of [0, 1, 2]) doorbell.ring(mailbox(shard));
  await doorbell.close();
  expect(rung).toEqual([0, 2]);
  expect(doorbell.counts()).toEqual({ rung: 2, awake: 1, unanswered: 0, failed: 0 });
});

test('a ring that was delivered is not repeated until a drain has answered it', async () => {
  let epoch = 4;
  const { doorbell, rung } = scene({ epoch: () => epoch });
  const ringAndWait = async (): Promise<void> => {
    doorbell.ring(mailbox(0));
    await pause(40);
  };
  await ringAndWait();
  await ringAndWait();
  expect(rung).toEqual([0]);
  epoch = 5;
  await ringAndWait();
  await ringAndWait();
  await doorbell.close();
  expect(rung).toEqual([0, 0]);
  expect(doorbell.counts()).toEqual({ rung: 2, awake: 0, unanswered: 2, failed: 0 });
});

test('a ring that failed is repeated', async () => {
  let away = true;
  const { doorbell, rung } = scene({
    ring: () => (away ? Promise.reject(new Error('away')) : Promise.resolve()),
  });
  doorbell.ring(mailbox(0));
  await pause(40);
  away = false;
  doorbell.ring(mailbox(0));
  await doorbell.close();
  expect(rung).toEqual([0, 0]);
});

test('a ring that arrives while the last signal is on its way is sent again', async () => {
  const { doorbell, rung } = scene({ ring: () => pause(40) });
  doorbell.ring(mailbox(0));
  await pause(20);
  doorbell.ring(mailbox(0));
  await doorbell.close();
  expect(rung).toEqual([0, 0]);
});

test('no more than the allowed signals are on their way', async () => {
  let now = 0;
  let most = 0;
  const { doorbell, rung } = scene({
    maxInFlight: 3,
    async ring() {
      now += 1;
      most = Math.max(most, now);
      await pause(5);
      now -= 1;
    },
  });
  for (let shard = 0; shard < 12; shard += 1) doorbell.ring(mailbox(shard));
  await doorbell.close();
  expect(rung).toHaveLength(12);
  expect(most).toBe(3);
});

test('a failed ring is counted and not thrown to the caller', async () => {
  const { doorbell } = scene({ ring: () => Promise.reject(new Error('away')) });
  doorbell.ring(mailbox(0));
  doorbell.ring(mailbox(1));
  await doorbell.close();
  expect(doorbell.counts()).toMatchObject({ rung: 0, failed: 2 });
});

test('a mailbox is rung when the database cannot say whether it is awake', async () => {
  const rung: number[] = [];
  const doorbell = new Doorbell({
    actors: {
      async ring({ shard }) {
        rung.push(shard);
      },
    },
    looks: () => Promise.reject(new Error('away')),
    log: silentLog,
    flushMs: 1,
  });
  doorbell.ring(mailbox(4));
  await doorbell.close();
  expect(rung).toEqual([4]);
});

test('closing gives up on a signal that does not end', async () => {
  jest.useFakeTimers();
  const { doorbell } = scene({ ring: () => new Promise(() => {}) });
  doorbell.ring(mailbox(0));
  const closed = doorbell.close();
  await jest.advanceTimersByTimeAsync(4_000);
  await closed;
  doorbell.ring(mailbox(1));
  await jest.advanceTimersByTimeAsync(20);
  expect(doorbell.counts().rung).toBe(0);
});
