/** Gate rules as callers write and read them. */
import { z } from 'zod';
import type { ColumnValue } from '../../domain/columns.ts';
import {
  CELL_COLUMNS,
  VALUE_COLUMNS,
  type RuleColumnShape,
} from '../../domain/governance/rule-columns.ts';
import type { Cell } from '../../domain/governance/rule-sets.ts';

type Columns = Readonly<Record<string, RuleColumnShape>>;
type Fields<Table extends Columns> = {
  readonly [N in keyof Table]: z.ZodType<ColumnValue<Table[N]>, ColumnValue<Table[N]>>;
};

/** A field for each column of the table, for `z.object`. */
function fieldsOf<Table extends Columns>(
  table: Table,
  fieldOf: (column: RuleColumnShape) => z.ZodType,
): Fields<Table> {
  const fields = Object.entries(table).map(([name, column]) => [name, fieldOf(column)]);
  return Object.fromEntries(fields) as Fields<Table>;
}

function boundedSchema(column: RuleColumnShape): z.ZodType {
  if ('words' in column) return z.enum(column.words);
  if (column.type === 'flag') return z.boolean();
  if (column.type === 'share') return z.number().min(0).max(1);
  return z.int().min(1).max(column.most);
}

/** The field of a caller's input. Where the column may be null, the caller may give null or leave the field out. */
function given(column: RuleColumnShape): z.ZodType {
  const schema = boundedSchema(column);
  const { description, nullable } = column;
  const field = nullable === true ? schema.nullish().transform((value) => value ?? null) : schema;
  return description === undefined ? field : field.describe(description);
}

/** The field of an answer. An answer has null instead of leaving the field out, so it does not explain "absent". */
function shown(column: RuleColumnShape): z.ZodType {
  if (column.nullable !== true) return given(column);
  const schema = column.type === 'count' ? z.int() : boundedSchema(column);
  return schema.nullable();
}

export const cellFields = fieldsOf(CELL_COLUMNS, given);

/** The values that a rule gives its cell, as answers have them. */
export const shownValues = fieldsOf(VALUE_COLUMNS, shown);

export const cellInput = z.object(cellFields).meta({ id: 'GateCell' });
export const ruleInput = z
  .object({ ...cellFields, ...fieldsOf(VALUE_COLUMNS, given) })
  .meta({ id: 'GateRuleInput' });

export const ruleOutput = z.object({ ...cellFields, ...shownValues }).meta({ id: 'GateRule' });

/** What is said of `gate_b` where it would place what is restricted. */
export const NOT_PLACED_BY_ITSELF = 'must be human where the sensitivity is restricted';

/** The cell that a caller gave. */
export function toCell(input: z.output<typeof cellInput>): Cell {
  return { targetLevel: input.target_level, sensitivity: input.sensitivity };
}
