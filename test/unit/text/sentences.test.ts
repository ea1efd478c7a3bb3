import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { sentencesOf } from '../../../engine/text/sentences.ts';

const texts = (text: string): string[] => Array.from(sentencesOf(text), (s) => s.text);

test('sentences end at stops, line breaks and the stops of other scripts', () => {
  expect(texts('One. Two!\nThree 東京。大阪！ यह है। Fin')).toEqual([
    'One.',
    'Two!',
    'Three 東京。',
    '大阪！',
    'यह है।',
    'Fin',
  ]);
});

test('abbreviations and decimals end no sentence', () => {
  expect(texts('Dr. Smith paid 3.50 euros. Good.')).toEqual([
    'Dr. Smith paid 3.50 euros.',
    'Good.',
  ]);
});

test('sentences are verbatim and lose nothing but white space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
      const sentences = [...sentencesOf(text)];
      expect(sentences.every((s) => text.slice(s.start, s.end) === s.text)).toBe(true);
      expect(
        sentences
          .map((s) => s.text)
          .join('')
          .replace(/\s+/gu, ''),
      ).toBe(text.replace(/\s+/gu, ''));
    }),
  );
});
