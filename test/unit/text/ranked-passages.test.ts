import { describe, expect, test } from '@jest/globals';
import { contentTerms } from '../../../engine/text/analyze.ts';
import { PASSAGE_CHARS, PASSAGE_TERMS, rankedPassages } from '../../../engine/text/passages.ts';

const SENTENCE = 'Anna repairs seven wooden boats near Bergen harbour.';

describe('ranked passages', () => {
  test('leave a short message whole and give none for a blank one', () => {
    expect(rankedPassages('Hello there. I sold the boat.')).toEqual([
      'Hello there. I sold the boat.',
    ]);
    expect(rankedPassages(' \n ')).toEqual([]);
  });

  test('end at a sentence and hold at most forty content terms', () => {
    const passages = rankedPassages(Array.from({ length: 30 }, () => SENTENCE).join(' '));
    expect(passages.length).toBeGreaterThan(4);
    for (const passage of passages) {
      expect(passage.endsWith('harbour.')).toBe(true);
      expect(contentTerms(passage).length).toBeLessThanOrEqual(PASSAGE_TERMS);
    }
    expect(passages.join(' ').split('harbour.')).toHaveLength(31);
  });

  test('cut a sentence without an end between words, and a run without white space too', () => {
    const words = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ');
    const passages = rankedPassages(words);
    expect(passages).toHaveLength(5);
    expect(passages.join(' ')).toBe(words);
    const run = '湖'.repeat(400);
    for (const passage of rankedPassages(run)) {
      expect(contentTerms(passage).length).toBeLessThanOrEqual(PASSAGE_TERMS);
    }
    expect(rankedPassages(run).join('').replaceAll(' ', '')).toBe(run);
  });

  test.each([
    ['the '.repeat(20_000), 'stop words'],
    ['a\n'.repeat(20_000), 'short lines'],
    ['x'.repeat(60_000), 'one word'],
    [`Anna${' '.repeat(60_000)}sails`, 'white space'],
  ])('are short even where a text has no terms: %#', (text) => {
    const passages = rankedPassages(text);
    for (const passage of passages) expect(passage.length).toBeLessThanOrEqual(PASSAGE_CHARS);
    expect(passages.join('').replaceAll(/\s/gu, '')).toBe(text.replaceAll(/\s/gu, ''));
  });

  test('cut no surrogate pair', () => {
    for (const passage of rankedPassages('𠀀'.repeat(200)))
      expect(passage.isWellFormed()).toBe(true);
  });
});
