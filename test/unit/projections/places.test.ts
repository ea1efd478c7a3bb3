/** Where passages of masked messages stand in the messages as they were received. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placedPassagesOf } from '../../../engine/analysis/passages.ts';
import { placesOf } from '../../../engine/analysis/places.ts';
import { MASK } from '../../../engine/secrets/mask-word.ts';

const points = (text: string): string[] => Array.from(text);

test('passages of a message without a secret are where they were cut', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a word ', '🦜 ', 'é', '\n\n', 'end. ')), (parts) => {
      const content = parts.join('').repeat(40);
      const placed = placedPassagesOf(content);
      placesOf(content, content, placed).forEach((place, n) => {
        const text = placed[n]?.text ?? '';
        expect(
          points(content)
            .slice(place ?? -1, (place ?? 0) + points(text).length)
            .join(''),
        ).toBe(text);
      });
    }),
  );
});

test('passages of a message with secrets are where the texts between the masks stand', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('harbour ', 'the town 🦜 ', 'quiet. '), fc.boolean()), {
        minLength: 300,
        maxLength: 900,
      }),
      (parts) => {
        const content = parts
          .map(([text, holds]) => (holds ? `${text}KEY-XXXXXXXXXXXXXX ` : text))
          .join('');
        const masked = content.replaceAll('KEY-XXXXXXXXXXXXXX', MASK);
        const placed = placedPassagesOf(masked);
        placesOf(content, masked, placed).forEach((place, n) => {
          expect(place).not.toBeNull();
          const [beginning = ''] = (placed[n]?.text ?? '').split('[');
          expect(
            points(content)
              .slice(place ?? 0)
              .join('')
              .startsWith(beginning),
          ).toBe(true);
        });
      },
    ),
    { numRuns: 30 },
  );
});

test('places are not known where a text between masks is not found', () => {
  const placed = placedPassagesOf(`${MASK} other words`);
  expect(placesOf('quite another text', `${MASK} other words`, placed)).toEqual([null]);
});
