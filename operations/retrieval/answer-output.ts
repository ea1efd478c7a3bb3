/** What an answer says beside the search that it rests on. */
import { z } from 'zod';
import type { AnswerOutcome } from '../../domain/answers/outcome.ts';
import { ERROR_CLASSES } from '../../domain/error-class.ts';

const share = z.number().min(0).max(1);

export const answerFields = {
  answer: z
    .string()
    .describe(
      'The text of the answer, in the language of the question. A model writes it if one is configured.',
    ),
  citations: z
    .array(z.uuid())
    .describe(
      'The ids of the statements that the answer rests on and, with source recall, of messages. An empty list means that the memory holds no answer.',
    ),
  abstained: z
    .boolean()
    .describe(
      'True if the caller should not rely on the answer. If it has citations, they are leads to follow.',
    ),
  answer_confidence: z
    .int()
    .min(0)
    .max(100)
    .describe(
      '0 to 100. Below 50 the answer abstains, with one exception: 40 without abstaining means that no model is configured and the answer is the best statements as they are.',
    ),
  answer_degraded: z
    .enum(ERROR_CLASSES)
    .nullable()
    .describe('Why the model that writes answers failed. The search itself may have succeeded.'),
  answer_context_count: z
    .int()
    .min(0)
    .describe('The number of items of evidence that the answerer read.'),
  answerer_prompt_tokens: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'The input tokens that the provider counted, repairs included. Null if it counted none or the call failed, 0 if the service called no model.',
    ),
  supporting_statements: z
    .array(z.string())
    .describe('The texts of the first items of evidence, if the call to the model failed.'),
  citation_support: z
    .array(z.object({ id: z.uuid(), overlap: share }))
    .describe(
      'For each citation the share of the claims in the answer, in words, that it contains. If all citations together contain too few, the confidence is at most 49.',
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
