/** What follows from the table of a statement's columns: row schemas, and lists of columns in SQL. */
import { sql, type FragmentSqlToken } from 'slonik';
import {
  STATEMENT_COLUMNS,
  type Column,
  type StatementColumn,
} from '../../domain/statements/columns.ts';
import { commaSeparated, recordOf as recordOfTable, rowShapeOf, type RowShape } from './columns.ts';

const columnOf = (name: StatementColumn): Column => STATEMENT_COLUMNS[name];

/** The shape of a row of these columns, for `z.object`. */
export function rowShape<Name extends StatementColumn>(
  names: readonly Name[],
): RowShape<typeof STATEMENT_COLUMNS, Name> {
  return rowShapeOf(STATEMENT_COLUMNS, names);
}

/** `scope_id uuid, …`: the columns of a row that travels as JSON. */
export function recordOf(names: readonly StatementColumn[]): FragmentSqlToken {
  return recordOfTable(STATEMENT_COLUMNS, names);
}

function storedValue(name: StatementColumn, alias: string): FragmentSqlToken {
  const value = sql.identifier([alias, name]);
  return columnOf(name).type === 'hash'
    ? sql.fragment`decode(${value}, 'hex')`
    : sql.fragment`${value}`;
}

/** The values to store, from the record `alias`. */
export function valuesOf(names: readonly StatementColumn[], alias: string): FragmentSqlToken {
  return commaSeparated(names, (name) => storedValue(name, alias));
}

/** `scope_id = u.scope_id, …`, from the record `alias`. */
export function assignmentsOf(names: readonly StatementColumn[], alias: string): FragmentSqlToken {
  return commaSeparated(
    names,
    (name) => sql.fragment`${sql.identifier([name])} = ${storedValue(name, alias)}`,
  );
}

/** The row `alias` as JSON; hashes are hex. */
export function jsonOf(names: readonly StatementColumn[], alias: string): FragmentSqlToken {
  const hashes = names.filter((name) => columnOf(name).type === 'hash');
  const pairs = commaSeparated(
    hashes,
    (name) =>
      sql.fragment`${sql.literalValue(name)}, encode(${sql.identifier([alias, name])}, 'hex')`,
  );
  return sql.fragment`to_jsonb(${sql.identifier([alias])}) || jsonb_build_object(${pairs})`;
}
