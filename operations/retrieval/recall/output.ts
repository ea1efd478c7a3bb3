/** The diagnostics of a recall: counts, words of closed lists and hashes, and no text of a query. */
import { z } from 'zod';
import type { EvidenceItem } from '../../../domain/answers/evidence.ts';
import { EFFORTS, RECALL_BOUNDS, type Effort } from '../../../domain/answers/recall/caps.ts';
import { RECALL_TOOLS, type RecallPermissions } from '../../../domain/answers/recall/tools.ts';
import { PROFILE_IDENTITY } from '../../../domain/identities.ts';
import { PROFILES } from '../../../domain/retrieval/strategies.ts';
import { TOOL_OUTCOMES, type Recalled } from '../../../engine/answers/recall/recall.ts';
import { evidenceOutput } from '../evidence-output.ts';
import type { MadeSearch } from '../searching.ts';

const count = z.int().min(0);

const diagnosticsOutput = z
  .object({
    effort: z.enum(EFFORTS),
    rounds: count,
    retrieval_calls: count.describe('Searches and other reads, the first search included.'),
    planner_calls: count.describe('Calls to the model that plans. 0 if rules plan.'),
    query_hashes: z.array(z.string()).describe('Hashes of the queries of the tools, in order.'),
    tool_outcomes: z.array(
      z.object({ tool: z.enum(RECALL_TOOLS), outcome: z.enum(TOOL_OUTCOMES), count }),
    ),
    exhausted: z.array(z.enum(RECALL_BOUNDS)).describe('The bounds that the recall reached.'),
    profile: z.enum(PROFILES),
    profile_version: z.literal(PROFILE_IDENTITY),
    permissions: z.object({
      source_exact: z.boolean(),
      source_semantic: z.boolean(),
      stable_profile: z.boolean(),
      lineage: z.boolean(),
    }),
    new_items: count.describe(
      'The number of items that tools found beyond the first candidates of the search. The answer need not show all of them.',
    ),
  })
  .meta({ id: 'RecallDiagnostics', description: 'How a recall with an effort went.' });

export const recallFields = {
  recall_evidence: z
    .array(evidenceOutput)
    .optional()
    .describe(
      'The items of evidence that the answerer read, in their order. Only with an `effort`.',
    ),
  recall_diagnostics: diagnosticsOutput
    .optional()
    .describe('How the recall went. Only with an `effort`.'),
};

export function diagnosticsOf(
  effort: Effort,
  permissions: RecallPermissions,
  { output }: MadeSearch,
  { head, recalled }: { readonly head: readonly EvidenceItem[]; readonly recalled: Recalled },
): z.input<typeof diagnosticsOutput> {
  const known = new Set(head.map(({ id }) => id));
  return {
    effort,
    rounds: recalled.rounds,
    retrieval_calls: recalled.retrievalCalls,
    planner_calls: recalled.plannerCalls,
    query_hashes: [...recalled.queryHashes],
    tool_outcomes: recalled.outcomes.map((one) => ({ ...one })),
    exhausted: RECALL_BOUNDS.filter((bound) => recalled.exhausted.includes(bound)),
    profile: output.profile,
    profile_version: PROFILE_IDENTITY,
    permissions: {
      source_exact: permissions.sourceExact,
      source_semantic: permissions.sourceSemantic,
      stable_profile: permissions.stableProfile,
      lineage: permissions.lineage,
    },
    new_items: recalled.items.filter(({ id }) => !known.has(id)).length,
  };
}
