/** How a request names the scopes that it reads. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { Refusal } from '../../../domain/errors.ts';
import { parseScopePath } from '../../../domain/scopes/path.ts';
import {
  MOST_SCOPE_PATHS,
  namedScopes,
  readScopesFields,
} from '../../../operations/fields/read-scopes.ts';

const input = z.object(readScopesFields);
const named = (asked: object) => namedScopes(input.parse(asked));
const problemsOf = (asked: object) =>
  input.safeParse(asked).error?.issues.map(({ path }) => path.join('.')) ?? [];

const someText = fc
  .array(fc.constantFrom('a', 'b', 'e\u0301', '/', '//'), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

describe('the scopes of a request', () => {
  test('are the default where none is named, also by a blank or by null', () => {
    const poc = { scopes: { scopePath: '/poc', otherPaths: [] }, echo: { scope_path: '/poc' } };
    for (const asked of [{}, { scope_path: ' ' }, { scope_path: null, scope_paths: null }]) {
      expect(named(asked)).toEqual(poc);
    }
  });

  test('are those of a list in its order, each normalised and once; the answer names all of them', () => {
    fc.assert(
      fc.property(fc.array(someText, { minLength: 1, maxLength: MOST_SCOPE_PATHS }), (texts) => {
        const expected = [...new Set(texts.map(parseScopePath))];
        const { echo, scopes } = named({ scope_paths: texts });
        expect([scopes.scopePath, ...scopes.otherPaths]).toEqual(expected);
        expect(echo).toEqual({ scope_path: expected[0], scope_paths: expected });
      }),
    );
  });

  test('are a list of one where a list of one is given', () => {
    expect(named({ scope_paths: ['a'] }).echo).toEqual({ scope_path: '/a', scope_paths: ['/a'] });
    expect(named({ scope_path: 'a' }).echo).toEqual({ scope_path: '/a' });
  });

  test('are refused where one and several are given, whatever they are', () => {
    for (const scope_path of ['/a', '/b']) {
      const both = { scope_path, scope_paths: ['/a'] };
      expect(() => named(both)).toThrow(Refusal);
      expect(() => named(both)).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          fields: [expect.objectContaining({ path: 'scope_paths' })],
        }),
      );
    }
    // A blank is absence, as everywhere.
    expect(named({ scope_path: ' ', scope_paths: ['/a'] }).scopes.scopePath).toBe('/a');
  });

  test('are 1 to 16 paths, each of which is one', () => {
    const many = Array.from({ length: MOST_SCOPE_PATHS + 1 }, () => '/same');
    expect(problemsOf({ scope_paths: many })).toEqual(['scope_paths']);
    expect(problemsOf({ scope_paths: many.slice(1) })).toEqual([]);
    expect(problemsOf({ scope_paths: [] })).toEqual(['scope_paths']);
    expect(problemsOf({ scope_paths: '/a' })).toEqual(['scope_paths']);
    expect(problemsOf({ scope_paths: ['/a', '/a/../b', ' '] })).toEqual([
      'scope_paths.1',
      'scope_paths.2',
    ]);
    expect(problemsOf({ scope_paths: ['/a', 7] })).toEqual(['scope_paths.1']);
  });
});
