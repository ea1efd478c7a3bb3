/** `search`: ranked retrieval of statements for a reader, in a scope and its ancestors. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { KINDS, PRECISIONS, SENSITIVITIES } from '../../domain/extraction/candidate.ts';
import { KNOWLEDGE_STATES } from '../../domain/governance/visibility.ts';
import { PROFILE_IDENTITY } from '../../domain/identities.ts';
import { isAccountAdmin } from '../../domain/identity/caller.ts';
import {
  degradedComponents,
  isDegrading,
  OUTCOME_STATUSES,
  REASON_CLASSES,
  type Outcome,
} from '../../domain/retrieval/outcomes.ts';
import { NO_SOURCE_FILTERS } from '../../domain/retrieval/source-filters.ts';
import { PROFILES, RETRIEVAL_PROFILES, STRATEGIES } from '../../domain/retrieval/strategies.ts';
import type { Candidate, SearchAnswer } from '../../engine/retrieval/search.ts';
import { defineOperation } from '../operation.ts';
import {
  flagField,
  instantField,
  limitField,
  queryField,
  readerField,
  readScopeField,
} from './fields.ts';
import { authoriseRead } from './reader.ts';

const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

const sourceFilters = z
  .object({
    provider: optionalText,
    model: optionalText,
    pipeline_version: optionalText,
    minimum_corroboration: z
      .int()
      .nullish()
      .transform((count) => count ?? null),
    source_message_id: z
      .uuid()
      .nullish()
      .transform((id) => id ?? null),
    source_document_id: z
      .uuid()
      .nullish()
      .transform((id) => id ?? null),
  })
  .nullish()
  .transform((filters) =>
    filters === null || filters === undefined
      ? NO_SOURCE_FILTERS
      : {
          provider: filters.provider,
          model: filters.model,
          pipelineVersion: filters.pipeline_version,
          minimumCorroboration: filters.minimum_corroboration,
          sourceMessageId: filters.source_message_id,
          sourceDocumentId: filters.source_document_id,
        },
  );

/** Fields that every search takes; an answer built on a search takes them too. */
export const searchInput = z.object({
  query: queryField,
  scope_path: readScopeField,
  peer_key: readerField,
  profile: z
    .enum(PROFILES)
    .nullish()
    .transform((profile) => profile ?? 'balanced'),
  limit: limitField,
  /** Links between scopes that both ends allow; none can be made yet, so it widens nothing. */
  include_cross_links: flagField,
  as_of: instantField,
  min_score: z
    .number()
    .nullish()
    .transform((score) => score ?? null),
  source_filters: sourceFilters,
  deadline: z
    .literal('disabled')
    .nullish()
    .transform((word) => word ?? null),
  include_identity_profile: flagField,
  strategies: z.unknown().optional(),
});

const instant = z.iso.datetime().nullable();
const strategyNames = z.array(z.enum(STRATEGIES));
const component = z.enum([...STRATEGIES, 'candidate_filter', 'reranker']);

const candidateOutput = z.object({
  id: z.uuid(),
  scope_id: z.uuid(),
  scope_path: z.string(),
  statement: z.string().nullable(),
  kind: z.enum(KINDS),
  confidence: z.number(),
  sensitivity: z.enum(SENSITIVITIES),
  state: z.enum(KNOWLEDGE_STATES),
  source_message_ids: z.array(z.uuid()),
  source_count: z.number(),
  extracting_model: z.string().nullable(),
  extracting_provider: z.string(),
  pipeline_version: z.string(),
  corroboration_count: z.number(),
  relevant_from: instant,
  relevant_from_precision: z.enum(PRECISIONS).nullable(),
  relevant_until: instant,
  relevant_until_precision: z.enum(PRECISIONS).nullable(),
  recorded_at: z.iso.datetime(),
  candidate_type: z.literal('knowledge'),
  fusion_score: z.number(),
  rrf_score: z.number(),
  strategies: strategyNames,
});

export const searchOutput = z.object({
  query: z.string(),
  scope_path: z.string(),
  profile: z.enum(PROFILES),
  profile_version: z.string(),
  deadline: z.enum(['enabled', 'disabled']),
  latency_ms: z.number(),
  candidates: z.array(candidateOutput),
  contributed_strategies: strategyNames,
  empty_strategies: strategyNames,
  dropped_strategies: strategyNames,
  retrieval_outcomes: z.array(
    z.object({
      component,
      status: z.enum(OUTCOME_STATUSES),
      reason_class: z.enum(REASON_CLASSES).nullable(),
      elapsed_ms: z.number(),
      budget_remaining_ms: z.number().nullable(),
    }),
  ),
  reader_posture: z.enum(['peer', 'public_only', 'internal']),
  degraded: z.boolean(),
  degraded_components: z.array(component),
  pre_rerank_remaining_ms: z.number().nullable(),
  reserved_rerank_ms: z.number(),
  disagreement: z.object({
    strategy_count: z.number(),
    disjoint: z.boolean(),
    low_score: z.boolean(),
    query_dependent_empty: z.boolean(),
  }),
  identity_profile_status: z.enum(['not_requested', 'ready', 'empty', 'unavailable']),
  identity_profile: z.null().optional(),
});

type CandidateOutput = z.input<typeof candidateOutput>;
type SearchOutput = z.input<typeof searchOutput>;

function candidateView({ row, fusionScore, strategies }: Candidate): CandidateOutput {
  return {
    ...row,
    candidate_type: 'knowledge',
    fusion_score: fusionScore,
    rrf_score: fusionScore,
    strategies: [...strategies],
  };
}

function outcomeView(outcome: Outcome): SearchOutput['retrieval_outcomes'][number] {
  return {
    component: outcome.component,
    status: outcome.status,
    reason_class: outcome.reasonClass,
    elapsed_ms: Math.round(outcome.elapsedMs),
    budget_remaining_ms:
      outcome.budgetRemainingMs === null ? null : Math.round(outcome.budgetRemainingMs),
  };
}

type AnswerPart = Omit<
  SearchOutput,
  | 'query'
  | 'scope_path'
  | 'profile'
  | 'profile_version'
  | 'deadline'
  | 'reader_posture'
  | 'identity_profile_status'
  | 'identity_profile'
>;

function answerView(answer: SearchAnswer): AnswerPart {
  const { outcomes, candidates, disagreement } = answer;
  const contributed = new Set(candidates.flatMap((candidate) => candidate.strategies));
  const dropped = new Set<string>(
    outcomes.filter(({ status }) => status === 'dropped').map((outcome) => outcome.component),
  );
  return {
    latency_ms: answer.latencyMs,
    candidates: candidates.map(candidateView),
    contributed_strategies: STRATEGIES.filter((strategy) => contributed.has(strategy)),
    empty_strategies: [...answer.emptyStrategies],
    dropped_strategies: STRATEGIES.filter((strategy) => dropped.has(strategy)),
    retrieval_outcomes: outcomes.map(outcomeView),
    degraded: outcomes.some(isDegrading),
    degraded_components: degradedComponents(outcomes),
    pre_rerank_remaining_ms: answer.preRerankRemainingMs,
    reserved_rerank_ms: answer.reservedRerankMs,
    disagreement: {
      strategy_count: disagreement.strategyCount,
      disjoint: disagreement.disjoint,
      low_score: disagreement.lowScore,
      query_dependent_empty: disagreement.queryDependentEmpty,
    },
  };
}

export const search = defineOperation({
  id: 'memory.search',
  access: 'any_identity',
  effect: 'read',
  input: searchInput,
  output: searchOutput,
  async run(context, input) {
    const { caller, services, now, traceId, signal } = context;
    if (input.strategies !== undefined && input.strategies !== null) {
      throw invalidField('strategies', 'is not offered');
    }
    if (input.profile === 'minimal' && !services.retrieval.minimalRecall) {
      throw invalidField('profile', 'is not enabled');
    }
    if (input.deadline === 'disabled' && !isAccountAdmin(caller)) throw new Refusal('forbidden');
    const read = await authoriseRead(context, {
      scopePath: input.scope_path,
      peerKey: input.peer_key,
    });
    const answer = await services.retrieval.search({
      accountId: caller.accountId,
      scopeIds: read.scopeIds,
      reader: read.reader,
      query: input.query,
      profile: RETRIEVAL_PROFILES[input.profile],
      limit: input.limit,
      asOf: input.as_of,
      minScore: input.min_score,
      sourceFilters: input.source_filters,
      deadlineEnabled: input.deadline === null,
      now,
      traceId,
      signal,
    });
    const deadline: SearchOutput['deadline'] = input.deadline === null ? 'enabled' : 'disabled';
    return {
      query: input.query,
      scope_path: read.scopePath,
      profile: input.profile,
      profile_version: PROFILE_IDENTITY,
      deadline,
      ...answerView(answer),
      reader_posture: read.reader.posture,
      // The projection is not built by this version: asked for, it is away.
      ...(input.include_identity_profile
        ? { identity_profile_status: 'unavailable' as const, identity_profile: null }
        : { identity_profile_status: 'not_requested' as const }),
    };
  },
});
