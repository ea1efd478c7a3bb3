/** What is listed of a statement, and what of a question may be repaired. */
import { describe, expect, test } from '@jest/globals';
import {
  listedWords,
  MOST_LISTED_WORDS,
  repairableWords,
  repairsOf,
} from '../../../engine/text/word-list.ts';

describe('the words that a statement lists', () => {
  test('are its content words of four letters or more, folded, each once', () => {
    expect(listedWords("Anna's CANOE was moored near the old harbour; the canoe is red.")).toEqual([
      'anna',
      'canoe',
      'moored',
      'near',
      'harbour',
    ]);
  });

  test('are no numbers, no ids, no function words and no words of other scripts', () => {
    expect(listedWords('ticket AB1234 and 20261124 with лодка 日本語 für wurde Straße')).toEqual([
      'ticket',
      'straße',
    ]);
  });

  test('are as many as a statement may list', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const words = Array.from(letters.repeat(2), (letter, at) => letter.repeat(4 + (at % 3)) + 'q');
    expect(listedWords(words.join(' '))).toHaveLength(MOST_LISTED_WORDS);
  });
});

describe('the words of a question that may be repaired', () => {
  const repairable = (...words: string[]) => repairableWords(words).map(({ word }) => word);

  test('are long enough, and neither numbers nor stop words', () => {
    expect(repairable('when', 'did', 'anna', 'lwave', 'rte66', 'abc', '2026')).toEqual([
      'anna',
      'lwave',
    ]);
  });

  test('are none that the lists of everyday words know, whether a statement has them or not', () => {
    expect(repairable('pets', 'hobby', 'describe', 'canooe')).toEqual(['canooe']);
  });

  test('are taken for the term of a listed word, where one is near', () => {
    const unknown = repairableWords(['canooes', 'zzzzzz']);
    const near = new Map([['canooes', [{ word: 'canoes', statements: 3 }]]]);
    expect(repairsOf(unknown, near)).toEqual([
      { term: unknown[0]?.term, meant: 'cano', statements: 3 },
    ]);
  });
});
