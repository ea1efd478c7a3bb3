/** Words one slip of the pen away. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRepairable, oneSlipAway } from '../../../domain/text/spelling.ts';

/** Few letters, so that words are often near each other. */
const word = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 })
  .map((letters) => letters.join(''));

/** Whether one slip makes `b` of `a`, by comparing what stands before and after it. */
function isOneSlip(a: string, b: string): boolean {
  if (a === b) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}

describe('the words one slip away', () => {
  test('are all words of these letters that one slip makes, and no others', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(oneSlipAway(one).has(other)).toBe(isOneSlip(one, other));
      }),
    );
  });

  test.each([
    ['harbour', 'harbor'],
    ['harbour', 'ahrbour'],
    ['harbour', 'harbouur'],
    ['harbour', 'harbuor'],
    ['über', 'uber'],
    ['𐞁abc', 'abc'],
  ])('of %s are %s among others', (one, other) => {
    expect(oneSlipAway(one)).toContain(other);
  });

  test('are at most 1,273 for the longest word', () => {
    expect(oneSlipAway('abcdefghijklmnopqrstuvwx').size).toBe(1_273);
  });
});

describe('a word that may be repaired', () => {
  test.each(['word', 'größe', 'a'.repeat(24)])('is %s', (one) => {
    expect(isRepairable(one)).toBe(true);
  });

  test.each([
    'abc',
    'a'.repeat(25),
    'route66',
    "don't",
    'слово',
    'שלום',
    '日本語文',
    'two words',
    '',
  ])('is not %s', (one) => {
    expect(isRepairable(one)).toBe(false);
  });
});
