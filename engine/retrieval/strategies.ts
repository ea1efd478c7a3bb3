/** Runs the strategies of a profile side by side. They find ids and scores; only `salience_recency` reads rows. */
import type { StrategyInput } from './strategy-input.ts';
import type { Strategy } from '../../domain/retrieval/strategies.ts';
import { MOST_CHUNKS } from '../../domain/retrieval/chunk-search.ts';
import { poolSize } from '../../domain/retrieval/strategies.ts';
import type { CandidateRow } from '../../stores/postgres/retrieval/candidates.store.ts';
import type { IndexGate } from '../indexes/index-gate.ts';
import { candidateSearch } from './candidate-search.ts';
import { matchEntities } from './entities.ts';
import {
  databaseTimeMs,
  partsTogether,
  runStrategy,
  type Ran,
  strategyTimeMs,
  type StrategyLimits,
} from './deadline.ts';
import { NONE_FOUND, searchWords, type LexicalHits } from './lexical.ts';
import { asksByPhraseAlone, namedIds } from './phrases.ts';
import type { SearchDependencies } from './dependencies.ts';
import { askerOf, searchMeaning, type EmbedQuery } from './semantic.ts';

export interface FoundCandidates extends LexicalHits {
  /** Rows that the strategy read itself, ranked by Postgres. */
  readonly rows: readonly CandidateRow[];
}

export interface StrategyRun extends Ran<FoundCandidates> {
  readonly strategy: Strategy;
}

export const limitsOf = ({ profile, reserveMs }: StrategyInput): StrategyLimits => ({
  timeoutMs: profile.strategyTimeoutMs,
  reserveMs,
});

/** Share of the strategy's time that Qdrant may use before Meilisearch is asked. */
const FIRST_INDEX_SHARE = 0.6;

export const NOTHING_FOUND: FoundCandidates = {
  ...NONE_FOUND,
  chunks: NONE_FOUND,
  reason: null,
  rows: [],
};

function foundByPhraseAlone({ prepared, limit }: StrategyInput): FoundCandidates {
  const { chunks, queryOperators, overdueIds, queryOperatorFailure } = prepared;
  const named = namedIds(queryOperators, poolSize(limit, true));
  const unscored = [...new Set([...named, ...overdueIds])];
  const reason = overdueIds.length > 0 ? 'dependency_unavailable' : queryOperatorFailure;
  const ofChunks = namedIds(chunks?.queryOperators ?? null, MOST_CHUNKS);
  return { ...NOTHING_FOUND, unscored, chunks: { ...NONE_FOUND, unscored: ofChunks }, reason };
}

/** The work of a strategy; the signal ends it. `temporal` has no work of its own (`temporalFrom`). */
type StrategyWork = (
  input: StrategyInput,
  signal: AbortSignal,
) => Promise<FoundCandidates | 'not_applicable'>;

function strategyWorks(
  dependencies: SearchDependencies,
  gate: IndexGate,
  embedQuery: EmbedQuery | null,
): Readonly<Record<Strategy, StrategyWork>> {
  return {
    semantic: async (input, signal) => {
      const { plan, prepared, search, limit, traceId } = input;
      if (embedQuery === null || plan.text === '') return 'not_applicable';
      const alone = !input.profile.strategies.has('lexical');
      if (alone && asksByPhraseAlone(plan)) return foundByPhraseAlone(input);
      const asker = askerOf(input.read.reader);
      const vector = await embedQuery(search.accountId, plan.meaning, traceId, signal, asker);
      const pool = poolSize(limit, prepared.wide);
      const wanted = candidateSearch(search, prepared.chunks, pool);
      const hits = {
        ...NOTHING_FOUND,
        ...(await searchMeaning(dependencies, vector, wanted, signal)),
      };
      if (!alone) return hits;
      // Without the lexical strategy, this one also finds the statements that were not written to Qdrant in time.
      const { overdueIds, queryOperatorFailure } = prepared;
      const reason = overdueIds.length > 0 ? 'dependency_unavailable' : queryOperatorFailure;
      return { ...hits, unscored: overdueIds, reason };
    },
    lexical: async (input, signal) => {
      if (input.plan.text === '') return 'not_applicable';
      if (asksByPhraseAlone(input.plan)) return foundByPhraseAlone(input);
      const { overdueIds, queryOperatorFailure } = input.prepared;
      const allowed = strategyTimeMs(input.deadline, limitsOf(input));
      const hits: LexicalHits = await searchWords(dependencies, gate, {
        words: input.prepared.words,
        search: input.search,
        chunks: input.prepared.chunks,
        sourceReaders: input.prepared.sourceReaders,
        limit: poolSize(input.limit, input.prepared.wide),
        overdueIds,
        patienceMs: allowed === null ? null : allowed * FIRST_INDEX_SHARE,
        signal,
      });
      return { ...hits, reason: hits.reason ?? queryOperatorFailure, rows: [] };
    },
    salience_recency: async (input, signal) => {
      if (input.plan.text !== '') return 'not_applicable';
      const pool = poolSize(input.limit, input.plan.hasQueryOperators);
      const rows = await dependencies.inAccount(
        input.search.accountId,
        (stores) => stores.candidates.salient(input.at, pool, input.read),
        {
          statementTimeoutMs: databaseTimeMs(input.deadline, input.profile.strategyTimeoutMs),
          signal,
          readOnly: true,
        },
      );
      return { ...NOTHING_FOUND, rows };
    },
    temporal: async () => 'not_applicable',
    entity_match: async (input, signal) => {
      const scored = await matchEntities(input, signal);
      return scored === 'not_applicable' ? scored : { ...NOTHING_FOUND, scored };
    },
    // It begins with what the others found (`relations.ts`).
    relation_expand: async () => 'not_applicable',
  };
}

/** Builds the runner; the query embedder and the gate live as long as the process. */
export function createStrategyRunner(
  dependencies: SearchDependencies,
  gate: IndexGate,
  embedQuery: EmbedQuery | null,
): (input: StrategyInput) => Promise<StrategyRun[]> {
  const works = strategyWorks(dependencies, gate, embedQuery);

  const runOne = async (
    strategy: Strategy,
    input: StrategyInput,
    signal: AbortSignal,
  ): Promise<StrategyRun> => {
    const { deadline } = input;
    const work = (inner: AbortSignal) => works[strategy](input, inner);
    return { strategy, ...(await runStrategy(strategy, deadline, limitsOf(input), signal, work)) };
  };

  return async (input) => {
    const strategies = [...input.profile.strategies.keys()];
    const ran = await partsTogether(
      input.signal,
      strategies.map((strategy) => (signal) => runOne(strategy, input, signal)),
    );
    return ran.map((run) => (run.strategy === 'temporal' ? temporalFrom(ran, run, input) : run));
  };
}

/**
 * The temporal strategy ranks the statements that the lexical strategy found: it applies to a query with words that
 * asks for an instant, and has the outcome of the lexical strategy.
 */
function temporalFrom(
  ran: readonly StrategyRun[],
  own: StrategyRun,
  input: StrategyInput,
): StrategyRun {
  const lexical = ran.find((run) => run.strategy === 'lexical');
  if (input.search.asOf === null || lexical === undefined) return own;
  return {
    ...lexical,
    strategy: 'temporal',
    outcome: { ...lexical.outcome, component: 'temporal' },
  };
}
