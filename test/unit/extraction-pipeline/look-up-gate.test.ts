import { beforeEach, describe, expect, test } from '@jest/globals';
import { createLookUpGate } from '../../../engine/knowledge/look-up-gate.ts';

let now: number;
let gate: ReturnType<typeof createLookUpGate>;
beforeEach(() => {
  now = 0;
  gate = createLookUpGate(() => now);
});

describe('an account whose look-up was too slow', () => {
  test('does not ask the index for a while, and other accounts do', () => {
    expect(gate.mayAsk('slow')).toBe(true);
    gate.failed('slow');
    expect(gate.mayAsk('slow')).toBe(false);
    expect(gate.mayAsk('other')).toBe(true);
    now = 4_999;
    expect(gate.mayAsk('slow')).toBe(false);
    now = 5_000;
    expect(gate.mayAsk('slow')).toBe(true);
  });

  test('asks through one commit after the pause, until there is an answer', () => {
    gate.failed('slow');
    now = 5_000;
    expect([gate.mayAsk('slow'), gate.mayAsk('slow')]).toEqual([true, false]);
    gate.answered('slow');
    expect([gate.mayAsk('slow'), gate.mayAsk('slow')]).toEqual([true, true]);
  });

  test('waits twice as long each time, up to five minutes', () => {
    const pauses: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      gate.failed('slow');
      const from = now;
      while (!gate.mayAsk('slow')) now += 1_000;
      pauses.push((now - from) / 1_000);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  });
});
