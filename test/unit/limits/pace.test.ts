/** Bytes that arrived, and how long the service pauses before it reads more. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pace } from '../../../domain/limits/pace.ts';

const PACE = { unitsPerSecond: 1_000, freeUnits: 500 };

describe('a pace for bytes', () => {
  test('accepts the free bytes at once, and pauses for the surplus', () => {
    const first = pace(PACE, null, 500, 10_000);
    expect(first).toEqual({ doneAtMs: 10_500, pauseMs: 0 });
    expect(pace(PACE, first.doneAtMs, 200, 10_000)).toEqual({ doneAtMs: 10_700, pauseMs: 200 });
  });

  test('saves up no more than the free bytes during a rest', () => {
    const { doneAtMs } = pace(PACE, null, 500, 0);
    expect(pace(PACE, doneAtMs, 600, 1_000_000)).toEqual({ doneAtMs: 1_000_600, pauseMs: 100 });
  });

  test('is kept by a reader that pauses as told: at most the free bytes and the rate', () => {
    const sent = fc.array(fc.record({ bytes: fc.nat(2_000), restMs: fc.nat(3_000) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(sent, (pieces) => {
        let now = 0;
        let all = 0;
        let state: number | null = null;
        for (const { bytes, restMs } of pieces) {
          all += bytes;
          const { doneAtMs, pauseMs } = pace(PACE, state, bytes, now);
          state = doneAtMs;
          now += pauseMs;
          const most = PACE.freeUnits + (now * PACE.unitsPerSecond) / 1_000;
          expect(all).toBeLessThanOrEqual(most + 1e-6);
          now += restMs;
        }
      }),
    );
  });
});
