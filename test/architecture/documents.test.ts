/** Pages and comments name decision records, design notes and other pages that exist, and every record has its line. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readFiles, ROOT, SOURCE_FOLDERS, type SourceFile } from './source-tree.ts';

const FOLDERS = [...SOURCE_FOLDERS, 'docs', 'test', 'deploy'];
const SUFFIXES = ['.ts', '.mjs', '.sql', '.md', '.yaml', '.yml'];
const TOP = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'llms.txt'];

const files: readonly SourceFile[] = [
  ...SUFFIXES.flatMap((suffix) => readFiles(FOLDERS, suffix)),
  ...TOP.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
];
const pages = files.filter(({ path }) => path.endsWith('.md') || path === 'llms.txt');
const records = files.filter(({ path }) => /^docs\/adr\/\d{4}-/.test(path));
const notes = files.filter(({ path }) => /^docs\/design\/[a-z-]+\.md$/.test(path));

/** A line may break after the word. */
const RECORD = /\bADR[\s*/#]+(\d+)/g;
const PAGE = /(?<![\w./-])docs\/[\w./-]+\.(?:md|json|svg|png)\b/g;
const LINK = /\]\((?<target>[^)\s:]+)\)/g;

const numberOf = ({ path }: SourceFile): number => Number(path.slice('docs/adr/'.length, 13));
const numbers = new Set(records.map((record) => numberOf(record)));

function missingRecords({ path, text }: SourceFile): string[] {
  return [...text.matchAll(RECORD)]
    .filter(([, number]) => !numbers.has(Number(number)))
    .map(([, number]) => `${path}: ADR ${number}`);
}

function missingPages({ path, text }: SourceFile): string[] {
  return [...text.matchAll(PAGE)]
    .filter(([page]) => !existsSync(join(ROOT, page)))
    .map(([page]) => `${path}: ${page}`);
}

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');

/** As code hosts make it of a heading: lower case, without punctuation, hyphens for blanks. */
const anchor = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

function hasHeading(path: string, wanted: string): boolean {
  const text = withoutCode(readFileSync(join(ROOT, path), 'utf8'));
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].some(([, title = '']) => anchor(title) === wanted);
}

function isBroken(from: string, target: string): boolean {
  const [file = '', heading] = target.split('#');
  const path = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(ROOT, path))) return true;
  return heading !== undefined && path.endsWith('.md') && !hasHeading(path, heading);
}

function brokenLinks({ path, text }: SourceFile): string[] {
  return [...withoutCode(text).matchAll(LINK)]
    .map((match) => match.groups?.['target'] ?? '')
    .filter((target) => isBroken(path, target))
    .map((target) => `${path}: ${target}`);
}

/** Whether the index of a folder has exactly one line that leads to the page. */
function hasItsLine(page: SourceFile, indexPath: string): boolean {
  const index = files.find(({ path }) => path === indexPath)?.text ?? '';
  return index.split(`](${page.path.slice(dirname(indexPath).length + 1)})`).length === 2;
}

describe('the pages', () => {
  test('there are records, notes and pages', () => {
    expect(records.length).toBeGreaterThan(15);
    expect(notes.length).toBeGreaterThan(10);
    expect(pages.length).toBeGreaterThan(40);
  });

  test('every record that is named exists', () => {
    expect(files.flatMap((file) => missingRecords(file))).toEqual([]);
  });

  test('every page that is named exists', () => {
    expect(files.flatMap((file) => missingPages(file))).toEqual([]);
  });

  test('every link of a page leads to a file, and to a heading where it names one', () => {
    expect(pages.flatMap((page) => brokenLinks(page))).toEqual([]);
  });

  test('a record has a number of its own, which begins its title', () => {
    expect(numbers.size).toBe(records.length);
    const others = records.filter((each) => !each.text.startsWith(`# ${numberOf(each)}. `));
    expect(others).toEqual([]);
  });

  test('every record and every note has one line in the index of its folder', () => {
    expect(records.filter((record) => !hasItsLine(record, 'docs/adr/README.md'))).toEqual([]);
    expect(notes.filter((note) => !hasItsLine(note, 'docs/design/README.md'))).toEqual([]);
  });

  test('what is missing is found', () => {
    const record = ['ADR', '999'].join(' ');
    const page = ['docs', 'none.md'].join('/');
    const planted = { path: 'x.md', text: `${record}, ${page}, [x](none.md) [y](README.md#none)` };
    expect(missingRecords(planted)).toEqual([`x.md: ${record}`]);
    expect(missingPages(planted)).toEqual([`x.md: ${page}`]);
    expect(brokenLinks(planted)).toEqual(['x.md: none.md', 'x.md: README.md#none']);
  });
});
