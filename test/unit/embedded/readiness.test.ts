/** A start waits as long as the server does something, however long that takes. */
import { describe, expect, test } from '@jest/globals';
import { lastActivity, type Activity } from '../../../embedded/processes/readiness.ts';
import { readWorkedMs } from '../../../embedded/processes/process-table.ts';

const began: Activity = { at: 0, workedMs: 1_000, logBytes: 500 };
const HOUR_MS = 3_600_000;

describe('a server that starts', () => {
  test.each([
    ['has worked', { workedMs: 1_300 }],
    ['has written to its log', { logBytes: 501 }],
    ['has begun a new log', { logBytes: 0 }],
  ])('is active when it %s', (_what, done) => {
    const now = { ...began, at: HOUR_MS, ...done };
    expect(lastActivity(began, now)).toBe(now);
  });

  test('is not when it only looks at its timers', () => {
    expect(lastActivity(began, { ...began, at: HOUR_MS, workedMs: 1_299 })).toBe(began);
  });

  test('is active all the time when its work comes slowly', () => {
    let seen = began;
    for (let minute = 1; minute <= 600; minute += 1) {
      const now = { ...seen, at: minute * 60_000, workedMs: 1_000 + minute * 200 };
      seen = lastActivity(seen, now);
      expect(now.at - seen.at).toBeLessThan(120_000);
    }
  });
});

test('the time that a process has worked grows while it works, and there is none of no process', () => {
  const before = readWorkedMs(process.pid) ?? Number.NaN;
  const { user: from } = process.cpuUsage();
  while (process.cpuUsage().user - from < 30_000);
  expect(readWorkedMs(process.pid)).toBeGreaterThan(before);
  expect(readWorkedMs(2 ** 30)).toBeUndefined();
});
