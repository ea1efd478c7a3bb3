/** The table of docs/reference/costs.md: what one unit of each load may cost. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../architecture/source-tree.ts';
import type { Count, Counts } from './counters.ts';

const PAGE = join(ROOT, 'docs/reference/costs.md');
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
  ['qdrant', 'requests to Qdrant'],
  ['meilisearch', 'requests to Meilisearch'],
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

/** Writes the lines; those of other loads stay. */
export function writeTable(counted: Table): void {
  const table = new Map([...readTable(), ...counted]);
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
  statements: 0.3,
  transactions: 0.3,
  inserted: 0.03,
  updated: 0.3,
  deleted: 0.2,
  read: 0.6,
  triggers: 0.6,
  wal: 0.15,
  blocks: 0.4,
  qdrant: 0.3,
  meilisearch: 0.3,
};

/** How much more all units of a load together may count: a background task may run once, or a batch be taken in two. */
const ROOM_OF_LOAD: Readonly<Record<Count, number>> = {
  statements: 20,
  transactions: 10,
  inserted: 6,
  updated: 12,
  deleted: 12,
  read: 2_000,
  triggers: 20,
  wal: 8_000,
  blocks: 2_000,
  qdrant: 10,
  meilisearch: 10,
};

/** The counts of so many units that are above their line, in words. */
export function risen(
  name: string,
  budget: Counts,
  { counts: counted, units }: { readonly counts: Counts; readonly units: number },
): readonly string[] {
  return COLUMNS.flatMap(([count, title]) => {
    const most = budget[count] * (1 + ROOM[count]) + ROOM_OF_LOAD[count] / units;
    const now = counted[count];
    return now > most ? [`${name}: ${shown(now)} ${title}, at most ${shown(most)}`] : [];
  });
}
