/** The table of docs/COSTS.md: what one unit of each load may cost. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../architecture/source-tree.ts';
import type { Count, Counts } from './counters.ts';

const PAGE = join(ROOT, 'docs/COSTS.md');
const BEGIN = '<!-- begin of the table that the test writes -->';
const END = '<!-- end of the table -->';

const COLUMNS: readonly (readonly [Count, string])[] = [
  ['statements', 'SQL statements'],
  ['transactions', 'transactions'],
  ['inserted', 'rows inserted'],
  ['updated', 'rows updated'],
  ['deleted', 'rows deleted'],
  ['read', 'rows read'],
  ['triggers', 'triggers'],
  ['wal', 'bytes of WAL'],
  ['blocks', 'blocks'],
];

/** Counts by the name of the load. */
export type Table = ReadonlyMap<string, Counts>;

const shown = (value: number): string => value.toFixed(value < 100 ? 2 : 0);

/** The table as it stands on the page; a load without a line is absent. */
export function readTable(): Table {
  const text = readFileSync(PAGE, 'utf8');
  const lines = text.slice(text.indexOf(BEGIN), text.indexOf(END)).split('\n');
  return new Map(
    lines
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) => {
        const [name = '', ...cells] = line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim());
        const values = COLUMNS.map(([count], at) => [count, Number(cells[at])] as const);
        return [name, Object.fromEntries(values) as Counts] as const;
      }),
  );
}

export function writeTable(table: Table): void {
  const text = readFileSync(PAGE, 'utf8');
  const head = ['load', ...COLUMNS.map(([, title]) => title)];
  const rows = [...table].map(([name, counts]) => [
    name,
    ...COLUMNS.map(([count]) => shown(counts[count])),
  ]);
  const lines = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  const from = text.indexOf(BEGIN) + BEGIN.length;
  writeFileSync(
    PAGE,
    `${text.slice(0, from)}\n\n${lines.join('\n')}\n\n${text.slice(text.indexOf(END))}`,
  );
}

/**
 * Share by which a count may rise above its line. Rows that are written hardly differ between two runs. The others hang on
 * which of several callers shared a round trip, and on where rows lie.
 */
const ROOM: Readonly<Record<Count, number>> = {
  statements: 0.2,
  transactions: 0.2,
  inserted: 0.03,
  updated: 0.2,
  deleted: 0.1,
  read: 0.5,
  triggers: 0.2,
  wal: 0.15,
  blocks: 0.3,
};
/** Of a count near zero, a share says nothing: a background task may have run once. */
const ROOM_OF_ALL = 0.1;

/** The counts that are above their line, in words. */
export function risen(name: string, budget: Counts, counted: Counts): readonly string[] {
  return COLUMNS.flatMap(([count, title]) => {
    const most = budget[count] * (1 + ROOM[count]) + ROOM_OF_ALL;
    const now = counted[count];
    return now > most ? [`${name}: ${shown(now)} ${title}, at most ${shown(most)}`] : [];
  });
}
