/**
 * `operations.extraction_budget`: the hard budget of everything that is extracted at and below a root. Every call to the
 * extractor reserves its worst case there first; a call that does not fit is refused, and closes the budget.
 */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { parseOccurredAt } from '../../domain/observations/occurred-at.ts';
import { scopePathField } from '../observations/fields.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation } from '../operation.ts';
import type { ExtractionBuild } from './build.ts';

const scopeRootField = scopePathField.meta({
  description:
    'The root, taken literally. It need not exist yet. Of several roots above an observation the nearest governs.',
  wire: { minLength: 1, examples: ['/evaluation/run-7'] },
});

const deadlineField = z
  .string()
  .transform((text, context): string => {
    const instant = parseOccurredAt(text);
    if (instant !== null) return instant.at;
    context.addIssue({ code: 'custom', message: 'must be an ISO 8601 timestamp' });
    return z.NEVER;
  })
  .meta({
    description:
      'In the future, ISO 8601; without an offset it is UTC. Calls that are under way then are killed.',
    wire: { examples: ['2030-01-01T00:00:00Z'] },
  });

const cap = z.int().positive();
const rate = z.int().min(0);

const input = z.strictObject({
  scope_root: scopeRootField,
  request_cap: cap.describe('Calls, repairs included.'),
  token_cap: cap.describe('Input and output tokens together.'),
  usd_micros_cap: cap.describe('Micro-USD.'),
  deadline_at: deadlineField,
  input_usd_micros_per_million: rate.describe('Micro-USD for a million input tokens.'),
  output_usd_micros_per_million: rate.describe('Micro-USD for a million output tokens.'),
});

const output = z.object({
  scope_root: z.string(),
  request_cap: z.int(),
  token_cap: z.int(),
  usd_micros_cap: z.int(),
  deadline_at: z.iso.datetime(),
  input_usd_micros_per_million: z.int(),
  output_usd_micros_per_million: z.int(),
  requests_reserved: z
    .int()
    .describe('What was reserved so far; never given back, whatever became of a call.'),
  tokens_reserved: z.int(),
  usd_micros_reserved: z.int(),
  closed_at: z.iso
    .datetime()
    .nullable()
    .describe('Since when the budget refuses every call, for good; null while it is open.'),
  extraction_identity: z.object({
    build_sha: z.string(),
    prompt_version: z.string(),
    pipeline_version: z.string(),
    batching_enabled: z.boolean(),
    batching_identity: z.string(),
  }),
});

function identityOf({ buildSha, promptVersion, pipelineVersion, batching }: ExtractionBuild) {
  return {
    build_sha: buildSha,
    prompt_version: promptVersion,
    pipeline_version: pipelineVersion,
    batching_enabled: batching.enabled,
    batching_identity: batching.identity,
  };
}

export const registerExtractionBudget = defineOperation({
  id: 'operations.extraction_budget',
  access: 'account_admin',
  effect: 'write',
  summary: 'Register or change the hard budget of a root',
  description:
    'Every call to the extractor for an observation at or below the root first reserves its worst case, in one step with all others. A call that exceeds a limit or comes after the deadline is refused, its observation becomes `terminal`, and the budget is closed for good: a later change keeps the counters and revives nothing. Work goes on below a root that is registered anew. All fields are required; unknown ones are refused.',
  input,
  output,
  async run({ caller, extraction, inAccount, now }, input) {
    if (Date.parse(input.deadline_at) <= now.getTime()) {
      throw invalidField('deadline_at', 'must be in the future');
    }
    const { scope_root: _root, ...limits } = input;
    return inAccount(caller.accountId, async (stores) => {
      const { id, is_new: isNew, ...budget } = await stores.extractionBudgets.register(input);
      await stores.audit.record({
        category: 'configuration',
        action: isNew ? 'extraction_budget.registered' : 'extraction_budget.changed',
        actor: auditActor(caller),
        resourceType: 'extraction_budget',
        resourceId: id,
        metadata: limits,
      });
      return { ...budget, extraction_identity: identityOf(extraction) };
    });
  },
});
