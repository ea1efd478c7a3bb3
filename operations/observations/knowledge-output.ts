/** A statement as responses show it. `scope_path` is added where an answer spans several scopes. */
import { z } from 'zod';
import {
  COLUMN_DESCRIPTIONS,
  FOUND_COLUMNS,
  SHOWN_COLUMNS,
  STATEMENT_COLUMNS,
  type Column,
  type ShownColumn,
  type StatementRow,
} from '../../domain/statements/columns.ts';

/** Types that are no enumeration. */
const TYPES: Readonly<Record<string, z.ZodType>> = {
  uuid: z.uuid(),
  text: z.string(),
  instant: z.iso.datetime(),
  share: z.number().min(0).max(1),
  count: z.int().min(0),
  flag: z.boolean(),
};

function fieldOf(name: ShownColumn): z.ZodType {
  const { type, words, nullable }: Column = STATEMENT_COLUMNS[name];
  const description = COLUMN_DESCRIPTIONS[name];
  const schema = TYPES[type] ?? z.enum(words ?? []);
  const field = nullable === true ? schema.nullable() : schema;
  return description === undefined ? field : field.describe(description);
}

function fieldsOf<Name extends ShownColumn>(
  names: readonly Name[],
): { readonly [N in Name]: z.ZodType<StatementRow[N], StatementRow[N]> } {
  const fields = names.map((name) => [name, fieldOf(name)]);
  return Object.fromEntries(fields) as { [N in Name]: z.ZodType<StatementRow[N], StatementRow[N]> };
}

const sources = {
  source_message_ids: z
    .array(z.uuid())
    .describe(
      'The ids of the source observations that the reader may read: the earliest, at most 100.',
    ),
};

/** What every answer that shows a statement tells of it. */
export const statementFields = { ...fieldsOf(FOUND_COLUMNS), ...sources };

export const knowledgeOutput = z
  .object({
    ...fieldsOf(SHOWN_COLUMNS),
    has_audience: z
      .boolean()
      .describe(
        'Whether it is for an audience only, and not for everybody who may read its scope.',
      ),
    ...sources,
  })
  .meta({ id: 'Statement', description: 'A governed statement with its standing and provenance.' });
