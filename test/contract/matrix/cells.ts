/**
 * The cells of routes that are asked over HTTP. The long run asks for a pairwise cover of each route; the short one lets every
 * caller meet every row that it can meet, and every value its route, and every caller every object somewhere.
 */
import { isDeepStrictEqual } from 'node:util';
import { sized } from '../../support/run.ts';
import { situationOf } from './aspects.ts';
import { covering, pairsOf, product } from './cover.ts';
import type { HttpAnswers, RouteTable } from './routes/route-table.ts';
import { rowFor, type Cell, type Row } from './table.ts';
import { IDENTITY_NAMES } from './world.ts';

export interface RouteCell {
  readonly route: string;
  readonly table: RouteTable;
  readonly cell: Cell;
  readonly row: Row<HttpAnswers>;
}

/** Steps through candidates that are no multiple of anything here. */
const STRIDE = 31;
/** What of a cell is an object: the thing or the scope that a request names. */
const OBJECTS = ['target', 'place'] as const;

const dimensionsOf = ({ identities = IDENTITY_NAMES, vary }: RouteTable) => ({
  identity: identities,
  ...vary,
});

function decided(table: RouteTable, cell: Cell): RouteCell {
  const { route, rows } = table;
  return { route, table, cell, row: rowFor(rows, situationOf(route, cell)) };
}

const known = new WeakMap<RouteTable, readonly RouteCell[]>();

/** Every cell of the route, decided once. Throws when the table lacks a row for one. */
export function allCells(table: RouteTable): readonly RouteCell[] {
  const cells =
    known.get(table) ?? product(dimensionsOf(table), table.may).map((cell) => decided(table, cell));
  known.set(table, cells);
  return cells;
}

/** For the long run: every two values of every two dimensions, and every row. */
export function denseCover(table: RouteTable): RouteCell[] {
  const all = allCells(table);
  const cover = covering(all, ({ cell }) => pairsOf(cell));
  const met = new Set(cover.map(({ row }) => row));
  const missed = table.rows.filter((row) => !met.has(row));
  return [...cover, ...missed.flatMap((row) => all.find((each) => each.row === row) ?? [])];
}

/** The caller with each object that the cell names, and whether it is let in. */
export function meetingsOf({ cell, row }: RouteCell): string[] {
  const named = OBJECTS.filter((name) => cell[name] !== undefined);
  const isIn = row.answer.some((each) => each.startsWith('2'));
  return named.map((name) => `${cell['identity']}, ${name} ${cell[name]}: ${isIn}`);
}

/** One more cell for each meeting that the covers lack, spread over the routes where it can be. */
function furtherMeetings(all: readonly RouteCell[], covered: readonly RouteCell[]): RouteCell[] {
  const met = new Set(covered.flatMap(meetingsOf));
  const open = Map.groupBy(
    all.flatMap((cell) => meetingsOf(cell).map((meeting) => ({ cell, meeting }))),
    ({ meeting }) => meeting,
  );
  const taken: RouteCell[] = [];
  for (const [meeting, candidates] of open) {
    if (met.has(meeting)) continue;
    const chosen = candidates[(taken.length * STRIDE) % candidates.length]?.cell;
    if (chosen === undefined) throw new Error('a meeting of nobody');
    for (const each of meetingsOf(chosen)) met.add(each);
    taken.push(chosen);
  }
  return taken;
}

function examplesOf(table: RouteTable | undefined): readonly RouteCell[] {
  if (table?.examples === undefined) return [];
  const all = allCells(table);
  return table.examples.map((example) => {
    const found = all.find(({ cell }) => isDeepStrictEqual(cell, example));
    if (found === undefined) throw new Error(`${table.route} has no such cell`);
    return found;
  });
}

/** For the short run. */
export function thinCovers(tables: readonly RouteTable[]): RouteCell[][] {
  const cells = tables.map(allCells);
  const covers = tables.map(({ rows }, nth) =>
    covering(cells[nth] ?? [], ({ cell, row }) => [
      `${rows.indexOf(row)} ${cell['identity']}`,
      ...Object.entries(cell).map((value) => value.join(' ')),
    ]),
  );
  const further = furtherMeetings(cells.flat(), covers.flat());
  return covers.map((cover, nth) => [
    ...cover,
    ...examplesOf(tables[nth]),
    ...further.filter(({ route }) => route === tables[nth]?.route),
  ]);
}

/** What is asked of each route, by its name. */
export function coversOf(tables: readonly RouteTable[]): ReadonlyMap<string, readonly RouteCell[]> {
  const thick = (all: typeof tables) => all.map(denseCover);
  const covers = sized({ short: thinCovers, long: thick })(tables);
  return new Map(tables.map(({ route }, nth) => [route, covers[nth] ?? []]));
}
