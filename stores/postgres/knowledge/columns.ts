/** What follows from the table of a statement's columns: row schemas, and lists of columns in SQL. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  STATEMENT_COLUMNS,
  type Column,
  type StatementColumn,
  type StatementRow,
} from '../../../domain/knowledge/columns.ts';

/** Also reads instants of JSON, which Postgres writes with an offset. Those of a column are as they should be. */
export const instant = z
  .string()
  .transform((text) => (text.endsWith('Z') ? text : new Date(text).toISOString()));

/** Types that are no enumeration: their name in SQL and their schema. A hash travels as text. */
const TYPES: Readonly<Record<string, readonly [name: string, schema: z.ZodType]>> = {
  uuid: ['uuid', z.string()],
  text: ['text', z.string()],
  hash: ['text', z.string()],
  instant: ['timestamptz', instant],
  share: ['float8', z.number()],
  count: ['int4', z.number()],
  flag: ['bool', z.boolean()],
};

const columnOf = (name: StatementColumn): Column => STATEMENT_COLUMNS[name];

function schemaOf({ type, words, nullable }: Column): z.ZodType {
  const schema = TYPES[type]?.[1] ?? z.enum(words ?? []);
  return nullable === true ? schema.nullable() : schema;
}

/** The shape of a row of these columns, for `z.object`. */
export function rowShape<Name extends StatementColumn>(
  names: readonly Name[],
): { readonly [N in Name]: z.ZodType<StatementRow[N]> } {
  const shape = Object.fromEntries(names.map((name) => [name, schemaOf(columnOf(name))]));
  return shape as { [N in Name]: z.ZodType<StatementRow[N]> };
}

function commaSeparated<Name>(
  names: readonly Name[],
  of: (name: Name) => FragmentSqlToken,
): FragmentSqlToken {
  return sql.fragment`${sql.join(names.map(of), sql.fragment`, `)}`;
}

/** `scope_id, state, …`; with an alias, or one for each name, `k.scope_id, k.state, …`. */
export function columnsOf(
  names: readonly StatementColumn[],
  alias: string | ((name: StatementColumn) => string) = '',
): FragmentSqlToken {
  const aliasOf = typeof alias === 'string' ? () => alias : alias;
  return commaSeparated(names, (name) => {
    const of = aliasOf(name);
    return sql.fragment`${sql.identifier(of === '' ? [name] : [of, name])}`;
  });
}

/** `scope_id uuid, …`: the columns of a row that travels as JSON. */
export function recordOf(names: readonly StatementColumn[]): FragmentSqlToken {
  return commaSeparated(names, (name) => {
    const { type } = columnOf(name);
    return sql.fragment`${sql.identifier([name])} ${sql.identifier([TYPES[type]?.[0] ?? type])}`;
  });
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
