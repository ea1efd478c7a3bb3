/**
 * The schema of a model's answer: every field required and nullable rather than optional, because strict structured
 * output knows no optional fields. The order is deliberate: the model first copies its evidence, then words the
 * statement, then classifies it.
 */
import { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import { SAID_COLUMNS, type SaidColumn, type SaidRow } from '../../../domain/statements/said.ts';
import type { ColumnShape } from '../../../domain/columns.ts';
import type { ObjectSchema } from '../../models/provider.ts';

const SAID: readonly (readonly [name: string, shape: ColumnShape])[] = Object.entries(SAID_COLUMNS);

function saidSchema({ nullable, type, words }: ColumnShape): z.ZodType {
  const plain = type === 'flag' ? z.boolean() : z.number().min(0).max(1);
  const schema = words === undefined ? plain : z.enum(words);
  return nullable === true ? schema.nullable() : schema;
}

function saidShape(): { readonly [N in SaidColumn]: z.ZodType<SaidRow[N]> } {
  const shape = Object.fromEntries(SAID.map(([name, column]) => [name, saidSchema(column)]));
  return shape as { [N in SaidColumn]: z.ZodType<SaidRow[N]> };
}

const nothingSaid = (): Readonly<Record<string, null>> =>
  Object.fromEntries(
    SAID.flatMap(([name, { nullable }]) => (nullable === true ? [[name, null]] : [])),
  );

export const answerItem = z.strictObject({
  supporting_span: z.string(),
  statement: z.string(),
  ...saidShape(),
  subject_type: z.enum(['peer', 'scope']),
  subject_ref: z.string(),
  sensitivity: z.enum(SENSITIVITIES),
  target_level: z.enum(TARGET_LEVELS),
  source_message_ids: z.array(z.string()),
  relevant_from: z.string().nullable(),
  relevant_until: z.string().nullable(),
});
export type AnswerItem = z.infer<typeof answerItem>;

/** Fields that an item may lack if an endpoint does not enforce the schema. */
export const ITEM_DEFAULTS = {
  ...nothingSaid(),
  source_message_ids: [],
  relevant_from: null,
  relevant_until: null,
} as const;

const anchorAnswer = z.strictObject({ anchor_id: z.string(), statements: z.array(answerItem) });
const answer = z.strictObject({ answers: z.array(anchorAnswer) });

/** The schema as sent, without the dialect line that some endpoints refuse. */
export const ANSWER_SCHEMA: ObjectSchema = {
  name: 'answers',
  schema: withoutDialect(z.toJSONSchema(answer)),
};

function withoutDialect(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
