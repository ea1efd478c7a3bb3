import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { DETERMINISTIC_DIMENSIONS } from '../../../domain/models/role-config.ts';
import { embedDeterministic } from '../../../engine/text/embedding/deterministic.ts';

function cosine(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

test('every text with a letter has a vector of length one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const vector = embedDeterministic(`a1 ${text}`);
      expect(vector).toHaveLength(DETERMINISTIC_DIMENSIONS);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }),
  );
});

test('a text without letters and digits has the zero vector', () => {
  expect(embedDeterministic(' ?! ').every((value) => value === 0)).toBe(true);
});

test('a text is nearer to a rewording than to another subject', () => {
  const query = embedDeterministic('Ada moved to Oslo');
  const near = cosine(query, embedDeterministic('In May Ada was moving to Oslo'));
  const far = cosine(query, embedDeterministic('The printer needs a new cartridge'));
  expect(near).toBeGreaterThan(far + 0.3);
});

test('the vector of a known text never changes without a new version', () => {
  const vector = embedDeterministic('Ada moved to Oslo');
  const digest = vector.reduce((sum, value, i) => sum + Math.round(value * 1e6) * (i + 1), 0);
  expect(digest).toBe(98_848_506);
});
