/**
 * `operations.extraction_evidence`: what extraction did in a subtree, for callers that measure or pay for it. Counts,
 * codes and identities of models only: no text, no id, no name.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { accountingOf, ACCOUNTING_REASONS } from '../../domain/extraction/accounting.ts';
import { EVIDENCE_IDENTITY } from '../../domain/identities.ts';
import { holdsRoleAt } from '../../domain/identity/caller.ts';
import { parseScopePath, type ScopePath } from '../../domain/scopes/path.ts';
import type { ExtractionEvidenceRow } from '../../stores/postgres/extraction/evidence.store.ts';
import { defineOperation } from '../operation.ts';

/** A text that is no path is treated as a scope that does not exist. */
const scopeRootField = z
  .unknown()
  .optional()
  .transform((text): ScopePath | null => (typeof text === 'string' ? parseScopePath(text) : null))
  .meta({
    description:
      'Required: the path of an existing scope, taken literally. The evidence includes its descendants.',
    wire: { type: 'string', examples: ['/evaluation/run-7'] },
  });

const count = z.int().min(0);
const counts = z.record(z.string(), count);

const output = z.object({
  schema_version: z.literal(EVIDENCE_IDENTITY),
  scope_root: z.string(),
  scopes: z.object({ count }),
  extraction: z.object({
    anchors: count.describe('The number of observations.'),
    status_counts: z.object({
      pending: count,
      failed: count,
      completed: count,
      repairable: count,
      terminal: count,
    }),
    job_attempts: count.describe(
      'Attempts at extraction since the last requeue. A repair is not an attempt.',
    ),
    terminal_anchors: count,
    candidate_yield: z
      .object({ zero: count, one: count, multiple: count })
      .describe('The number of completed observations, by the number of their candidates.'),
  }),
  provenance: z
    .array(
      z.object({
        provider: z.string(),
        model: z.string(),
        model_version: z.string(),
        prompt_version: z.string().nullable(),
        pipeline_version: z.string().nullable(),
        anchors: count.describe('The number of observations that the service sent to the model.'),
      }),
    )
    .describe('The identities of the models that the service called.'),
  batches: z
    .object({
      count,
      anchors: count,
      single: count.describe('The number of batches with one observation.'),
      size_counts: counts.describe('The number of batches of each size.'),
      unreconciled: count.describe(
        'The number of batches for which the ledger and the results do not agree.',
      ),
    })
    .describe('A batch is one call to the extractor together with its repairs.'),
  usage: z.object({
    provider_attempts: count,
    input_tokens: count,
    output_tokens: count,
    embedding_tokens: count.describe(
      'Always 0: a call to the embedder serves several scopes at once and belongs to none.',
    ),
    total_tokens: count,
    duration_ms: count.describe('The sum of all calls.'),
  }),
  statements: z
    .object({
      count,
      distributions: z.object({
        kind: counts,
        state: counts,
        sensitivity: counts,
        evidence_level: counts,
        target_level: counts,
      }),
    })
    .describe('The statements drawn from these observations, each counted once.'),
  accounting: z.object({
    complete: z
      .boolean()
      .describe('False if the numbers are unreliable or not final. `reasons` says why.'),
    settled: z.boolean(),
    requests_complete: z.boolean(),
    tokens_complete: z.boolean(),
    cost_complete: z.boolean(),
    reasons: z.array(z.enum(ACCOUNTING_REASONS)),
  }),
});

function extractionOf(found: ExtractionEvidenceRow): z.input<typeof output>['extraction'] {
  const of = (status: string): number => found.status_counts[status] ?? 0;
  return {
    anchors: found.anchors,
    status_counts: {
      pending: of('pending'),
      failed: of('failed'),
      completed: of('completed'),
      repairable: of('repairable'),
      terminal: of('terminal'),
    },
    job_attempts: found.job_attempts,
    terminal_anchors: of('terminal'),
    candidate_yield: {
      zero: found.yield_zero,
      one: found.yield_one,
      multiple: found.yield_multiple,
    },
  };
}

function usageOf(found: ExtractionEvidenceRow): z.input<typeof output>['usage'] {
  const { provider_attempts, input_tokens, output_tokens, embedding_tokens, duration_ms } = found;
  const total_tokens = input_tokens + output_tokens + embedding_tokens;
  return {
    provider_attempts,
    input_tokens,
    output_tokens,
    embedding_tokens,
    total_tokens,
    duration_ms,
  };
}

function accounting(found: ExtractionEvidenceRow): z.input<typeof output>['accounting'] {
  const { pending = 0, failed = 0 } = found.status_counts;
  return accountingOf({
    unsettledAnchors: pending + failed + found.unread_documents,
    openAttempts: found.open_attempts,
    unreconciledBatches: found.unreconciled,
    unmeteredAttempts: found.unmetered_attempts,
    unpricedAttempts: found.unpriced_attempts,
    importedScopes: found.imported_scopes,
    prunedScopes: found.pruned_scopes,
  });
}

export const readExtractionEvidence = defineOperation({
  id: 'operations.extraction_evidence',
  access: 'account_admin',
  effect: 'read',
  summary: 'Read the evidence of extraction in a subtree',
  description:
    'Returns counts, codes and identities of models for all observations at and below a scope. The answer has no text and no ids. A scope that is missing, malformed or unreadable gets 404.',
  refusals: ['not_found'],
  input: z.object({ scope_root: scopeRootField }),
  output,
  async run({ caller, inAccount }, { scope_root: root }) {
    if (root === null) throw new Refusal('not_found');
    const { found, scopes } = await inAccount(caller.accountId, async (stores) => {
      const subtree = await stores.scopes.subtree(root);
      const readable = subtree.filter(({ path }) => holdsRoleAt(caller, path, 'reader'));
      if (!readable.some(({ path }) => path === root)) throw new Refusal('not_found');
      const scopeIds = readable.map(({ id }) => id);
      return { found: await stores.extractionEvidence.read(scopeIds), scopes: readable.length };
    });
    return {
      schema_version: EVIDENCE_IDENTITY,
      scope_root: root,
      scopes: { count: scopes },
      extraction: extractionOf(found),
      provenance: found.provenance,
      batches: {
        count: found.batches,
        anchors: found.batch_anchors,
        single: found.size_counts['1'] ?? 0,
        size_counts: found.size_counts,
        unreconciled: found.unreconciled,
      },
      usage: usageOf(found),
      statements: {
        count: found.statements,
        distributions: {
          kind: found.by_kind,
          state: found.by_state,
          sensitivity: found.by_sensitivity,
          evidence_level: found.by_evidence_level,
          target_level: found.by_target_level,
        },
      },
      accounting: accounting(found),
    };
  },
});
