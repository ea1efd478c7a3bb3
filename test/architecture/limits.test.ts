/** `docs/reference/limits.md` names every bound of the product, each with the value that the code has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { productConstants, saysBound } from './bounds.ts';
import { ROOT } from './source-tree.ts';

const page = readFileSync(join(ROOT, 'docs/reference/limits.md'), 'utf8');
const constants = productConstants();
const id = (file: string, name: string): string => `${file} ${name}`;

interface Row {
  readonly text: string;
  readonly id: string;
  /** The first number of the second cell. */
  readonly value: number;
}

/** Rows of the form `| what | value | past it | `file` `NAME` |`. */
const rows: Row[] = page.split('\n').flatMap((text) => {
  const cells = text.split(' | ').map((cell) => cell.trim());
  const held = /^`([\w./-]+)` `([\w.]+)`/.exec(cells.at(-1) ?? '');
  if (held === null) return [];
  const [, file = '', name = ''] = held;
  const number = /-?[\d,]+(?:\.\d+)?/.exec(cells[1] ?? '')?.[0].replaceAll(',', '');
  return [{ text, id: id(file, name), value: Number(number) }];
});

describe('the page of limits', () => {
  test('gives each bound the value that the code has', () => {
    const known = new Map(constants.map(({ file, name, value }) => [id(file, name), value]));
    const wrong = rows.filter((row) => known.get(row.id) !== row.value);
    expect(wrong.map((row) => ({ row: row.text, code: known.get(row.id) }))).toEqual([]);
    expect(rows.length).toBeGreaterThan(100);
  });

  test('lists every constant that is named as a bound, once', () => {
    const named = rows.map((row) => row.id);
    const missing = constants
      .filter((bound) => saysBound(bound))
      .map(({ file, name, value }) => `${id(file, name)} = ${value}`)
      .filter((text) => !named.includes(text.slice(0, text.lastIndexOf(' = '))));
    expect(missing).toEqual([]);
    expect(named.filter((one, index) => named.indexOf(one) !== index)).toEqual([]);
  });

  test('describes what happens past each bound', () => {
    const silent = rows.filter(({ text }) => (text.split(' | ')[2] ?? '').trim() === '');
    expect(silent.map(({ text }) => text)).toEqual([]);
  });
});
