import { describe, expect, test } from '@jest/globals';
import { bootstrapInterval, randomFrom } from '../../../../measure/eval/rank/bootstrap.ts';
import {
  compare,
  differenceOf,
  kindsOf,
  ofKind,
} from '../../../../measure/eval/rank/comparison.ts';
import { figuresOf, meanOf, MRR, R10 } from '../../../../measure/eval/rank/metrics.ts';
import type { ScoredConversation } from '../../../../measure/eval/rank/variant.ts';

describe('figures of a ranked list', () => {
  test('are the shares of gold messages within each depth, and the rank of the first', () => {
    const ranked = ['a', 'b', 'gold1', 'c', 'd', 'e', 'gold2'];
    expect(figuresOf(ranked, ['gold1', 'gold2', 'gold3'])).toEqual([
      0,
      1 / 3,
      2 / 3,
      2 / 3,
      2 / 3,
      1 / 3,
    ]);
    expect(figuresOf([], ['gold1'])).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('are meant over questions, in percent', () => {
    const mean = meanOf([figuresOf(['g'], ['g']), figuresOf(['x', 'g'], ['g'])]);
    expect(mean).toEqual([50, 100, 100, 100, 100, 75]);
  });
});

describe('the bootstrap', () => {
  test('repeats', () => {
    const differences = [
      [1, -1, 0, 2, 5],
      [0, 0, 3],
    ];
    expect(bootstrapInterval(differences)).toEqual(bootstrapInterval(differences));
    expect(randomFrom(7)()).toBe(randomFrom(7)());
    expect(randomFrom(7)()).not.toBe(randomFrom(8)());
  });

  test('excludes zero for a steady gain and includes it for a gain of few questions', () => {
    const steady = bootstrapInterval([
      Array.from({ length: 100 }, (_, n) => (n % 3 === 0 ? 0 : 1)),
    ]);
    expect(steady.low).toBeGreaterThan(0);
    const rare = bootstrapInterval([[9, ...Array.from({ length: 50 }, () => 0)]]);
    expect(rare.low).toBe(0);
    expect(rare.high).toBeGreaterThan(0);
  });
});

function scored(name: string, kinds: readonly string[], recalls: readonly number[]) {
  return {
    conversation: {
      name,
      style: 'peers',
      messages: [],
      questions: kinds.map((kind) => ({ text: '', gold: [], answer: null, kind })),
      unanswerable: [],
      facts: [],
    },
    figures: recalls.map((recall) => [0, 0, recall, 0, 0, recall]),
  } satisfies ScoredConversation;
}

describe('a comparison', () => {
  const baseline = [scored('a', ['who', 'when'], [0, 1]), scored('b', ['who'], [1])];
  const variant = [scored('a', ['who', 'when'], [1, 1]), scored('b', ['who'], [0.5])];

  test('pairs the questions and counts the conversations that became better', () => {
    const found = differenceOf(variant, baseline, R10);
    expect(found.mean).toBeCloseTo((100 + 0 - 50) / 3);
    expect([found.better, found.of]).toEqual([1, 2]);
    expect(compare(variant, null).recall).toBeNull();
    expect(compare(variant, baseline).figures[MRR]).toBeCloseTo(250 / 3);
  });

  test('can be made of the questions of one kind', () => {
    expect(kindsOf(baseline)).toEqual(['who', 'when']);
    expect(compare(ofKind(variant, 'when'), ofKind(baseline, 'when')).recall?.mean).toBe(0);
  });
});
