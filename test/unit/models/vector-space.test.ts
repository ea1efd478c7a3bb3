/** Keys of vector spaces. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { VectorSpace } from '../../../domain/models/vector-space.ts';
import { vectorSpaceKey } from '../../../domain/models/vector-space.ts';

const SPACE: VectorSpace = {
  provider: 'openai-compatible',
  model: 'acme/Embed.Large:v2',
  version: '1',
  dimensions: 1024,
};

test('the key is stable, readable and fit for a collection name', () => {
  expect(vectorSpaceKey(SPACE)).toBe('embed-large-v2_1024_97567d7e1c262e55');
});

test.each([
  { provider: 'deterministic' },
  { model: 'other/Embed.Large:v2' },
  { version: '2' },
  { dimensions: 512 },
  { documentPrefix: 'passage: ' },
] as Partial<VectorSpace>[])('a change of %j is another space', (change) => {
  expect(vectorSpaceKey({ ...SPACE, ...change })).not.toBe(vectorSpaceKey(SPACE));
});

test('any space has a short key of safe characters', () => {
  const space = fc.record({
    provider: fc.constantFrom('openai-compatible' as const, 'deterministic' as const),
    model: fc.string({ unit: 'grapheme' }),
    version: fc.string(),
    dimensions: fc.integer({ min: 1, max: 65_536 }),
  });
  fc.assert(
    fc.property(space, (value) => {
      expect(vectorSpaceKey(value)).toMatch(/^[a-z0-9-]{1,24}_\d{1,5}_[0-9a-f]{16}$/);
      expect(vectorSpaceKey({ ...value })).toBe(vectorSpaceKey(value));
    }),
  );
});
