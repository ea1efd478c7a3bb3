/** Words with their parts of speech: where they stand, what they are, and that no word of a caller is kept. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadTagger, tagged } from '../../../engine/english/tagger.ts';

describe('words', () => {
  test('stand where the text has them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        let end = 0;
        for (const word of tagged(text)) {
          expect(text.slice(word.start, word.end)).toBe(word.text);
          expect(word.start).toBeGreaterThanOrEqual(end);
          end = word.end;
        }
      }),
      { seed: 40, numRuns: 300 },
    );
  });

  test('have a part of speech', () => {
    const words = tagged("I don't sell my sister's blue boats in Riga.");
    expect(words.map(({ pos, text }) => `${text}/${pos}`)).toEqual([
      'I/PRON',
      'do/AUX',
      "n't/PART",
      'sell/VERB',
      'my/PRON',
      'sister/NOUN',
      "'s/PART",
      'blue/ADJ',
      'boats/NOUN',
      'in/ADP',
      'Riga/PROPN',
      './PUNCT',
    ]);
  });

  test('of a contraction are two, with straight and with curved apostrophes', () => {
    const halves = (text: string): readonly string[] => tagged(text).map(({ text: word }) => word);
    expect(halves("I've")).toEqual(['I', "'ve"]);
    expect(halves('I’ve')).toEqual(['I', '’ve']);
  });
});

test('a word that the vocabulary does not have is never given to the library', () => {
  const { nlp } = loadTagger();
  const secret = 'Zvuqwelthorpian';
  expect(tagged(`I met ${secret} in Riga.`).some(({ text }) => text === secret)).toBe(true);
  const seen = JSON.stringify(nlp.readDoc('I met xxxxxx in Riga.').out());
  expect(seen).not.toContain(secret);
  expect(loadTagger().knows(secret)).toBe(false);
  expect(loadTagger().knows(secret.toLowerCase())).toBe(false);
});
