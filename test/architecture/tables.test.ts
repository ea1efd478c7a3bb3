/** Tables of Markdown are not padded: a cell that changes is a line that changes, and no other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFiles, ROOT } from './source-tree.ts';

const TOP = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'console/README.md'];
const PADDED = /[^|\s] {2,}\||\| {2,}[^|\s]|\| *:?-{4,}/;

test('no table of a page is padded', () => {
  const pages = [
    ...readFiles(['docs', 'measure', 'test/contract'], '.md'),
    ...TOP.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  ];
  const padded = pages.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) =>
        line.startsWith('|') && PADDED.test(line) ? `${path}:${at + 1}` : [],
      ),
  );
  expect(pages.length).toBeGreaterThan(20);
  expect(padded).toEqual([]);
});
