import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Loads } from '../../../domain/limits/loads.ts';

const PACE = { unitsPerSecond: 10, freeUnits: 5 };
const LONGEST_MS = 30_000;

describe('the load of an account', () => {
  test('makes it heavy past the free units, for as long as the surplus takes', () => {
    const loads = new Loads(PACE, LONGEST_MS);
    expect(loads.add('a', 5, 0)).toBe(0);
    expect(loads.isHeavy('a', 0)).toBe(false);
    expect(loads.add('a', 2, 0)).toBe(200);
    expect([loads.isHeavy('a', 199), loads.isHeavy('a', 200)]).toEqual([true, false]);
  });

  test('makes it heavy for a bounded time, however large it was', () => {
    const loads = new Loads(PACE, LONGEST_MS);
    expect(loads.add('a', 1e9, 0)).toBe(LONGEST_MS);
    expect(loads.isHeavy('a', LONGEST_MS)).toBe(false);
  });

  test('never makes it heavy while it keeps to the pace, in whatever steps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 200 }), (steps) => {
        const loads = new Loads(PACE, LONGEST_MS);
        let now = 0;
        for (const units of steps) {
          expect(loads.add('a', units, now)).toBe(0);
          now += units * 100;
        }
      }),
    );
  });
});

describe('an account is beside another one', () => {
  test('for two seconds after a request of the other one', () => {
    const loads = new Loads(PACE, LONGEST_MS);
    loads.hear('a', 0);
    loads.hear('b', 1_000);
    expect([loads.hasOther('b', 1_999), loads.hasOther('b', 2_000)]).toEqual([true, false]);
    expect([loads.hasOther('a', 2_999), loads.hasOther('a', 3_000)]).toEqual([true, false]);
  });

  test('that is light only while the other one keeps to its pace', () => {
    const loads = new Loads(PACE, LONGEST_MS);
    loads.add('a', 100, 0);
    loads.add('b', 100, 0);
    expect([loads.hasOther('a', 0), loads.hasLightOther('a', 0)]).toEqual([true, false]);
    loads.hear('c', 0);
    expect(loads.hasLightOther('a', 0)).toBe(true);
  });

  test('and stays heavy while it is silent', () => {
    const loads = new Loads(PACE, LONGEST_MS);
    loads.add('a', 1_000, 0);
    expect(loads.hasOther('b', 5_000)).toBe(false);
    expect(loads.isHeavy('a', 5_000)).toBe(true);
  });
});
