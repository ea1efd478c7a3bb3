/** The answer of a search. */
import { z } from 'zod';
import { PROFILE_IDENTITY } from '../../domain/identities.ts';
import {
  degradedComponents,
  isDegrading,
  OUTCOME_STATUSES,
  REASON_CLASSES,
  type ComponentOutcome,
} from '../../domain/retrieval/outcomes.ts';
import { PROFILES, STRATEGIES } from '../../domain/retrieval/strategies.ts';
import type { SearchAnswer } from '../../engine/retrieval/search.ts';
import { scopesOutput } from '../fields/read-scopes.ts';
import { pendingMember } from '../questions/pending.ts';
import { candidateOutput, candidateView } from './candidates.ts';
import { profileOverrideField } from './override-digest.ts';
import { profileOutput } from './stable-profile.ts';

const milliseconds = z.int().min(0);
const strategyNames = z.array(z.enum(STRATEGIES));
const component = z.enum([...STRATEGIES, 'candidate_filter', 'reranker']);

const outcomeOutput = z
  .object({
    component,
    status: z.enum(OUTCOME_STATUSES),
    reason_class: z.enum(REASON_CLASSES).nullable(),
    elapsed_ms: milliseconds,
    budget_remaining_ms: milliseconds
      .nullable()
      .describe('The milliseconds left at the end of this part. Null without a time limit.'),
  })
  .meta({ id: 'RetrievalOutcome', description: 'The outcome of one part of a search.' });

export const searchOutput = z.object({
  query: z.string(),
  ...scopesOutput,
  profile: z.enum(PROFILES),
  profile_version: z.literal(PROFILE_IDENTITY),
  profile_override: profileOverrideField,
  deadline: z.enum(['enabled', 'disabled']),
  latency_ms: milliseconds,
  candidates: z.array(candidateOutput).describe('The candidates, the best candidate first.'),
  contributed_strategies: strategyNames.describe(
    'The strategies that found at least one of these candidates.',
  ),
  empty_strategies: strategyNames.describe('The strategies that ran and matched nothing.'),
  dropped_strategies: strategyNames.describe(
    'The strategies that are switched off, that failed, or that were too slow.',
  ),
  retrieval_outcomes: z.array(outcomeOutput),
  reader_posture: z
    .enum(['peer', 'public_only', 'internal'])
    .describe(
      'The reader of the search: a peer, or nobody in particular, who reads public statements only.',
    ),
  degraded: z
    .boolean()
    .describe('Whether a part of the search was dropped or ended with a reason.'),
  degraded_components: z.array(component),
  pre_rerank_remaining_ms: milliseconds
    .nullable()
    .describe('The milliseconds left for the reranker. Null without a time limit.'),
  reserved_rerank_ms: milliseconds.describe(
    'The milliseconds that the search kept back for the reranker. 0 if it calls no reranker.',
  ),
  disagreement: z.object({
    strategy_count: z.int().min(0),
    disjoint: z.boolean(),
    low_score: z.boolean(),
    query_dependent_empty: z
      .boolean()
      .describe('Whether all strategies that read the query found nothing.'),
  }),
  identity_profile_status: z.enum(['not_requested', 'ready', 'empty', 'unavailable']),
  identity_profile: profileOutput
    .nullable()
    .optional()
    .describe('Present if the request asks for it. Null while it is unavailable.'),
  ...pendingMember,
});

export type SearchOutput = z.input<typeof searchOutput>;

function outcomeView(outcome: ComponentOutcome): SearchOutput['retrieval_outcomes'][number] {
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
  | 'scope_paths'
  | 'profile'
  | 'profile_version'
  | 'profile_override'
  | 'deadline'
  | 'reader_posture'
  | 'identity_profile_status'
  | 'identity_profile'
>;

/** What the answer of a search tells of it. */
export function answerView(answer: SearchAnswer): AnswerPart {
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
    reserved_rerank_ms: Math.round(answer.reservedRerankMs),
    disagreement: {
      strategy_count: disagreement.strategyCount,
      disjoint: disagreement.disjoint,
      low_score: disagreement.lowScore,
      query_dependent_empty: disagreement.queryDependentEmpty,
    },
  };
}
