import { expect, test } from '@jest/globals';
import { oneSlipAway } from '../../../../domain/text/spelling.ts';
import { breakQuestion, spellingRows } from '../../../../measure/eval/rank/broken.ts';

const QUESTION = 'When did Caroline describe the pottery workshop?';

test('a question is broken in one word that matters, by one slip, the same in every run', () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 60; seed += 1) {
    const broken = breakQuestion(QUESTION, seed);
    expect(breakQuestion(QUESTION, seed)).toEqual(broken);
    const before = QUESTION.toLowerCase().split(' ');
    const after = (broken?.text ?? '').toLowerCase().split(' ');
    const places = before.flatMap((word, at) => (word === after[at] ? [] : [at]));
    expect([after.length, places.length]).toEqual([before.length, 1]);
    const [place = 0] = places;
    expect([2, 5, 6]).toContain(place);
    expect(oneSlipAway(before[place] ?? '')).toContain(after[place]);
    expect(broken?.beyondRepair.replace('7', '')).toBe(broken?.text);
    seen.add(broken?.text ?? '');
  }
  expect(seen.size).toBeGreaterThan(20);
});

test('a question without a word that matters stays whole', () => {
  expect(breakQuestion('What was it? When? A cat.')).toBeNull();
});

test('what is regained is a share of what was lost', () => {
  const rows = spellingRows('messages', { correct: 80, broken: 70, repaired: 77.5 }, 0.7);
  expect(rows.at(-1)).toMatchObject({ value: 0.75, floor: 0.7 });
});
