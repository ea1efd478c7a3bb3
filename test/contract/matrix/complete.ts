/** What the matrix lacks: routes and operations without rows, rows of nothing, rows that name no sentence, rows never met. */
import type { Operation } from '../../../operations/operation.ts';
import { allCells } from './cells.ts';
import type { OperationRow } from './operations.ts';
import type { RouteTable } from './routes/route-table.ts';
import { faultOfSentence } from './sentence.ts';
import type { Row } from './table.ts';

function difference(what: string, wanted: readonly string[], found: readonly string[]): string[] {
  return [
    ...wanted.filter((name) => !found.includes(name)).map((name) => `no rows for ${what} ${name}`),
    ...found.filter((name) => !wanted.includes(name)).map((name) => `rows for no ${what} ${name}`),
    ...found
      .filter((name, at) => found.indexOf(name) !== at)
      .map((name) => `two tables for ${name}`),
  ];
}

export function routesAmiss(
  routes: readonly { readonly method: string; readonly path: string }[],
  tables: readonly Pick<RouteTable, 'route'>[],
): readonly string[] {
  const names = routes.map(({ method, path }) => `${method} ${path}`);
  return difference(
    'route',
    names,
    tables.map(({ route }) => route),
  );
}

export function operationsAmiss(
  operations: readonly Pick<Operation, 'id'>[],
  rows: ReadonlyMap<string, OperationRow>,
): readonly string[] {
  return difference(
    'operation',
    operations.map(({ id }) => id),
    [...rows.keys()],
  );
}

export function sentencesAmiss(rows: readonly Pick<Row<unknown>, 'from'>[]): readonly string[] {
  return rows.flatMap(({ from }) => faultOfSentence(from) ?? []);
}

/** Fields of inputs that name a thing. */
const NAMING = /(?:_key|_path|_root|_id)$|^(?:id|cursor|skill|into|source_filters)$/;

/** Stand in paths as `:id`. */
const IN_PATH = ['document_id', 'document_version_id'];

/** Fields that take a name which no table sends a name of another account in; ids of the path are targets. */
export function namesAmiss(
  routes: readonly {
    readonly method: string;
    readonly path: string;
    readonly fields: readonly string[];
  }[],
  tables: readonly Pick<RouteTable, 'route' | 'borrows'>[],
): readonly string[] {
  return routes.flatMap(({ fields, method, path }) => {
    const table = tables.find(({ route }) => route === `${method} ${path}`);
    const borrowed = (table?.borrows ?? []).map(({ field }) => field);
    const open = fields.filter(
      (name) => NAMING.test(name) && !path.split('/').includes(`:${name}`),
    );
    return open
      .filter((name) => !borrowed.includes(name) && !IN_PATH.includes(name))
      .map((name) => `${method} ${path}: no name of another account in ${name}`);
  });
}

/** Cells without a row, and rows that decide about no cell. */
export function cellsAmiss(table: RouteTable): readonly string[] {
  try {
    const met = new Set(allCells(table).map(({ row }) => row));
    const idle = table.rows.filter((row) => !met.has(row));
    return idle.map(({ when }) => `${table.route}: no cell meets ${JSON.stringify(when)}`);
  } catch (error) {
    return [`${table.route}: ${String(error)}`];
  }
}
