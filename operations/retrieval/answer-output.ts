/** What an answer says beside the search that it rests on. */
import { z } from 'zod';
import type { AnswerOutcome } from '../../domain/answers/outcome.ts';
import { ERROR_CLASSES } from '../../domain/models/error-class.ts';

const share = z.number().min(0).max(1);

export const answerFields = {
  answer: z
    .string()
    .describe('In the language of the question. A model wrote it, unless none is configured.'),
  citations: z
    .array(z.uuid())
    .describe(
      'The ids of what the answer rests on: of statements, and of messages where source recall is on. None: the memory holds no answer.',
    ),
  abstained: z
    .boolean()
    .describe('Whether nobody should rely on the answer. With citations it is a lead to follow.'),
  answer_confidence: z
    .int()
    .min(0)
    .max(100)
    .describe(
      'Below 50 the answer abstains. 40 without abstaining: no model is configured, and the answer is the best statements as they are.',
    ),
  answer_degraded: z
    .enum(ERROR_CLASSES)
    .nullable()
    .describe('Why the model that writes answers failed. The search may be in order all the same.'),
  answer_context_count: z
    .int()
    .min(0)
    .describe('How many items of evidence the answerer was shown.'),
  answerer_prompt_tokens: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'The input tokens that the provider counted, repairs included. Null if it counted none or the call failed, 0 if no model was asked.',
    ),
  supporting_statements: z
    .array(z.string())
    .describe('The texts of the first items of evidence, when the call to the model failed.'),
  citation_support: z
    .array(z.object({ id: z.uuid(), overlap: share }))
    .describe(
      'For each citation the share of what the answer claims, in words, that stands in it. If all together have too little, the confidence is at most 49.',
    ),
};

type AnswerView = {
  readonly [Name in keyof typeof answerFields]: z.input<(typeof answerFields)[Name]>;
};

export function answerFieldsOf(outcome: AnswerOutcome): AnswerView {
  return {
    answer: outcome.answer,
    citations: [...outcome.citations],
    abstained: outcome.abstained,
    answer_confidence: outcome.confidence,
    answer_degraded: outcome.degraded,
    answer_context_count: outcome.contextCount,
    answerer_prompt_tokens: outcome.promptTokens,
    supporting_statements: [...outcome.supportingStatements],
    citation_support: outcome.support.map((one) => ({ ...one })),
  };
}
