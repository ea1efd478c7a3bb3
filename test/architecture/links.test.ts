/** Links between pages lead somewhere: the file exists, and so does the heading. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFiles, ROOT } from './source-tree.ts';

const TOP = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'llms.txt'];

const pages = [
  ...readFiles(['docs', 'console', 'measure', 'test/contract'], '.md'),
  ...TOP.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
];

/** As code hosts make it of a heading: lower case, without punctuation, hyphens for blanks. */
function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');

const anchorsOf = (path: string): ReadonlySet<string> =>
  new Set(
    [...withoutCode(readFileSync(join(ROOT, path), 'utf8')).matchAll(/^#{1,6} (.+)$/gm)].map(
      ([, heading = '']) => anchor(heading),
    ),
  );

function leadsNowhere(from: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file));
  if (!existsSync(join(ROOT, path))) return true;
  if (heading === undefined || statSync(join(ROOT, path)).isDirectory()) return false;
  return !anchorsOf(path).has(heading);
}

test('every link of a page leads to a file and a heading that exist', () => {
  const links = pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, link = '']) => ({
      path,
      link,
    })),
  );
  const broken = links.filter(({ path, link }) => leadsNowhere(path, link));
  expect(broken).toEqual([]);
  expect(links.length).toBeGreaterThan(50);
});

/** What measured something names the page that it stood on then. */
const DATED = /^measure\/(?:bench|eval)\/results\//;

test('every page that code, a test or a page names exists', () => {
  const sources = readFiles(
    ['api', 'cli', 'console', 'domain', 'embedded', 'engine', 'measure'],
    '.ts',
  );
  const more = readFiles(
    ['operations', 'runtime', 'stores', 'workflows', 'activities', 'bin', 'test'],
    '.ts',
  );
  const missing = [...pages, ...sources, ...more]
    .filter(({ path }) => !DATED.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w/.-])docs\/[\w./-]+\.(?:md|json|svg|png)\b/g)].map(([named]) => ({
        path,
        named,
      })),
    )
    .filter(({ named }) => !existsSync(join(ROOT, named)));
  expect(missing).toEqual([]);
});
