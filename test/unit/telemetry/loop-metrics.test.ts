/** The lateness of the event loop, as a histogram. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { watchLoop } from '../../../runtime/telemetry/loop-metrics.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

async function counts(registry: Registry): Promise<Record<string, number>> {
  const text = await registry.metrics();
  const found = text.matchAll(/^vouch_event_loop_lag_seconds_(\w+)(?:\{le="([^"]+)"\})? (\S+)$/gm);
  return Object.fromEntries([...found].map(([, name, le = name, value]) => [le, Number(value)]));
}

test('a stretch of work is seen once, with its whole length, and buckets tell 50 and 250 ms apart', async () => {
  const registry = new Registry();
  let at = 0;
  const end = watchLoop(registry, () => at);
  for (const lateMs of [0, 1, 40, 200, 3_000]) {
    at += 20 + lateMs;
    jest.advanceTimersByTime(20);
  }
  end();
  jest.advanceTimersByTime(1_000);
  expect(await counts(registry)).toMatchObject({
    '0.001': 2,
    '0.05': 3,
    '0.25': 4,
    '2.5': 4,
    '5': 5,
    count: 5,
    sum: expect.closeTo(3.241),
  });
});
