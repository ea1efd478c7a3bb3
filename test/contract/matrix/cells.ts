/** The cells of a route that are asked over HTTP: a pairwise cover, and one more for each row that the cover does not meet. */
import { situationOf } from './aspects.ts';
import { pairwise, product } from './cover.ts';
import type { HttpAnswers, RouteTable } from './routes/route-table.ts';
import { rowFor, type Cell, type Row } from './table.ts';
import { IDENTITY_NAMES } from './world.ts';

export interface RouteCell {
  readonly route: string;
  readonly cell: Cell;
  readonly row: Row<HttpAnswers>;
}

const dimensionsOf = ({ identities = IDENTITY_NAMES, vary }: RouteTable) => ({
  identity: identities,
  ...vary,
});

function decided({ route, rows }: RouteTable, cell: Cell): RouteCell {
  return { route, cell, row: rowFor(rows, situationOf(route, cell)) };
}

/** Every cell of the route. Throws when the table lacks a row for one. */
export function allCells(table: RouteTable): RouteCell[] {
  return product(dimensionsOf(table), table.may).map((cell) => decided(table, cell));
}

export function coverOf(table: RouteTable): RouteCell[] {
  const cover = pairwise(dimensionsOf(table), table.may).map((cell) => decided(table, cell));
  const met = new Set(cover.map(({ row }) => row));
  const missed = table.rows.filter((row) => !met.has(row));
  if (missed.length === 0) return cover;
  const all = allCells(table);
  return [...cover, ...missed.flatMap((row) => all.find((each) => each.row === row) ?? [])];
}
