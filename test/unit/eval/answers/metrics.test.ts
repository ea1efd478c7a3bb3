import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  answerWords,
  citesGold,
  refused,
  separation,
  type GoldAnswered,
} from '../../../../measure/eval/metrics/answers.ts';

const sure = (...values: number[]) => values.map((confidence) => ({ confidence }));

const answered = (more: Partial<GoldAnswered>): GoldAnswered => ({
  confidence: 80,
  abstained: false,
  text: '',
  citedMessages: [],
  gold: ['m1'],
  answer: null,
  ...more,
});

describe('figures of answers', () => {
  test('count refusals among all answers', () => {
    expect(refused([{ abstained: true }, { abstained: false }])).toBe(0.5);
    expect(refused([])).toBeNaN();
  });

  test.each([
    ['all above', sure(80, 90), sure(10, 20), 1],
    ['all below', sure(10), sure(80, 90), 0],
    ['all equal', sure(50, 50), sure(50), 0.5],
    ['one of two pairs', sure(50), sure(40, 60), 0.5],
    ['an equal pair counts half', sure(50), sure(40, 50), 0.75],
  ])('separate by pairs: %s', (_, answerable, others, wanted) => {
    expect(separation(answerable, others)).toBe(wanted);
  });

  test('separate as counting every pair does', () => {
    const values = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        const pairs = a.flatMap((x) => b.map((y) => (x > y ? 1 : x === y ? 0.5 : 0)));
        const wanted = pairs.reduce<number>((sum, one) => sum + one, 0) / pairs.length;
        expect(separation(sure(...a), sure(...b))).toBeCloseTo(wanted, 10);
      }),
    );
  });

  test('count answers that cite at least one message with the answer', () => {
    const all = [
      answered({ citedMessages: ['m9', 'm2'], gold: ['m1', 'm2'] }),
      answered({ citedMessages: ['m9'] }),
      answered({ citedMessages: [] }),
      answered({ citedMessages: ['m1'] }),
    ];
    expect(citesGold(all)).toBe(0.5);
  });

  test('compare words of answers by their stems, leaving out questions without one', () => {
    const all = [
      answered({ answer: 'red kettles', text: 'She sold the kettle.' }),
      answered({ answer: 'kettles', text: 'Her KETTLE' }),
      answered({ answer: null, text: 'Her kettle' }),
      answered({ answer: 'the', text: 'the' }),
    ];
    expect(answerWords(all)).toBe(0.75);
    expect(answerWords([])).toBeNaN();
  });
});
