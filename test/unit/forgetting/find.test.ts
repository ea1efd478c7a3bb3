/** Values are found however they are written, and nothing else is. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findHeld } from '../../../domain/forgetting/find.ts';
import { foundIn, held } from './values.ts';

describe('a value is found', () => {
  test.each([
    ['020 7946 0011', 'Call (020) 7946-0011 now.', '020) 7946-0011'],
    ['020 7946 0011', 'Call 02079460011 now.', '02079460011'],
    ['020 7946 0011', 'Call 020.7946.0011 now.', '020.7946.0011'],
    ['02079460011', 'Call 020-7946-0011, please', '020-7946-0011'],
    ['4471', 'The code ４４７１ opens it.', '４４７１'],
    ['4471', 'الرمز ٤٤٧١', '٤٤٧١'],
    ['2,350 USD', 'It was 2350 USD.', '2350 USD'],
    ['2350 usd', 'It was 2,350 USD.', '2,350 USD'],
    ['Ina@Example.org', 'Write to ina@example.org!', 'ina@example.org'],
    ['zz_41-K8QM', 'The token zz_41-k8qm is old.', 'zz_41-k8qm'],
    ['K8QM', 'Did zz_41-K8QM end so?', 'K8QM'],
    ['O’Brien', "Ask O'Brien.", "O'Brien"],
    ['Harrow Mills', 'We buy from HARROW MILLS.', 'HARROW MILLS'],
    ['24 July 2026', 'Until July 24, 2026 it holds.', 'July 24, 2026'],
    ['July 24, 2026', 'Until 2026-07-24 it holds.', '2026-07-24'],
    ['24/7/2026', 'Until 24th July 2026 it holds.', '24th July 2026'],
    ['2026-07-24', 'Until 24.7.2026 it holds.', '24.7.2026'],
    ['May 3', 'Born on 3 May.', '3 May'],
    ['14 Quay Lane', 'She moved to 14, Quay Lane.', '14, Quay Lane'],
  ])('%s in: %s', (value, text, found) => {
    expect(foundIn(text, value)).toEqual([found]);
  });

  test('with every hold that keeps it, and places that overlap are one', () => {
    const places = findHeld('Call Ann Lee at 14 Quay Lane.', held('Ann Lee', 'Lee', '14 Quay'));
    expect(places.map(({ holdIds }) => holdIds)).toEqual([['h0', 'h1'], ['h2']]);
  });
});

describe('nothing is found', () => {
  test.each([
    ['4471', 'The code 44710 opens it.'],
    ['4471', 'We are 44 and 71.'],
    ['2,350 USD', 'It was 2, 350 USD short.'],
    ['Harrow Mills', 'Harrow and Mills are towns.'],
    ['Ann', 'Annual reports.'],
    ['24 July 2026', 'Until 7 July 2024.'],
    ['3 April 2026', 'On 4/3/2026 or so.'],
    ['July 24', 'Until 24 July 2026.'.replace('24', '25')],
  ])('of %s in: %s', (value, text) => {
    expect(foundIn(text, value)).toEqual([]);
  });
});

test('a value is found in any text around it, and its place is its own', () => {
  const around = fc.string({ unit: fc.constantFrom('a', 'b ', '. ', '7', ' ', 'é', '(', '-') });
  fc.assert(
    fc.property(around, around, (before, after) => {
      const text = `${before} | quay lane | ${after}`;
      const found = foundIn(text, 'Quay Lane');
      expect(found).toContain('quay lane');
      for (const each of found) expect(each.toLowerCase()).toBe('quay lane');
    }),
  );
});
