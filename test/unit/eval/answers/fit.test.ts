import { describe, expect, test } from '@jest/globals';
import { confidenceOf, type Signals } from '../../../../domain/answers/extractive/confidence.ts';
import { CONFIDENCE } from '../../../../domain/answers/extractive/weights.ts';
import { fitConfidence, type Example } from '../../../../measure/eval/answers/fit.ts';

const NONE: Signals = {
  fit: 0,
  second: 0,
  otherFit: 0,
  isOtherBetter: 0,
  hasUnknownName: 0,
  isDisputed: 0,
  isProvisional: 0,
};

const example = (isAnswerable: boolean, signals: Partial<Signals>): Example => ({
  signals: { ...NONE, ...signals },
  isAnswerable,
  group: String(isAnswerable),
  share: 1,
});

/** Answerable questions fit better, the more the higher their number; fourteen of each. */
const EXAMPLES = Array.from({ length: 14 }, (_, n) => [
  example(true, { fit: 0.5 + n / 28, second: (n % 3) / 3 }),
  example(false, { fit: n / 28, second: (n % 3) / 3, otherFit: n / 14 }),
]).flat();

describe('fitting the weights of the confidence', () => {
  test('finds which signals speak for and against an answer', () => {
    const weights = fitConfidence(EXAMPLES, ['fit', 'second', 'otherFit']);
    expect(weights.fit).toBeGreaterThan(1);
    expect(weights.otherFit).toBeLessThan(-0.1);
    expect(Math.abs(weights.second)).toBeLessThan(weights.fit / 4);
  });

  test('refuses at most seven percent of the answerable examples, and most of the others', () => {
    const weights = fitConfidence(EXAMPLES, ['fit', 'otherFit']);
    const refused = (isAnswerable: boolean): number =>
      EXAMPLES.filter((one) => one.isAnswerable === isAnswerable).filter(
        ({ signals }) => confidenceOf(signals, weights) < 50,
      ).length;
    expect(refused(true)).toBe(0);
    expect(refused(false)).toBeGreaterThan(9);
  });

  test('gives signals that are not used no weight, and leaves those alone that never differ', () => {
    const weights = fitConfidence(EXAMPLES, ['fit', 'isDisputed']);
    expect(weights.isDisputed).toBe(CONFIDENCE.isDisputed);
    expect(weights).toMatchObject({ second: 0, otherFit: 0, isOtherBetter: 0, isProvisional: 0 });
  });

  test('gives the same weights on every run, and however often a group is repeated', () => {
    const once = fitConfidence(EXAMPLES, ['fit', 'otherFit']);
    expect(fitConfidence(EXAMPLES, ['fit', 'otherFit'])).toEqual(once);
    const twice = fitConfidence([...EXAMPLES, ...EXAMPLES], ['fit', 'otherFit']);
    expect(twice.fit).toBeCloseTo(once.fit, 6);
    expect(twice.otherFit).toBeCloseTo(once.otherFit, 6);
  });
});
