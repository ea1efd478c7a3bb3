import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { queryOperatorCheck } from '../../../domain/query/match-operators.ts';
import { parseQuery } from '../../../domain/query/parse-query.ts';
import { contentTerms } from '../../../engine/text/analyze.ts';

function matches(query: string, text: string): boolean {
  return queryOperatorCheck(parseQuery(query))(text);
}

const word = fc.constantFrom(
  'cat',
  'Rat',
  'ZÜRICH',
  'नमस्ते',
  'привет',
  '東京',
  'ไทย',
  "don't",
  'x9',
);
const filler = fc.array(fc.oneof(word, fc.constantFrom('.', '-', '\n', '…', '「')), {
  maxLength: 8,
});

describe('operators on a text', () => {
  test('an excluded word never matches a text that contains it, in any case and script', () => {
    fc.assert(
      fc.property(word, filler, filler, (excluded, before, after) => {
        const text = [...before, excluded, ...after].join(' ');
        expect(matches(`anything -${excluded.toLowerCase()}`, text)).toBe(false);
        expect(matches(`-"${excluded.toUpperCase()}"`, text)).toBe(false);
      }),
    );
  });

  test('a quoted part of a text always matches it', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), filler, (phrase, around) => {
        const text = [...around, ...phrase, ...around].join(' ');
        expect(matches(`"${phrase.join(' ')}"`, text)).toBe(true);
        expect(matches(`-"${phrase.join(' ')}"`, text)).toBe(false);
      }),
    );
  });

  test('words match whole and unstemmed', () => {
    expect(matches('-general', 'the next generation')).toBe(true);
    expect(matches('-cat', 'two cats')).toBe(true);
    expect(matches('-cat', 'the CAT, of course')).toBe(false);
    expect(matches('-anna', "Anna's dog")).toBe(false);
    expect(matches('-don', "I don't know")).toBe(true);
  });

  test('a phrase is its words in a row over punctuation, in order', () => {
    expect(matches('"new smartphone"', 'A new, smartphone-like thing')).toBe(true);
    expect(matches('"new smartphone"', 'a smartphone, new')).toBe(false);
    expect(matches('"new smart"', 'new smartphone')).toBe(false);
  });

  test('scripts without spaces match within a run by whole characters', () => {
    expect(matches('"東京"', '私は東京タワーに行った')).toBe(true);
    expect(matches('-東京', '私は東京タワーに行った')).toBe(false);
    expect(matches('"東京"', '東、京')).toBe(false);
    expect(matches('"ที"', 'ที่')).toBe(false);
  });

  test('compositions and diacritics: one form of a letter matches the other, another letter does not', () => {
    expect(matches('-café', 'the cafe\u0301')).toBe(false);
    expect(matches('-schon', 'schön')).toBe(true);
  });

  test('free words do not bind', () => {
    expect(matches('where is the cat', 'a dog')).toBe(true);
    expect(matches('cat -rat', 'a dog')).toBe(true);
  });

  test('one alternative suffices, and free words beside an operator need one occurrence', () => {
    expect(matches('"fat cat" or "fat rat"', 'one fat rat')).toBe(true);
    expect(matches('"fat cat" or dog', 'my dog')).toBe(true);
    expect(matches('"fat cat" or dog', 'a thin cat')).toBe(false);
    expect(matches('cat -rat or dog', 'a rat')).toBe(false);
  });

  test('with the analysis of the ranker an alternative of free words also matches inflected', () => {
    const parsed = parseQuery('"fat cat" or dogs');
    expect(queryOperatorCheck(parsed)('my dog')).toBe(false);
    expect(queryOperatorCheck(parsed, contentTerms)('my dog')).toBe(true);
  });
});
