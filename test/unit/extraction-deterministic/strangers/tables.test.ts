/** Each cell of a table is said with the name of its column, wherever its row is read. */
import { expect, test } from '@jest/globals';
import { readHtml, readMarkdown } from '../../../../engine/documents/html.ts';

const HEADERS = [
  ['Name', 'City', 'Since'],
  ['Person', 'Allergy', 'Doctor'],
  ['Room', 'Size', 'Key'],
  ['Tool', 'Owner', 'Place'],
  ['Day', 'Shift', 'Who'],
] as const;
const ROWS = [
  ['Ada', 'Oslo', '2019'],
  ['Bo', 'nuts', 'Dr. Ek'],
  ['North', '12 m²', 'K4'],
  ['Loom', 'Cleo', 'attic'],
  ['Mon', 'late', 'Dag'],
  ['Ülo', 'Tartu — centre', '1 & 2'],
] as const;

type Row = readonly string[];
const escaped = (text: string): string => text.replaceAll('&', '&amp;');
const inHtml = (names: Row, row: Row): string =>
  `<table><tr>${names.map((name) => `<th>${name}</th>`).join('')}</tr><tr>${row
    .map((cell) => `<td>${escaped(cell)}</td>`)
    .join('')}</tr></table>`;
const lineOf = (cells: Row): string => `| ${cells.join(' | ')} |`;
const inMarkdown = (names: Row, row: Row): string =>
  [lineOf(names), lineOf(names.map(() => '---')), lineOf(row)].join('\n');

const TABLES = HEADERS.flatMap((names) => ROWS.map((row) => ({ names, row })));
const told = ({ names, row }: (typeof TABLES)[number]): string =>
  names.map((name, n) => `${name}: ${row[n] ?? ''}`).join(' | ');

test('tables are tried in thirty forms', () => {
  expect(new Set(TABLES.map(told)).size).toBeGreaterThanOrEqual(30);
});

test.each(TABLES)('a row of a page names its columns: $names, $row', (table) => {
  const texts = readHtml(inHtml(table.names, table.row)).map(({ text }) => text);
  expect(texts).toContain(told(table));
});

test.each(TABLES)('a row of Markdown names its columns: $names, $row', (table) => {
  const texts = readMarkdown(inMarkdown(table.names, table.row)).map(({ text }) => text);
  expect(texts).toContain(told(table));
});
