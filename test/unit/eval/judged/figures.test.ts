/** Shares, coverage and calibration of judged statements. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  calibrationError,
  coverage,
  shares,
  VERDICTS,
  type JudgedStatement,
} from '../../../../measure/eval/judged/figures.ts';

const judged = (verdict: JudgedStatement['verdict'], confidence = 1): JudgedStatement => ({
  verdict,
  confidence,
  rule: 'event',
});

const statement = fc.record({
  verdict: fc.constantFrom(...VERDICTS),
  confidence: fc.constantFrom(0, 0.25, 0.6, 0.8, 1),
  rule: fc.constant('event'),
});
const SEEDED = { seed: 40, numRuns: 300 };

test('shares are those of each verdict, and add up to one', () => {
  expect(shares([judged('fact'), judged('fact'), judged('wrong'), judged('none')])).toEqual({
    fact: 0.5,
    none: 0.25,
    dangling: 0,
    wrong: 0.25,
    others: 0,
  });
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1 }), (statements) => {
      const sum = Object.values(shares(statements)).reduce((all, share) => all + share, 0);
      expect(sum).toBeCloseTo(1);
    }),
    SEEDED,
  );
});

test('the calibration error is nought when as many are right as confidence says', () => {
  const four = [0.75, 0.75, 0.75, 0.75].map((confidence, n) =>
    judged(n === 0 ? 'wrong' : 'fact', confidence),
  );
  expect(calibrationError(four)).toBe(0);
  expect(calibrationError([...four, judged('none', 1)])).toBeCloseTo(0.2);
});

test('the calibration error is a share', () => {
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1 }), (statements) => {
      const error = calibrationError(statements);
      expect(error).toBeGreaterThanOrEqual(0);
      expect(error).toBeLessThanOrEqual(1);
    }),
    SEEDED,
  );
});

test('coverage is counted apart for messages with a fact and without', () => {
  const read = [
    { holdsFact: true, hasStatement: true },
    { holdsFact: true, hasStatement: false },
    { holdsFact: false, hasStatement: false },
  ];
  expect(coverage(read)).toEqual({ withFact: 0.5, withoutFact: 0 });
  expect(coverage([])).toEqual({ withFact: 0, withoutFact: 0 });
});
