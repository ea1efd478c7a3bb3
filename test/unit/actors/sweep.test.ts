import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Mailbox } from '../../../domain/actors/names.ts';
import type { Actors, TemporalState } from '../../../runtime/actors/actors.ts';
import { eventually } from '../../support/patience.ts';
import { backOffMs, createSweep, type RunStarter } from '../../../runtime/actors/sweep.ts';

const silentLog = { info() {}, warn() {}, error() {} };
const accountId = '0199b2f0-7a10-7cc2-a5d6-0123456789ab';
const neglected: Mailbox[] = [0, 1, 2].map((shard) => ({ accountId, kind: 'ingest', shard }));

function scene(
  options: {
    readonly temporal?: TemporalState;
    readonly ring?: Actors['ring'];
    readonly taken?: number;
    readonly starters?: ReadonlyMap<string, RunStarter>;
  } = {},
) {
  const marked: number[] = [];
  const rung: number[] = [];
  const dispatched: string[] = [];
  const sweep = createSweep({
    actors: {
      probe: () => Promise.resolve(options.temporal ?? 'serving'),
      ring:
        options.ring ??
        (async ({ shard }) => {
          rung.push(shard);
        }),
    },
    mailboxes: {
      neglected: () => Promise.resolve(neglected),
      async markRung({ shard }) {
        marked.push(shard);
        return shard !== options.taken;
      },
    },
    runs: {
      undispatched: () =>
        Promise.resolve([
          { accountId, runId: 'a', kind: 'reconcile' },
          { accountId, runId: 'b', kind: 'contest' },
        ]),
      async markDispatched({ runId }) {
        dispatched.push(runId);
        return true;
      },
    },
    starters: options.starters ?? new Map(),
    log: silentLog,
    random: () => 0.5,
    intervalMs: 5,
  });
  return { sweep, marked, rung, dispatched };
}

describe('one pass', () => {
  test('rings neglected mailboxes, unless another process was first', async () => {
    const { sweep, rung } = scene({ taken: 1 });
    expect(await sweep.once()).toEqual({ temporal: 'serving', rung: 2, dispatched: 0 });
    expect(new Set(rung)).toEqual(new Set([0, 2]));
  });

  test('marks no mailbox while Temporal is away, so that each is rung when it returns', async () => {
    const { sweep, marked } = scene({ temporal: 'away' });
    expect(await sweep.once()).toEqual({ temporal: 'away', rung: 0, dispatched: 0 });
    expect(marked).toEqual([]);
  });

  test('reports that Temporal declined and starts no run then', async () => {
    const { sweep, dispatched } = scene({
      ring: () => Promise.reject(new Error('declined')),
      starters: new Map([['reconcile', () => Promise.resolve()]]),
    });
    expect(await sweep.once()).toMatchObject({ temporal: 'refusing', rung: 0 });
    expect(dispatched).toEqual([]);
  });

  test('starts the runs whose kind it knows and marks only those', async () => {
    const started: string[] = [];
    const { sweep, dispatched } = scene({
      starters: new Map([
        [
          'reconcile',
          async ({ runId }) => {
            started.push(runId);
          },
        ],
      ]),
    });
    expect(await sweep.once()).toMatchObject({ dispatched: 1 });
    expect(started).toEqual(['a']);
    expect(dispatched).toEqual(['a']);
  });
});

describe('a start that Temporal declines', () => {
  test('leaves the run unmarked and the pass reports it', async () => {
    const { sweep, dispatched } = scene({
      starters: new Map([['reconcile', () => Promise.reject(new Error('declined'))]]),
    });
    expect(await sweep.once()).toEqual({ temporal: 'refusing', rung: 3, dispatched: 0 });
    expect(dispatched).toEqual([]);
  });
});

test('the loop goes on after a failed pass and ends when closed', async () => {
  let passes = 0;
  const sweep = createSweep({
    actors: {
      probe: () => {
        passes += 1;
        return Promise.reject(new Error('broken'));
      },
      ring: () => Promise.resolve(),
    },
    mailboxes: { neglected: () => Promise.resolve([]), markRung: () => Promise.resolve(true) },
    runs: { undispatched: () => Promise.resolve([]), markDispatched: () => Promise.resolve(true) },
    starters: new Map(),
    log: silentLog,
    random: () => 0,
    intervalMs: 2,
  });
  sweep.start();
  await eventually(() => passes > 3);
  await sweep.close();
  const after = passes;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(passes).toBe(after);
});

test('a run that was just entered is not kept waiting for the next turn', async () => {
  const passes: number[] = [];
  const sweep = createSweep({
    actors: {
      probe: async () => {
        passes.push(performance.now());
        return 'serving';
      },
      ring: () => Promise.resolve(),
    },
    mailboxes: { neglected: () => Promise.resolve([]), markRung: () => Promise.resolve(true) },
    runs: { undispatched: () => Promise.resolve([]), markDispatched: () => Promise.resolve(true) },
    starters: new Map(),
    log: silentLog,
    random: () => 0,
    intervalMs: 3_600_000,
  });
  const until = async (count: number): Promise<void> => {
    await eventually(() => passes.length >= count);
    expect(passes).toHaveLength(count);
  };
  // Nothing before the start: a command has no sweep.
  sweep.soon();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(passes).toEqual([]);
  sweep.start();
  await until(1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  sweep.soon();
  await until(2);
  await sweep.close();
  sweep.soon();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(passes).toHaveLength(2);
});

test('waiting grows with refusals, keeps its jitter and never passes half a minute', () => {
  expect(backOffMs(2_000, 0, 0.9)).toBe(2_000);
  fc.assert(
    fc.property(fc.nat(50), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const ms = backOffMs(2_000, failures + 1, random);
      expect(ms).toBeGreaterThanOrEqual(2_000);
      expect(ms).toBeLessThanOrEqual(30_000);
    }),
  );
});

describe('the sweep calls its callback for the return of Temporal', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A sweep that finds Temporal so, pass by pass, and the last way from then on. */
  function sweepThrough(states: (passes: number) => TemporalState) {
    let passes = 0;
    return createSweep({
      actors: { probe: async () => states((passes += 1)), ring: () => Promise.resolve() },
      mailboxes: { neglected: () => Promise.resolve([]), markRung: () => Promise.resolve(true) },
      runs: {
        undispatched: () => Promise.resolve([]),
        markDispatched: () => Promise.resolve(true),
      },
      starters: new Map(),
      log: silentLog,
      random: () => 0,
      intervalMs: 5,
    });
  }

  async function timesTold(sweep: ReturnType<typeof createSweep>, ms: number): Promise<number> {
    let told = 0;
    sweep.start(() => (told += 1));
    await jest.advanceTimersByTimeAsync(ms);
    await sweep.close();
    return told;
  }

  test('once when Temporal is back after seconds of outage', async () => {
    const startedAt = performance.now();
    const sweep = sweepThrough(() => (performance.now() - startedAt < 3_300 ? 'away' : 'serving'));
    expect(await timesTold(sweep, 4_500)).toBe(1);
  });

  test('not after an outage of a few passes', async () => {
    const sweep = sweepThrough((passes) => (passes < 5 ? 'away' : 'serving'));
    expect(await timesTold(sweep, 500)).toBe(0);
  });

  test('repeatedly while the namespace is lacking', async () => {
    expect(
      await timesTold(
        sweepThrough(() => 'lacking'),
        500,
      ),
    ).toBeGreaterThan(2);
  });
});
