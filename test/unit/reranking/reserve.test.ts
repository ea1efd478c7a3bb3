/** What a search keeps back for its reranker. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rerankReserveMs } from '../../../domain/retrieval/rerank-reserve.ts';

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

test.each([
  ['120 ms before a call was measured', [], 1_500, 120],
  ['half of a short deadline before a call was measured', [], 100, 50],
  ['a fifth more than the only call', [200], 1_500, 240],
  ['the 90th percentile and a fifth', [...times(90, 100), ...times(10, 900)], 1_500, 120],
  ['more when more than a tenth is slow', [...times(89, 100), ...times(11, 900)], 5_000, 1_080],
  ['at least 50 ms', times(100, 3), 1_500, 50],
  ['at most half of the deadline', times(100, 5_000), 1_500, 750],
  ['half of the deadline rather than 50 ms', times(100, 3), 60, 30],
])('is %s', (_, callsMs, deadlineMs, expected) => {
  expect(rerankReserveMs(callsMs, deadlineMs)).toBeCloseTo(expected);
});

const durations = fc.array(fc.double({ min: 0, max: 10_000, noNaN: true }), { maxLength: 100 });

test('covers at least nine of ten calls, as far as half of the deadline allows', () => {
  fc.assert(
    fc.property(durations, fc.integer({ min: 10, max: 20_000 }), (callsMs, deadlineMs) => {
      const reserve = rerankReserveMs(callsMs, deadlineMs);
      expect(reserve).toBeLessThanOrEqual(deadlineMs / 2);
      const inTime = callsMs.filter((ms) => ms <= reserve).length;
      if (reserve < deadlineMs / 2) expect(inTime).toBeGreaterThanOrEqual(0.9 * callsMs.length);
    }),
  );
});

test('does not depend on the order of the calls', () => {
  fc.assert(
    fc.property(durations, (callsMs) => {
      expect(rerankReserveMs(callsMs.toReversed(), 1_500)).toBe(rerankReserveMs(callsMs, 1_500));
    }),
  );
});
