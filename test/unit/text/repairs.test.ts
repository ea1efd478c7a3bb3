/** Which words of a question may be repaired, and what they are taken for. */
import { describe, expect, test } from '@jest/globals';
import {
  MOST_REPAIRED_LETTERS,
  MOST_REPAIRED_WORDS,
  repairableWords,
  repairsOf,
  unknownWords,
} from '../../../engine/text/repairs.ts';

const NO_COMPOUNDS = { compounds: [] };

describe('the words of a question that may be repaired', () => {
  const repairable = (...words: string[]) => repairableWords(words).map(({ word }) => word);

  test('are long enough, and neither numbers nor stop words', () => {
    expect(repairable('when', 'did', 'anna', 'lwave', 'rte66', 'abc', '2026', 'anna')).toEqual([
      'anna',
      'lwave',
    ]);
  });

  test('are none that the lists of everyday words know, whether a statement has them or not', () => {
    expect(repairable('pets', 'hobby', 'describe', 'canooe')).toEqual(['canooe']);
  });
});

describe('the unknown words', () => {
  const unknown = (question: string, known: readonly string[]) =>
    unknownWords(repairableWords([question]), NO_COMPOUNDS, (term) =>
      known.includes(term) ? 1 : 0,
    ).map(({ word }) => word);

  test('are those whose term no statement holds', () => {
    expect(unknown('canooes harbuor', ['cano'])).toEqual(['canooes', 'harbuor']);
    expect(unknown('canoes harbuor', ['cano'])).toEqual(['harbuor']);
  });

  test('are none that two known words make up', () => {
    const compounds = [{ term: 'roadtrip', parts: ['road', 'trip'] as const }];
    const frequency = (term: string): number => (['road', 'trip'].includes(term) ? 1 : 0);
    expect(unknownWords(repairableWords(['roadtrip']), { compounds }, frequency)).toEqual([]);
  });

  test('are the first three', () => {
    expect(unknown('canooe harbuor paddlle jettty', [])).toHaveLength(MOST_REPAIRED_WORDS);
  });

  test('are the first that have no more letters together than are looked for', () => {
    const [long, longer] = ['straightforwardlyishnesa', 'internationalizationixqz'];
    expect(long.length + longer.length).toBeGreaterThan(MOST_REPAIRED_LETTERS);
    expect(unknown(`${long} ${longer} canooe`, [])).toEqual([long]);
    expect(unknown(`canooe ${long} harbuor`, [])).toEqual(['canooe', long, 'harbuor']);
  });
});

describe('an unknown word is taken for', () => {
  const meant = (word: string, held: Readonly<Record<string, number>>): string | undefined => {
    const unknown = unknownWords(repairableWords([word]), NO_COMPOUNDS, () => 0);
    return repairsOf(unknown, (term) => held[term] ?? 0)[0]?.meant;
  };

  test('a term with the same first letter, then one in most statements, then the first', () => {
    expect(meant('toats', { coat: 9, toast: 1 })).toBe('toast');
    expect(meant('canon', { cano: 2, cannon: 3 })).toBe('cannon');
    expect(meant('tramm', { tramp: 1, tram: 1 })).toBe('tram');
  });

  test('the term of a word in another form', () => {
    expect(meant('canooes', { cano: 1 })).toBe('cano');
  });

  test('nothing that is more than one slip away', () => {
    expect(meant('photogrqhpy', { photographi: 1 })).toBeUndefined();
  });
});
