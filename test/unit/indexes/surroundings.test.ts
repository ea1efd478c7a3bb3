/** What a message is found by besides its own words. */
import { describe, expect, test } from '@jest/globals';
import {
  bagsOf,
  hearsAssistant,
  type Surroundings,
  type Turn,
} from '../../../engine/analysis/surroundings.ts';
import { readUnit } from '../../../engine/text/ranked-unit.ts';

const turn = (text: string, speaker = 'ben', role = 'user'): Turn => ({ speaker, role, text });
const ALONE: Surroundings = {
  speaker: 'ann',
  speakerName: 'Ann Lindqvist',
  role: 'user',
  at: Date.parse('2031-03-12T09:30:00.000Z'),
  offsetMinutes: 0,
  before: [],
  after: [],
};
const read = (text: string) => text.split('|').map(readUnit);

/** Weights of words in the bag of each passage of `said`. */
function weights(said: string, around: Partial<Surroundings>, words: readonly string[]) {
  const bags = bagsOf(read(said), { ...ALONE, ...around }, read);
  return bags.map(({ terms }) => words.map((word) => Number((terms.get(word) ?? 0).toFixed(2))));
}

describe('a message is found by', () => {
  test('words of the turns beside it, fewer of those further away, none of those beyond', () => {
    const before = [turn('Lantern.'), turn('Ferry.')];
    const after = [turn('Harbour.'), turn('Violin.|Cheese.')];
    expect(
      weights('Boats.', { before, after }, [
        'boat',
        'lantern',
        'ferri',
        'harbour',
        'violin',
        'chees',
      ]),
    ).toEqual([[1, 0.33, 0.15, 0.33, 0.15, 0]]);
  });

  test('words of its own neighbouring passages, and only its ends by those of other turns', () => {
    const before = [turn('Violin.|Cheese.')];
    expect(weights('Boats.|Ferry.|Harbour.', { before }, ['violin', 'chees', 'harbour'])).toEqual([
      [0.15, 0.33, 0.15],
      [0, 0.15, 0.33],
      [0, 0, 1],
    ]);
  });

  test('nothing of a turn that lends no words, which keeps its place', () => {
    const before = [null, turn('Ferry.'), turn('Lantern.')];
    expect(weights('Boats.', { before }, ['ferri', 'lantern'])).toEqual([[0.15, 0]]);
  });

  test('the question of another person directly before it, and no question of its own speaker', () => {
    const asked = (speaker: string) =>
      weights('Boats.', { before: [turn('Cheese?', speaker)] }, ['chees']);
    expect(asked('ben')).toEqual([[1.03]]);
    expect(asked('ann')).toEqual([[0.33]]);
  });

  test('the name of its speaker and its day', () => {
    expect(weights('Boats.', {}, ['ann', 'lindqvist', 'march'])).toEqual([[0.5, 0.5, 0.25]]);
  });
});

describe('beside an assistant', () => {
  const before = [turn('Cheese?', 'helper', 'Assistant')];

  test('neither a name nor a question adds words', () => {
    expect(weights('Boats.', { before }, ['ann', 'chees'])).toEqual([[0, 0.33]]);
  });

  test('is whoever answers one or is answered', () => {
    expect(hearsAssistant({ ...ALONE, before })).toBe(true);
    expect(hearsAssistant({ ...ALONE, role: 'assistant' })).toBe(true);
    expect(hearsAssistant({ ...ALONE, after: [null, turn('Cheese.')] })).toBe(false);
  });
});

test('a chunk of a document is found by its own words and by those of its neighbouring passages', () => {
  const [first] = bagsOf(read('Boats.|Ferry.'), null, read);
  expect([...(first?.terms.keys() ?? [])].toSorted()).toEqual(['boat', 'ferri']);
});
