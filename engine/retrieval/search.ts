/**
 * One search: prepare, fan out under one deadline, read the candidates through the predicate in Postgres,
 * rank, fuse, read the page through the predicate again.
 *
 * The indexes only help to find. No row leaves unless the SQL form of the predicate let it through, so a stale index
 * costs recall and never confidentiality.
 */
import { visibleByDefault, type ChainReader } from '../../domain/governance/visibility.ts';
import {
  disagreementOf,
  emptyStrategies,
  type Disagreement,
} from '../../domain/retrieval/disagreement.ts';
import { inReportingOrder, type ComponentOutcome } from '../../domain/retrieval/outcomes.ts';
import type { SourceFilters } from '../../domain/retrieval/source-filters.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import {
  poolSize,
  type RetrievalProfile,
  type Strategy,
} from '../../domain/retrieval/strategies.ts';
import type { CandidateRead } from '../../stores/postgres/knowledge/candidates.store.ts';
import { createIndexGate } from '../indexes/index-gate.ts';
import { maskSecrets } from '../secrets/mask.ts';
import { startDeadline } from './deadline.ts';
import { filteredOut } from './filter-probe.ts';
import { startStages } from './observer.ts';
import { readPage, type RankedCandidate } from './page.ts';
import type { SearchDependencies } from './dependencies.ts';
import { prepare, type Prepared } from './prepare.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import type { RankInput } from './rank.ts';
import { rerankerOutcome, rerankReserve } from './reranker.ts';
import { createQueryEmbedder } from './semantic.ts';
import { createStrategyRunner, type StrategyRun } from './strategies.ts';

export interface SearchRequest {
  readonly accountId: string;
  /** The scopes of the authorised chain. Empty finds nothing. */
  readonly scopeIds: readonly string[];
  readonly reader: ChainReader;
  readonly query: string;
  readonly profile: RetrievalProfile;
  readonly limit: number;
  /** ISO 8601, or null for now. */
  readonly asOf: string | null;
  readonly minScore: number | null;
  readonly sourceFilters: SourceFilters;
  readonly deadlineEnabled: boolean;
  readonly now: Date;
  readonly traceId: string;
  readonly signal: AbortSignal;
}

export type { RankedCandidate };

export interface SearchAnswer {
  readonly candidates: readonly RankedCandidate[];
  readonly outcomes: readonly ComponentOutcome[];
  /** Strategies that ran and found nothing that may be shown. */
  readonly emptyStrategies: readonly Strategy[];
  readonly disagreement: Disagreement;
  readonly latencyMs: number;
  readonly preRerankRemainingMs: number | null;
  readonly reservedRerankMs: number;
}

export type Search = (request: SearchRequest) => Promise<SearchAnswer>;

const GATE_PROBE_INTERVAL_MS = 250;

/** Builds the search of a process. Throws only when Postgres is away or the signal fires. */
export function createSearch(dependencies: SearchDependencies): Search {
  const { now, points, embed, observer } = dependencies;
  const gate = createIndexGate({
    probe: () => points.probe(),
    now,
    probeIntervalMs: GATE_PROBE_INTERVAL_MS,
  });
  const embedQuery = embed === null ? null : createQueryEmbedder(embed);
  const runStrategies = createStrategyRunner(dependencies, gate, embedQuery);

  return async (request) => {
    const { accountId, scopeIds, reader, profile, asOf, sourceFilters, signal } = request;
    const deadline = startDeadline(now, request.deadlineEnabled ? profile.deadlineMs : null);
    const ended = startStages(now, observer);
    const reserveMs = rerankReserve(dependencies, request);
    const at = asOf ?? request.now.toISOString();
    const [masked = ''] = await maskSecrets([request.query]);
    const plan = planQuery(request.query, masked);
    const visible = visibleByDefault({ scopeIds, reader, at });
    const access = { accountId, visible, asOf, reader };
    const asked = { ...access, sourceFilters };
    const prepared = await prepare(dependencies, plan, asked, scopeIds, deadline, signal);
    ended('prepare');
    const { operators, sourceFilters: narrowed } = prepared;
    const search: StatementSearch = { ...access, operators, sourceFilters: narrowed };
    const read: CandidateRead = {
      ...access,
      withText: plan.hasOperators,
      sourceMessageId: sourceFilters.sourceMessageId,
    };
    const runs = await runStrategies({
      plan,
      prepared,
      search,
      profile,
      limit: request.limit,
      at,
      traceId: request.traceId,
      read,
      deadline,
      reserveMs,
      signal,
    });
    ended('find');
    const ranking = rankingOf(request, plan, prepared, at);
    const { lists, candidates, wordsMatched } = await dependencies.inAccount(accountId, (stores) =>
      readPage(stores, { ...dependencies, ended }, request, runs, read, ranking),
    );
    const preRerankRemainingMs = deadline.remainingMs();
    const asksWhy = ran(runs, 'lexical') && !wordsMatched;
    const probe = { plan, vector: prepared.vector, read, scopeIds, at, now: request.now };
    const filtered = asksWhy ? await filteredOut(dependencies, probe, deadline) : null;
    if (asksWhy) ended('probe');
    const outcomes = inReportingOrder([
      ...runs.map((run) => run.outcome),
      ...(filtered === null ? [] : [filtered]),
      rerankerOutcome(dependencies, request, deadline),
    ]);
    observer?.answered({ profile: profile.name, outcomes, durationMs: deadline.elapsedMs() });
    return {
      candidates,
      outcomes,
      emptyStrategies: emptyStrategies(lists),
      disagreement: disagreementOf(lists),
      latencyMs: Math.round(deadline.elapsedMs()),
      preRerankRemainingMs: preRerankRemainingMs === null ? null : Math.round(preRerankRemainingMs),
      reservedRerankMs: reserveMs,
    };
  };
}

function rankingOf(
  { accountId, sourceFilters, minScore, limit }: SearchRequest,
  plan: QueryPlan,
  { vector }: Prepared,
  at: string,
): RankInput {
  return { accountId, plan, vector, sourceFilters, minScore, at, pool: poolSize(limit) };
}

function ran(runs: readonly StrategyRun[], strategy: Strategy): boolean {
  return runs.some((run) => run.strategy === strategy && run.found !== null);
}
