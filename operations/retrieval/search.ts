/** `search`: ranked retrieval of statements for a reader, in a scope and its ancestors. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { PROFILE_IDENTITY } from '../../domain/identities.ts';
import { isAccountAdmin, type Caller } from '../../domain/identity/caller.ts';
import {
  degradedComponents,
  isDegrading,
  OUTCOME_STATUSES,
  REASON_CLASSES,
  type ComponentOutcome,
} from '../../domain/retrieval/outcomes.ts';
import { withOverride } from '../../domain/retrieval/profile-override.ts';
import { NO_SOURCE_FILTERS } from '../../domain/retrieval/source-filters.ts';
import { PROFILES, RETRIEVAL_PROFILES, STRATEGIES } from '../../domain/retrieval/strategies.ts';
import { partWithin, reasonOf, stopped } from '../../engine/retrieval/deadline.ts';
import type { SearchAnswer } from '../../engine/retrieval/search.ts';
import { readStableProfile } from '../../engine/retrieval/stable-profile.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { pendingMember, sessionField, withQuestion } from '../questions/pending.ts';
import { candidateOutput, candidateView } from './candidates.ts';
import {
  flagField,
  instantField,
  limitField,
  queryField,
  readerField,
  readScopeField,
} from './fields.ts';
import { profileOverrideField, profileOverrideOf } from './override-digest.ts';
import { authoriseRead, type AuthorisedRead } from './reader.ts';
import { profileOutput, profileView } from './stable-profile.ts';

/** Names of providers, models and versions have fewer characters. */
const LONGEST_FILTER_CHARS = 256;

const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null)
  .refine((text) => text === null || text.length <= LONGEST_FILTER_CHARS, {
    message: `must have at most ${LONGEST_FILTER_CHARS} characters`,
  });

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
          ...NO_SOURCE_FILTERS,
          provider: filters.provider,
          model: filters.model,
          pipelineVersion: filters.pipeline_version,
          minimumCorroboration: filters.minimum_corroboration,
          sourceMessageId: filters.source_message_id,
          sourceDocumentId: filters.source_document_id,
        },
  )
  .meta({
    description:
      'The search ranks only candidates that meet all of these conditions. Only chunks of documents can meet `source_document_id`, and only statements the others.',
  });

/** Fields that every search takes; an answer built on a search takes them too. */
const searchInput = z
  .object({
    query: queryField,
    scope_path: readScopeField,
    peer_key: readerField,
    profile: z
      .enum(PROFILES)
      .nullish()
      .transform((profile) => profile ?? 'balanced')
      .meta({
        description:
          'How much time the search has: `fast` 100 ms, `balanced` 300 ms, `thorough` 1.5 s with a reranker. An operator may set other values for a scope (`profile_override` of the answer). `minimal` is an experiment that operators switch on.',
        wire: { default: 'balanced' },
      }),
    limit: limitField,
    session_id: sessionField,
    include_cross_links: flagField.meta({
      description:
        'Also searches the scopes that are linked to a scope of the chain, if the caller may read both ends of the link.',
      wire: { default: false },
    }),
    as_of: instantField,
    min_score: z
      .number()
      .nullish()
      .transform((score) => score ?? null)
      .refine((score) => score === null || (score >= 0 && score <= 1), {
        message: 'must be from 0 to 1',
      })
      .meta({
        description:
          'Drops the hits of each strategy that have a lower score, before the search fuses them: 0 to 1, for words the share of the weight of the query that a text meets, for meanings the cosine.',
      }),
    source_filters: sourceFilters,
    deadline: z
      .literal('disabled')
      .nullish()
      .transform((word) => word ?? null)
      .meta({
        description:
          'Removes the time limit of the profile. Only account administrators may use it.',
      }),
    include_identity_profile: flagField.meta({
      description:
        'Adds the stable profile of the reader to the answer. It does not change the ranking.',
      wire: { default: false },
    }),
    strategies: z
      .unknown()
      .optional()
      .meta({
        description: 'Not supported. The service refuses the field.',
        wire: { type: 'null' },
      }),
  })
  .meta({ wire: { examples: [{ query: 'where does Ana live', scope_path: '/team/project' }] } });

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
      .describe('The milliseconds that were left. Null without a time limit.'),
  })
  .meta({ id: 'RetrievalOutcome', description: 'The outcome of one part of a search.' });

export const searchOutput = z.object({
  query: z.string(),
  scope_path: z.string(),
  profile: z.enum(PROFILES),
  profile_version: z.literal(PROFILE_IDENTITY),
  profile_override: profileOverrideField,
  deadline: z.enum(['enabled', 'disabled']),
  latency_ms: milliseconds,
  candidates: z.array(candidateOutput).describe('The candidates, the best one first.'),
  contributed_strategies: strategyNames.describe(
    'The strategies that found at least one of these candidates.',
  ),
  empty_strategies: strategyNames.describe('The strategies that ran and matched nothing.'),
  dropped_strategies: strategyNames.describe(
    'The strategies that were switched off, were too slow, or failed.',
  ),
  retrieval_outcomes: z.array(outcomeOutput),
  reader_posture: z
    .enum(['peer', 'public_only', 'internal'])
    .describe('On whose behalf the search read: for a peer, or public statements only.'),
  degraded: z
    .boolean()
    .describe('Whether a part of the search was dropped or ended with a reason.'),
  degraded_components: z.array(component),
  pre_rerank_remaining_ms: milliseconds
    .nullable()
    .describe('The milliseconds that were left for the reranker. Null without a time limit.'),
  reserved_rerank_ms: milliseconds.describe(
    'The milliseconds that the search kept back for the reranker. 0 if it asks no reranker.',
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

type SearchOutput = z.input<typeof searchOutput>;

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
  | 'profile'
  | 'profile_version'
  | 'profile_override'
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
    reserved_rerank_ms: Math.round(answer.reservedRerankMs),
    disagreement: {
      strategy_count: disagreement.strategyCount,
      disjoint: disagreement.disjoint,
      low_score: disagreement.lowScore,
      query_dependent_empty: disagreement.queryDependentEmpty,
    },
  };
}

type IdentityPart = Pick<SearchOutput, 'identity_profile_status' | 'identity_profile'>;
/** Milliseconds for all of it; the wait for a connection counts. */
const LONGEST_PROFILE_READ_MS = 5_000;
const NOT_REQUESTED: IdentityPart = { identity_profile_status: 'not_requested' };

/** Beside the search, which it does not change. A database that does not answer costs the profile alone. */
async function identityProfile(
  { caller, inAccount, now }: RequestContext<Caller>,
  { chainScopeIds: scopeIds, reader }: AuthorisedRead,
  signal: AbortSignal,
): Promise<IdentityPart> {
  const at = now.toISOString();
  try {
    const profile = await partWithin(LONGEST_PROFILE_READ_MS, signal, (inTime) =>
      inAccount(caller.accountId, (stores) => readStableProfile(stores, { scopeIds, reader, at }), {
        statementTimeoutMs: LONGEST_PROFILE_READ_MS,
        signal: inTime,
        readOnly: true,
      }),
    );
    return {
      identity_profile_status: profile.items.length === 0 ? 'empty' : 'ready',
      identity_profile: profileView(profile),
    };
  } catch (error) {
    signal.throwIfAborted();
    const isAway = error instanceof Refusal && error.code === 'unavailable';
    if (!isAway && reasonOf(error) === null) throw error;
    return { identity_profile_status: 'unavailable', identity_profile: null };
  }
}

/** Both answers. When one fails, the other has stopped before its error is thrown. */
async function both(
  searched: Promise<SearchAnswer>,
  profile: IdentityPart | Promise<IdentityPart>,
  ended: AbortController,
): Promise<[SearchAnswer, IdentityPart]> {
  try {
    return await Promise.all([searched, profile]);
  } catch (error) {
    ended.abort();
    await stopped([searched, profile]);
    throw error;
  }
}

export const search = defineOperation({
  id: 'memory.search',
  access: 'any_identity',
  effect: 'read',
  summary: 'Search memory',
  description:
    'Returns ranked statements of a scope and its ancestors that the reader may see, and chunks of documents that the reader uploaded there. If a part of the search is unavailable or late, the answer is `degraded` instead of an error.',
  refusals: ['forbidden', 'unknown_peer'],
  input: searchInput,
  output: searchOutput,
  async run(context, input) {
    const { caller, now, settings, traceId, signal } = context;
    if (input.strategies !== undefined && input.strategies !== null) {
      throw invalidField('strategies', 'is not supported');
    }
    if (input.profile === 'minimal' && !settings.minimalRecall) {
      throw invalidField('profile', 'is not enabled');
    }
    if (input.deadline === 'disabled' && !isAccountAdmin(caller)) throw new Refusal('forbidden');
    const read = await authoriseRead(context, {
      scopePath: input.scope_path,
      peerKey: input.peer_key,
      crossLinks: input.include_cross_links,
      profile: input.profile,
    });
    const ended = new AbortController();
    const profile = input.include_identity_profile
      ? identityProfile(context, read, AbortSignal.any([signal, ended.signal]))
      : NOT_REQUESTED;
    const searched = context.search({
      accountId: caller.accountId,
      scopeIds: read.scopeIds,
      chainScopeIds: read.chainScopeIds,
      reader: read.reader,
      query: input.query,
      profile: withOverride(RETRIEVAL_PROFILES[input.profile], read.profileOverride),
      limit: input.limit,
      asOf: input.as_of,
      minScore: input.min_score,
      sourceFilters: input.source_filters,
      deadlineEnabled: input.deadline === null,
      now,
      traceId,
      signal: AbortSignal.any([signal, ended.signal]),
    });
    const [answer, identity] = await both(searched, profile, ended);
    const deadline: SearchOutput['deadline'] = input.deadline === null ? 'enabled' : 'disabled';
    const output = {
      query: input.query,
      scope_path: read.scopePath,
      profile: input.profile,
      profile_version: PROFILE_IDENTITY,
      profile_override: profileOverrideOf(input.profile, read.profileOverride),
      deadline,
      ...answerView(answer),
      reader_posture: read.posture,
      ...identity,
    };
    // A look at the past asks nobody.
    const sessionId = input.as_of === null ? input.session_id : null;
    const asked = { sessionId, query: input.query, operation: 'memory.search' };
    return withQuestion(context, read, asked, output);
  },
});
