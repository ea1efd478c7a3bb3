/** What is late is dropped, by a clock of the test's own. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/error-class.ts';
import { PROFILES, RETRIEVAL_PROFILES } from '../../../domain/retrieval/strategies.ts';
import {
  databaseTimeMs,
  partsTogether,
  partWithin,
  reasonOf,
  runStrategy,
  startDeadline,
  strategyTimeMs,
} from '../../../engine/retrieval/deadline.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const { signal } = new AbortController();
const FOUND = { reason: null };

/** Lasts so many milliseconds, or until it is told to stop. */
function lasting(ms: number, told: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    told.addEventListener('abort', () => reject(told.reason));
  });
}

/** A strategy that takes `takesMs`, in a search of `budgetMs` (null: no deadline) that has `spentMs` behind it. */
async function run(takesMs: number, budgetMs: number | null, spentMs = 0) {
  const deadline = startDeadline(() => performance.now(), budgetMs);
  await jest.advanceTimersByTimeAsync(spentMs);
  let told = false;
  const limits = { timeoutMs: 750, reserveMs: 120 };
  const running = runStrategy('lexical', deadline, limits, signal, async (inner) => {
    inner.addEventListener('abort', () => (told = true));
    await lasting(takesMs, inner);
    return FOUND;
  });
  await jest.advanceTimersByTimeAsync(10_000);
  const { outcome, found } = await running;
  const { status, reasonClass, elapsedMs } = outcome;
  return { status, reasonClass, elapsedMs, found, told };
}

describe('a strategy', () => {
  test('completes within its time', async () => {
    const ended = { status: 'completed', reasonClass: null, found: FOUND, told: false };
    expect(await run(749, 1_500)).toMatchObject({ ...ended, elapsedMs: 749 });
    expect(await run(179, 300)).toMatchObject({ ...ended, elapsedMs: 179 });
  });

  test.each([
    ['its own time', 1_500, 0, 750],
    ['what the deadline leaves after the reserve', 300, 0, 180],
    ['what others have left of the deadline', 1_500, 1_000, 380],
  ])('is dropped, and told to stop, after %s', async (_, budgetMs, spentMs, elapsedMs) => {
    expect(await run(5_000, budgetMs, spentMs)).toEqual({
      status: 'dropped',
      reasonClass: 'timeout',
      elapsedMs,
      found: null,
      told: true,
    });
  });

  test('does not begin when nothing is left', async () => {
    expect(await run(1, 300, 180)).toMatchObject({
      status: 'dropped',
      reasonClass: 'deadline_exhausted_before_start',
      elapsedMs: 0,
    });
  });

  test('has all the time there is without a deadline', async () => {
    expect(await run(5_000, null)).toMatchObject({ status: 'completed', elapsedMs: 5_000 });
  });
});

describe('a late part', () => {
  /** Milliseconds until a part of 200 ms is given up that needs `stopsMs` to stop. */
  async function givenUpAfter(stopsMs: number): Promise<[number, unknown]> {
    const startedAt = performance.now();
    const given = partWithin(200, signal, async (inner) => {
      await lasting(60_000, inner).catch(() => undefined);
      if (stopsMs > 0) await new Promise((resolve) => setTimeout(resolve, stopsMs));
      return 'too late';
    }).catch((error: unknown) => [performance.now() - startedAt, reasonOf(error)]);
    await jest.advanceTimersByTimeAsync(120_000);
    return (await given) as [number, unknown];
  }

  test('has stopped before the search goes on', async () => {
    expect(await givenUpAfter(0)).toEqual([200, 'timeout']);
    expect(await givenUpAfter(30)).toEqual([230, 'timeout']);
  });

  test('that does not stop holds the search up for a tenth of a second', async () => {
    expect(await givenUpAfter(5_000)).toEqual([300, 'timeout']);
  });
});

describe('parts that run side by side', () => {
  test('give their answers in their order', async () => {
    const asked = partsTogether(signal, [
      (inner) => lasting(20, inner).then(() => 'first'),
      (inner) => lasting(10, inner).then(() => 2),
    ]);
    await jest.advanceTimersByTimeAsync(20);
    expect(await asked).toEqual(['first', 2]);
  });

  test('have stopped when the failure of one of them is known', async () => {
    const ends: string[] = [];
    const asked = partsTogether(signal, [
      (inner) => lasting(60_000, inner).finally(() => ends.push('stopped')),
      async (inner) => {
        await lasting(10, inner);
        throw new RangeError('a defect');
      },
    ]).catch((error: unknown) => ends.push(String(error)));
    await jest.advanceTimersByTimeAsync(10);
    await asked;
    expect(ends).toEqual(['stopped', 'RangeError: a defect']);
  });

  test('stop when the caller leaves', async () => {
    const caller = new AbortController();
    const asked = partsTogether(caller.signal, [(inner) => lasting(60_000, inner)]);
    const left = expect(asked).rejects.toThrow('gone');
    caller.abort(new Error('gone'));
    await left;
  });
});

test('a vector of the wrong width is an invalid result, every other failure of a provider is its error', () => {
  const reasons = (['embedding_width_mismatch', 'request_timeout', 'circuit_open'] as const).map(
    (errorClass) => reasonOf(new ModelFailure(errorClass)),
  );
  expect(reasons).toEqual(['invalid_result', 'timeout', 'provider_error']);
  expect(reasonOf(new RangeError('a defect'))).toBeNull();
});

test('the database gives up a moment after the part of the search that asked it', () => {
  let nowMs = 0;
  const deadline = startDeadline(() => nowMs, 300);
  expect(databaseTimeMs(deadline, 250)).toBe(350);
  nowMs = 200;
  expect(databaseTimeMs(deadline, 250)).toBe(200);
  expect(
    databaseTimeMs(
      startDeadline(() => nowMs, null),
      250,
    ),
  ).toBeNull();
});

test('the times of the profiles are those of f7-1', () => {
  expect(
    PROFILES.map((name) => {
      const { deadlineMs, strategyTimeoutMs } = RETRIEVAL_PROFILES[name];
      return [name, deadlineMs, strategyTimeoutMs];
    }),
  ).toEqual([
    ['fast', 100, 750],
    ['balanced', 300, 750],
    ['thorough', 1_500, 750],
    ['minimal', 300, 750],
  ]);
});

test('a strategy never has more time than its own limit, so that the time of its second index is never zero', () => {
  jest.useRealTimers();
  const deadline = startDeadline(() => 0, 1_500);
  expect(strategyTimeMs(deadline, { timeoutMs: 750, reserveMs: 120 })).toBe(750);
  expect(strategyTimeMs(deadline, { timeoutMs: 5_000, reserveMs: 120 })).toBe(1_380);
  expect(
    strategyTimeMs(
      startDeadline(() => 0, null),
      { timeoutMs: 750, reserveMs: 0 },
    ),
  ).toBeNull();
});
