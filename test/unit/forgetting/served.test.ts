/** What is said without a value, and what is not said at all. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foundIn, served } from './values.ts';

describe('a sentence whose rest does not need the value is said without it', () => {
  test.each([
    [
      'Use the temporary callback 020 7946 0011 for urgent contact.',
      '020 7946 0011',
      'Use the temporary callback for urgent contact.',
    ],
    ['Call her (020 7946 0011) tonight.', '020 7946 0011', 'Call her tonight.'],
    ['Call her tonight (phone 020 7946 0011).', '020 7946 0011', 'Call her tonight.'],
    ['Our supplier, Harrow Mills, is late.', 'Harrow Mills', 'Our supplier is late.'],
    ['Ask for the manager, Zed Moss.', 'Zed Moss', 'Ask for the manager.'],
    ['My code 4471 no longer works.', '4471', 'My code no longer works.'],
    ['The room 218 is booked until Friday.', '218', 'The room is booked until Friday.'],
    ['Delete the token zz_41-K8 today.', 'zz_41-K8', 'Delete the token today.'],
    ['Ina’s number 020 7946 0011 changed.', '020 7946 0011', 'Ina’s number changed.'],
    [
      'It was the figure 2,350 USD that they meant.',
      '2,350 USD',
      'It was the figure that they meant.',
    ],
  ])('%s', (text, value, left) => {
    expect(served(text, value)).toBe(left);
  });
});

describe('any other sentence is left out, and the others stay as they are', () => {
  test.each([
    ['Her number is 020 7946 0011.', '020 7946 0011', null],
    ['Call 020 7946 0011.', '020 7946 0011', null],
    ['4471', '4471', null],
    ['I live at 14 Quay Lane. I keep two goats.', '14 Quay Lane', 'I keep two goats.'],
    ['I keep two goats. I live at 14 Quay Lane.', '14 Quay Lane', 'I keep two goats.'],
    ['I keep goats.  I live at 14 Quay Lane.\nI row.', '14 Quay Lane', 'I keep goats.  I row.'],
    ['The code was 4471! Keep it.', '4471', 'Keep it.'],
    ['- 4471\n- milk\n', '4471', '- milk\n'],
    ['Bring 4471 or the key, and the code 4471 too.', '4471', null],
    ['Her number: 020 7946 0011', '020 7946 0011', null],
    ['Was it 4471? Yes.', '4471', 'Yes.'],
  ])('%s', (text, value, left) => {
    expect(served(text, value)).toBe(left);
  });
});

test('a text that holds nothing is itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      if (foundIn(text, '4471', 'quay lane').length === 0) {
        expect(served(text, '4471', 'quay lane')).toBe(text);
      }
    }),
  );
});

describe('whatever a text is', () => {
  const part = fc.constantFrom(
    '4471',
    '44',
    '71',
    'Quay',
    'Lane',
    'quay lane',
    'the code',
    'my number',
    'is',
    '(',
    ')',
    ',',
    '. ',
    '\n',
    ' ',
    'Yes',
    '-',
    '“',
    '4 471',
  );
  const text = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(' '));
  const spaced = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(''));
  const isPartOf = (left: string, whole: string): boolean => {
    let at = 0;
    for (const sign of whole) if (sign === left[at]) at += 1;
    return at >= left.length;
  };

  test('nothing of a value is left, the same again changes nothing, and nothing is added', () => {
    fc.assert(
      fc.property(fc.oneof(text, spaced), (whole) => {
        const left = served(whole, '4471', 'quay lane', '44 71');
        if (left === null) return;
        expect(foundIn(left, '4471', 'quay lane', '44 71')).toEqual([]);
        expect(served(left, '4471', 'quay lane', '44 71')).toBe(left);
        expect(isPartOf(left, whole)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
