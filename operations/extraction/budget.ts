/**
 * `operations.extraction_budget`: the hard budget of everything that is extracted at and below a root. Every call to the
 * extractor reserves its worst case there first; a call that does not fit is refused, and closes the budget.
 */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { parseOccurredAt } from '../../domain/observations/occurred-at.ts';
import { scopePathField } from '../fields/observation.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation } from '../operation.ts';
import type { ExtractionBuild } from '../environment/extraction-build.ts';

const scopeRootField = scopePathField.meta({
  description:
    'The path of the root, taken literally. The scope need not exist yet. If several roots are above an observation, the nearest one applies.',
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
      'An ISO 8601 time in the future. A time without an offset is UTC. At this time the service cancels the calls that are still running.',
    wire: { examples: ['2030-01-01T00:00:00Z'] },
  });

const cap = z.int().positive();
const rate = z.int().min(0);

const input = z.strictObject({
  scope_root: scopeRootField,
  request_cap: cap.describe('The most calls, repairs included.'),
  token_cap: cap.describe('The most input and output tokens together.'),
  usd_micros_cap: cap.describe('The most money, in micro-USD.'),
  deadline_at: deadlineField,
  input_usd_micros_per_million: rate.describe('The price of a million input tokens, in micro-USD.'),
  output_usd_micros_per_million: rate.describe(
    'The price of a million output tokens, in micro-USD.',
  ),
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
    .describe(
      'The calls reserved so far. The service returns no reservation, whatever the outcome of the call.',
    ),
  tokens_reserved: z.int(),
  usd_micros_reserved: z.int(),
  closed_at: z.iso
    .datetime()
    .nullable()
    .describe(
      'When the budget was closed. A closed budget refuses every call permanently. Null while the budget is open.',
    ),
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
    'Every call to the extractor for an observation at or below the root first reserves its worst case, in one atomic step. The service refuses a call that exceeds a limit or comes after the deadline. The observation of that call becomes `terminal`, and the budget is closed permanently: a later change keeps the counters and does not reopen it. To continue, register another root beside or below the closed one. All fields are required. The service refuses unknown fields.',
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
