/**
 * A filter that may be absent is left out of the SQL text. Plans hold for any parameters (ADR 66): a comparison with null beside
 * it keeps the filter out of the conditions of an index, and each page of a list then reads all pages before it.
 */
import { expect, test } from '@jest/globals';
import { readFiles } from './source-tree.ts';

/** A parameter that is compared with null, and then with a column. */
const NULL_OR = /\$\{([^}]+)\}::\w+ is null or [^`]*?\$\{\1\}/g;

test('no SQL text compares a parameter with null to leave a filter out', () => {
  const found = readFiles(['stores'], '.ts').flatMap(({ path, text }) =>
    [...text.matchAll(NULL_OR)].map(([filter]) => `${path}: ${filter}`),
  );
  expect(found).toEqual([]);
});
