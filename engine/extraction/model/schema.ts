/**
 * The answer that a model is asked for: every field required and nullable rather than optional, because
 * strict structured output knows no optional fields. The order is deliberate: the model first copies its
 * evidence, then words the statement, then classifies it.
 */
import { z } from 'zod';
import {
  CONFIDENCE_LEVELS,
  KINDS,
  SENSITIVITIES,
  TARGET_LEVELS,
} from '../../../domain/extraction/candidate.ts';
import type { ObjectSchema } from '../../models/provider.ts';

export const answerItem = z.strictObject({
  supporting_span: z.string(),
  statement: z.string(),
  confidence_level: z.enum(CONFIDENCE_LEVELS),
  kind: z.enum(KINDS),
  subject_type: z.enum(['peer', 'scope']),
  subject_ref: z.string(),
  sensitivity: z.enum(SENSITIVITIES),
  target_level: z.enum(TARGET_LEVELS),
  source_message_ids: z.array(z.string()),
  relevant_from: z.string().nullable(),
  relevant_until: z.string().nullable(),
});
export type AnswerItem = z.infer<typeof answerItem>;

/** What an item may leave out when an endpoint does not enforce the schema. */
export const ITEM_DEFAULTS = {
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
