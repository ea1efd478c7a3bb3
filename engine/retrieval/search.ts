/**
 * One search: prepare, fan out under one deadline, read the candidates through the predicate in Postgres, rank, fuse,
 * read the page through the predicate again, and once more after a reranker.
 *
 * The indexes only help to find. No row leaves unless the SQL form of the predicate let it through, so a stale index
 * costs recall and never confidentiality.
 */
import { visibleByDefault } from '../../domain/governance/visibility.ts';
import {
  disagreementOf,
  emptyStrategies,
  type Disagreement,
} from '../../domain/retrieval/disagreement.ts';
import { inReportingOrder, type ComponentOutcome } from '../../domain/retrieval/outcomes.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import {
  poolSize,
  type RetrievalProfile,
  type Strategy,
} from '../../domain/retrieval/strategies.ts';
import type { CandidateRead } from '../../stores/postgres/retrieval/candidates.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { createIndexGate, type IndexGate } from '../indexes/index-gate.ts';
import { maskSecrets } from '../secrets/mask.ts';
import { readCandidates, type RankedCandidate } from './candidates.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import { filteredOut } from './filter-probe.ts';
import { startStages, type EndStage } from './observer.ts';
import { withLateFirstPage } from './late-first-page.ts';
import { rankFinds, readPage, type Page, type PageRequest } from './page.ts';
import type { SearchDependencies } from './dependencies.ts';
import { readInFirstTransaction, type FirstRead } from './first-transaction.ts';
import { prepare, type Prepared } from './prepare.ts';
import { planQuery, type QueryPlan } from '../text/query-plan.ts';
import { besideColumns } from './rank.ts';
import type { RankInput } from './rank-input.ts';
import { withRelations } from './relations.ts';
import { createReranker, type Reranked, type Reranker, type RerankTurn } from './reranker.ts';
import type { AnySearchRequest, SearchRequest } from './request.ts';
import { readRows } from './rows.ts';
import { createQueryEmbedder } from './semantic.ts';
import { createStrategyRunner, type StrategyRun } from './strategies.ts';
import type { StrategyInput } from './strategy-input.ts';

export type { RankedCandidate, SearchRequest };

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

export type Search = (request: AnySearchRequest) => Promise<SearchAnswer>;

const GATE_PROBE_INTERVAL_MS = 250;

function gateOf(points: SearchDependencies['points'], now: () => number): IndexGate {
  const probe = (signal: AbortSignal): Promise<void> => points.probe(signal);
  return createIndexGate({ probe, now, probeIntervalMs: GATE_PROBE_INTERVAL_MS });
}

/** Builds the search of a process. Throws only when Postgres is away or the signal fires. */
export function createSearch(dependencies: SearchDependencies): Search {
  const { now, points, embed } = dependencies;
  const gate = gateOf(points, now);
  const embedQuery = embed === null ? null : createQueryEmbedder(embed);
  const runStrategies = createStrategyRunner(dependencies, gate, embedQuery);
  const reranker = createReranker(dependencies);
  return async (request) => {
    const asking = await begin(dependencies, reranker, request);
    let found: Found;
    try {
      found = await find(dependencies, runStrategies, asking);
    } finally {
      // A strategy that did not begin has not waited for them.
      asking.firstRead.names?.giveUp();
    }
    return answer(dependencies, asking, found);
  };
}

/** One search, once its query was read, and who reads. */
interface Asking {
  readonly request: SearchRequest;
  readonly plan: QueryPlan;
  readonly firstRead: Pick<FirstRead, 'before' | 'names'>;
  /** The reranker's part. */
  readonly turn: RerankTurn;
  /** ISO 8601: `as_of`, or the time of the request. */
  readonly at: string;
  readonly read: CandidateRead;
  readonly deadline: Deadline;
  readonly ended: EndStage;
}

async function begin(
  dependencies: SearchDependencies,
  reranker: Reranker,
  asked: AnySearchRequest,
): Promise<Asking> {
  const { now, observer } = dependencies;
  const startedAt = now();
  const ended = startStages(now, observer);
  const [masked = ''] = await maskSecrets([asked.query]);
  const plan = planQuery(asked.query, masked);
  const { request, ...firstRead } = await readInFirstTransaction(dependencies, plan, asked);
  const { accountId, asOf, openings, profile, reader, scopeIds, sourceFilters } = request;
  const deadline = startDeadline(
    now,
    request.deadlineEnabled ? profile.deadlineMs : null,
    startedAt,
  );
  const at = asOf ?? request.now.toISOString();
  const read: CandidateRead = {
    accountId,
    visible: visibleByDefault({ scopeIds, reader, at }),
    asOf,
    reader,
    scopeIds,
    openings,
    withText: plan.hasQueryOperators,
    beside: besideColumns(plan, sourceFilters),
    sourceMessageId: sourceFilters.sourceMessageId,
  };
  const turn = reranker(request, plan, masked);
  return { request, plan, firstRead, turn, at, read, deadline, ended };
}

interface Found {
  readonly prepared: Prepared;
  readonly runs: readonly StrategyRun[];
}

async function find(
  dependencies: SearchDependencies,
  runStrategies: (input: StrategyInput) => Promise<StrategyRun[]>,
  { at, deadline, ended, firstRead, plan, read, request, turn }: Asking,
): Promise<Found> {
  const { chainScopeIds, limit, profile, scopeIds, signal, sourceFilters, traceId } = request;
  const { accountId, asOf, openings, reader, visible } = read;
  const access = { accountId, visible, asOf };
  const asked = { ...access, reader, scopeIds, openings, sourceFilters, kinds: request.kinds };
  const prepared = await prepare(dependencies, plan, asked, firstRead.before, deadline, signal);
  ended('prepare');
  const search: StatementSearch = {
    ...access,
    queryOperators: prepared.queryOperators,
    sourceFilters: prepared.sourceFilters,
  };
  const { reserveMs } = turn;
  const shared = {
    plan,
    prepared,
    names: firstRead.names,
    search,
    scopeIds,
    profile,
    limit,
    at,
    traceId,
    read,
  };
  const input = { ...shared, deadline, reserveMs, signal };
  const first = await withLateFirstPage(dependencies, await runStrategies(input), input);
  const runs = await withRelations(dependencies, first, {
    ...input,
    linkedScopeIds: new Set(scopeIds.filter((id) => !chainScopeIds.includes(id))),
    found: async (stores) => {
      const parts = { ...dependencies, ended: () => {} };
      const pool = poolOf(request, read, limit);
      const ranking = rankingOf(request, plan, prepared, at);
      const { chunkIds, fused } = await rankFinds(stores, parts, pool, first, ranking);
      return fused.filter(({ id }) => !chunkIds.has(id));
    },
  });
  ended('find');
  return { prepared, runs };
}

async function answer(
  dependencies: SearchDependencies,
  asking: Asking,
  { prepared, runs }: Found,
): Promise<SearchAnswer> {
  const { at, deadline, ended, plan, read, request, turn } = asking;
  const { profile } = request;
  const ranking = rankingOf(request, plan, prepared, at);
  // Awaited without a connection: what it waits for needs one.
  const shownBeside = await request.shownBeside;
  const pool = { ...poolOf(request, read, turn.poolOf(request.limit)), shownBeside };
  const rows = { ...dependencies, ended };
  const page = await readRows(dependencies, request, (stores) =>
    readPage(stores, rows, pool, runs, ranking),
  );
  const { lists, wordsMatched } = page;
  const preRerankRemainingMs = deadline.remainingMs();
  const reranked = await turn.order(page, deadline);
  const candidates = reranked.hasWaited
    ? await readRows(dependencies, request, (stores) =>
        readAgain(stores, rows, page, reranked, pool),
      )
    : reranked.candidates;
  const asksWhy = ran(runs, 'lexical') && !wordsMatched;
  const filtered = asksWhy ? await whyNothing(dependencies, asking, prepared) : null;
  const outcomes = inReportingOrder([
    ...switchedOff(profile, deadline),
    ...runs.map(({ outcome }) => outcome),
    ...(filtered === null ? [] : [filtered]),
    reranked.outcome,
  ]);
  const durationMs = deadline.elapsedMs();
  dependencies.observer?.answered({ profile: profile.name, outcomes, durationMs });
  return {
    candidates: candidates.slice(0, request.limit),
    outcomes,
    emptyStrategies: emptyStrategies(lists),
    disagreement: disagreementOf(lists),
    latencyMs: Math.round(durationMs),
    preRerankRemainingMs: preRerankRemainingMs === null ? null : Math.round(preRerankRemainingMs),
    reservedRerankMs: turn.reserveMs,
  };
}

/** Whether visibility alone is why no word of the query matched. */
async function whyNothing(
  dependencies: SearchDependencies,
  { at, deadline, ended, plan, read, request }: Asking,
  { words }: Prepared,
): Promise<ComponentOutcome | null> {
  const { chainScopeIds: scopeIds, now, signal } = request;
  const probe = { plan, words, read, scopeIds, at, now };
  const filtered = await filteredOut(dependencies, probe, deadline, signal);
  ended('probe');
  return filtered;
}

/**
 * The candidates in their new order, read through the predicate again: during the wait for the provider a curator or a
 * subject may have withdrawn a statement.
 */
async function readAgain(
  stores: Stores,
  { ended }: { readonly ended: EndStage },
  { chunkIds, fused }: Page,
  { candidates }: Reranked,
  pool: PageRequest,
): Promise<readonly RankedCandidate[]> {
  const items = new Map(fused.map((item) => [item.id, item]));
  const inOrder = candidates.flatMap(({ row }) => items.get(row.id) ?? []);
  const rows = await readCandidates(stores, inOrder, chunkIds, pool);
  ended('rerank');
  return rows;
}

/** How many candidates are read, and how statements and chunks are. */
function poolOf(request: SearchRequest, statements: CandidateRead, limit: number): PageRequest {
  const { asOf, profile, reader, scopeIds, sourceFilters } = request;
  const chunks =
    request.kinds === 'statements'
      ? null
      : { scopeIds, reader, asOf, documentId: sourceFilters.sourceDocumentId };
  return { profile, statements, chunks, limit };
}

function rankingOf(
  { accountId, sourceFilters, minScore, limit }: SearchRequest,
  plan: QueryPlan,
  { words }: Prepared,
  at: string,
): RankInput {
  return { accountId, plan, words, sourceFilters, minScore, at, pool: poolSize(limit) };
}

/**
 * The report names a strategy that an operator switched off, so that no reader takes it for one that found nothing.
 */
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
