/** What follows from a table of columns: row schemas, and lists of columns in SQL. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { ColumnShape, ColumnValue } from '../../domain/columns.ts';

type ColumnTable<Table> = { readonly [N in keyof Table]: ColumnShape };
type NameIn<Table> = keyof Table & string;

/** The shape of a row of the columns `Name`, for `z.object`. */
export type RowShape<Table extends ColumnTable<Table>, Name extends NameIn<Table>> = {
  readonly [N in Name]: z.ZodType<ColumnValue<Table[N]>>;
};

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

function schemaOf({ type, words, nullable }: ColumnShape): z.ZodType {
  const schema = TYPES[type]?.[1] ?? z.enum(words ?? []);
  return nullable === true ? schema.nullable() : schema;
}

/** The shape of a row of these columns of the table. */
export function rowShapeOf<Table extends ColumnTable<Table>, Name extends NameIn<Table>>(
  table: Table,
  names: readonly Name[],
): RowShape<Table, Name> {
  const shape = Object.fromEntries(names.map((name) => [name, schemaOf(table[name])]));
  return shape as RowShape<Table, Name>;
}

/** The fragments that `of` makes of the names, with commas between them. */
export function commaSeparated<Name>(
  names: readonly Name[],
  of: (name: Name) => FragmentSqlToken,
): FragmentSqlToken {
  return sql.fragment`${sql.join(names.map(of), sql.fragment`, `)}`;
}

/** `scope_id, state, …`; with an alias, or one for each name, `k.scope_id, k.state, …`. */
export function columnsOf<Name extends string>(
  names: readonly Name[],
  alias: string | ((name: Name) => string) = '',
): FragmentSqlToken {
  const aliasOf = typeof alias === 'string' ? () => alias : alias;
  return commaSeparated(names, (name) => {
    const of = aliasOf(name);
    return sql.fragment`${sql.identifier(of === '' ? [name] : [of, name])}`;
  });
}

/** `scope_id uuid, …`: the columns of a row that travels as JSON. */
export function recordOf<Table extends ColumnTable<Table>>(
  table: Table,
  names: readonly NameIn<Table>[],
): FragmentSqlToken {
  return commaSeparated(names, (name) => {
    const { type }: ColumnShape = table[name];
    return sql.fragment`${sql.identifier([name])} ${sql.identifier([TYPES[type]?.[0] ?? type])}`;
  });
}
