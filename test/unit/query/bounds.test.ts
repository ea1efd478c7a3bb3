/** How much a query may ask, and what reading it costs. */
import { describe, expect, test } from '@jest/globals';
import {
  LONGEST_QUERY_BYTES,
  MOST_QUERY_BRANCHES,
  MOST_QUERY_OPERATORS,
} from '../../../domain/query/bounds.ts';
import { queryOperatorCheck } from '../../../domain/query/match-operators.ts';
import { parseQuery } from '../../../domain/query/parse-query.ts';
import { search } from '../../../operations/retrieval/search.ts';
import { expectGrowth } from '../../support/processor-time.ts';

const numbered = (count: number, part: (n: number) => string, by = ' '): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(by);

function problemOf(input: Record<string, unknown>): unknown {
  const parsed = search.input.safeParse(input);
  return parsed.error?.issues.map(({ path, message }) => [path.join('.'), message]);
}

describe('a query', () => {
  test.each([
    ['as long as it may be', 'é'.repeat(LONGEST_QUERY_BYTES / 2)],
    [
      'with as many alternatives as it may have',
      numbered(MOST_QUERY_BRANCHES, (n) => `a${n}`, ' or '),
    ],
    ['with as many operators as it may have', numbered(MOST_QUERY_OPERATORS, (n) => `-a${n}`)],
    ['that says one exclusion again and again', '-a '.repeat(1_000)],
  ])('%s is taken', (_name, query) => {
    expect(problemOf({ query })).toBeUndefined();
  });

  test.each([
    ['a byte more', `${'é'.repeat(LONGEST_QUERY_BYTES / 2)}a`, 'must have at most 4096 bytes'],
    ['20 KB of alternatives', '-a or -b '.repeat(2_300), 'must have at most 4096 bytes'],
    [
      'an alternative more',
      numbered(MOST_QUERY_BRANCHES + 1, (n) => `a${n}`, ' or '),
      'must have at most 16 alternatives',
    ],
    [
      'an operator more, in several alternatives',
      numbered(MOST_QUERY_OPERATORS + 1, (n) => (n % 4 === 0 ? `or "b ${n}"` : `-a${n}`)),
      'must have at most 32 phrases and exclusions',
    ],
  ])('with %s is refused, by its field', (_name, query, message) => {
    expect(problemOf({ query })).toEqual([['query', message]]);
  });
});

test('a filter by a name that nothing can have is refused', () => {
  expect(problemOf({ source_filters: { provider: 'p'.repeat(257) } })).toEqual([
    ['source_filters.provider', 'must have at most 256 characters'],
  ]);
});

test('reading a query takes time by its length, however many operators it has', () => {
  const read = (count: number) => () => parseQuery(numbered(count, (n) => `-a${n}`));
  // Ten times the length; by the square it would be a hundred.
  expectGrowth({ few: read(4_000), many: read(40_000), times: 40, besidesMs: 20 });
});

test('a query is analysed once, for however many texts', () => {
  const query = parseQuery('"the boat" or dog cat');
  let ofWords = 0;
  const accepts = queryOperatorCheck(query, (text) => {
    if (text === 'dog cat') ofWords += 1;
    return [];
  });
  for (let n = 0; n < 100; n += 1) accepts(`text ${n}`);
  expect(ofWords).toBe(1);
});
