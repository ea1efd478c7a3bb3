/** What is late is dropped, by a clock of the test's own. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { PROFILES, RETRIEVAL_PROFILES } from '../../../domain/retrieval/strategies.ts';
import {
  databaseTimeMs,
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

/** A strategy that takes `takesMs`, in a search of `budgetMs` (null: no deadline) that has `spentMs` behind it. */
async function run(takesMs: number, budgetMs: number | null, spentMs = 0) {
  const deadline = startDeadline(() => performance.now(), budgetMs);
  await jest.advanceTimersByTimeAsync(spentMs);
  let told = false;
  const limits = { timeoutMs: 750, reserveMs: 120 };
  const running = runStrategy('lexical', deadline, limits, signal, async (inner) => {
    inner.addEventListener('abort', () => (told = true));
    await new Promise((resolve) => setTimeout(resolve, takesMs));
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
