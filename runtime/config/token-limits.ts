/** How daily token limits are written: `{"<role or *>": {"input_tokens": 1000000}}`. */
import { z } from 'zod';
import { ALL_ROLES, TOKEN_METRICS, type TokenLimits } from '../../domain/models/token-limits.ts';
import { MODEL_ROLES } from '../../domain/models/roles.ts';

const limit = z.int().min(0).optional();
const metrics = z.strictObject({
  input_tokens: limit,
  output_tokens: limit,
  embedding_tokens: limit,
});
const limits = z.strictObject({
  [ALL_ROLES]: metrics.optional(),
  embedder: metrics.optional(),
  reranker: metrics.optional(),
  ingest_extractor: metrics.optional(),
  dream_reasoner: metrics.optional(),
  dialectic_agent: metrics.optional(),
});

const FORM = `must be JSON of the form {"${ALL_ROLES}": {"input_tokens": 1000000}}: for ${ALL_ROLES} (all roles together) or for one of ${MODEL_ROLES.join(', ')}, whole numbers from 0 for some of ${TOKEN_METRICS.join(', ')}, and nothing else`;

/** The limits in a text. What is not of this form has one problem, which repeats nothing of the text. */
export const tokenLimits = z.string().transform((text, context): TokenLimits => {
  try {
    return limits.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: FORM });
    return z.NEVER;
  }
});
