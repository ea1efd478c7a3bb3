/**
 * One search: prepare, fan out under one deadline, read the candidates through the predicate in Postgres,
 * rank, fuse, read the page through the predicate again, and once more when a reranker was waited for.
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
import type { Stores } from '../../stores/postgres/stores.ts';
import { createIndexGate, type IndexGate } from '../indexes/index-gate.ts';
import { maskSecrets } from '../secrets/mask.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import { filteredOut } from './filter-probe.ts';
import { startStages, type EndStage } from './observer.ts';
import { readCandidates, readPage, type Page, type RankedStatement } from './page.ts';
import type { SearchDependencies } from './dependencies.ts';
import { prepare, type Prepared } from './prepare.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import type { RankInput } from './rank.ts';
import { createReranker, type Reranked } from './reranker.ts';
import { readRows } from './rows.ts';
import { createQueryEmbedder } from './semantic.ts';
import { createStrategyRunner, type StrategyRun } from './strategies.ts';

export interface SearchRequest {
  readonly accountId: string;
  /** The scopes of the authorised chain, and those linked to them. Empty finds nothing. */
  readonly scopeIds: readonly string[];
  /** Those of the chain alone: only their hidden statements may be mentioned. */
  readonly chainScopeIds: readonly string[];
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

export type { RankedStatement };

export interface SearchAnswer {
  readonly candidates: readonly RankedStatement[];
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

function gateOf(points: SearchDependencies['points'], now: () => number): IndexGate {
  const probe = (signal: AbortSignal): Promise<void> => points.probe(signal);
  return createIndexGate({ probe, now, probeIntervalMs: GATE_PROBE_INTERVAL_MS });
}

/** Builds the search of a process. Throws only when Postgres is away or the signal fires. */
export function createSearch(dependencies: SearchDependencies): Search {
  const { now, points, embed, observer } = dependencies;
  const gate = gateOf(points, now);
  const embedQuery = embed === null ? null : createQueryEmbedder(embed);
  const runStrategies = createStrategyRunner(dependencies, gate, embedQuery);
  const reranker = createReranker(dependencies);

  return async (request) => {
    const { accountId, scopeIds, reader, profile, asOf, sourceFilters, signal } = request;
    const deadline = startDeadline(now, request.deadlineEnabled ? profile.deadlineMs : null);
    const ended = startStages(now, observer);
    const at = asOf ?? request.now.toISOString();
    const [masked = ''] = await maskSecrets([request.query]);
    const plan = planQuery(request.query, masked);
    const turn = reranker(request, plan, masked);
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
      reserveMs: turn.reserveMs,
      signal,
    });
    ended('find');
    const ranking = rankingOf(request, plan, prepared, at);
    const pool = { profile, limit: turn.poolOf(request.limit) };
    const rows = { ...dependencies, ended };
    const page = await readRows(dependencies, accountId, deadline, signal, (stores) =>
      readPage(stores, rows, pool, runs, read, ranking),
    );
    const { lists, wordsMatched } = page;
    const preRerankRemainingMs = deadline.remainingMs();
    const reranked = await turn.order(page, deadline);
    const candidates = reranked.hasWaited
      ? await readRows(dependencies, accountId, deadline, signal, (stores) =>
          readAgain(stores, rows, page, reranked, read, profile),
        )
      : reranked.candidates;
    const asksWhy = ran(runs, 'lexical') && !wordsMatched;
    const probe = {
      plan,
      vector: prepared.vector,
      read,
      scopeIds: request.chainScopeIds,
      at,
      now: request.now,
    };
    const filtered = asksWhy ? await filteredOut(dependencies, probe, deadline, signal) : null;
    if (asksWhy) ended('probe');
    const outcomes = outcomesOf(
      [...switchedOff(profile, deadline), ...runs.map(({ outcome }) => outcome)],
      filtered,
      reranked,
    );
    observer?.answered({ profile: profile.name, outcomes, durationMs: deadline.elapsedMs() });
    return {
      candidates: candidates.slice(0, request.limit),
      outcomes,
      emptyStrategies: emptyStrategies(lists),
      disagreement: disagreementOf(lists),
      latencyMs: Math.round(deadline.elapsedMs()),
      preRerankRemainingMs: preRerankRemainingMs === null ? null : Math.round(preRerankRemainingMs),
      reservedRerankMs: turn.reserveMs,
    };
  };
}

function outcomesOf(
  ofStrategies: readonly ComponentOutcome[],
  filtered: ComponentOutcome | null,
  reranked: Reranked,
): readonly ComponentOutcome[] {
  return inReportingOrder([
    ...ofStrategies,
    ...(filtered === null ? [] : [filtered]),
    reranked.outcome,
  ]);
}

/**
 * The candidates in their new order, read through the predicate again: while the provider was waited for, a statement
 * may have been withdrawn.
 */
async function readAgain(
  stores: Stores,
  { ended }: { readonly ended: EndStage },
  { fused }: Page,
  { candidates }: Reranked,
  read: CandidateRead,
  profile: RetrievalProfile,
): Promise<readonly RankedStatement[]> {
  const items = new Map(fused.map((item) => [item.id, item]));
  const inOrder = candidates.flatMap(({ row }) => items.get(row.id) ?? []);
  const rows = await readCandidates(stores, inOrder, read, profile);
  ended('rerank');
  return rows;
}

function rankingOf(
  { accountId, sourceFilters, minScore, limit }: SearchRequest,
  plan: QueryPlan,
  { vector }: Prepared,
  at: string,
): RankInput {
  return { accountId, plan, vector, sourceFilters, minScore, at, pool: poolSize(limit) };
}

/** A strategy of the profile that an operator switched off is reported, so that nobody takes it for one that found nothing. */
function switchedOff(profile: RetrievalProfile, deadline: Deadline): ComponentOutcome[] {
  const budgetRemainingMs = deadline.remainingMs();
  return profile.switchedOff.map((component) => ({
    component,
    status: 'dropped',
    reasonClass: 'disabled',
    elapsedMs: 0,
    budgetRemainingMs,
  }));
}

function ran(runs: readonly StrategyRun[], strategy: Strategy): boolean {
  return runs.some((run) => run.strategy === strategy && run.found !== null);
}
