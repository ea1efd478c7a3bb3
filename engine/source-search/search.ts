/**
 * One source search: it finds messages by meaning or by words, and shows those that the reader may read, as excerpts.
 * A failure of an index or of the embedder is a status of the answer. No model is asked for a search by words.
 */
import { messageReaders } from '../../domain/retrieval/message-search.ts';
import {
  sourceOutcome,
  type SourceFacts,
  type SourceFailureClass,
  type SourceStatus,
} from '../../domain/retrieval/source-status.ts';
import { passagePoolSize } from '../../domain/retrieval/strategies.ts';
import { createIndexGate, type IndexGate } from '../indexes/index-gate.ts';
import { hasDirection } from '../indexes/dense.ts';
import { startDeadline, type Deadline } from '../retrieval/deadline.ts';
import { planQuery, type QueryPlan } from '../text/query-plan.ts';
import { askerOf, createQueryEmbedder, type EmbedQuery } from '../retrieval/semantic.ts';
import { maskSecrets } from '../secrets/mask.ts';
import type {
  SourceAccess,
  SourceSearchDependencies,
  SourceSearchRequest,
} from './dependencies.ts';
import { lookAtVectors, type Look } from './look.ts';
import { askPoints, PartFailure, startParts, type Parts } from './parts.ts';
import { prepare, type PreparedSources } from './prepare.ts';
import { rankedHits } from './ranked.ts';
import { readResults, type SourceResult } from './results.ts';
import { findByWords } from './words.ts';

export interface SourceSearchAnswer {
  readonly status: SourceStatus;
  readonly failureClass: SourceFailureClass | null;
  /** Best first. */
  readonly results: readonly SourceResult[];
}

export type SourceSearch = (request: SourceSearchRequest) => Promise<SourceSearchAnswer>;

const GATE_PROBE_INTERVAL_MS = 250;

type Found = Omit<SourceFacts, 'results' | 'failure'> & {
  readonly failure?: SourceFailureClass;
  readonly results: readonly SourceResult[];
};

const NOTHING: Found = { results: [], vectors: 'no_messages', isCut: false, lack: null };

interface Asked {
  readonly request: SourceSearchRequest;
  readonly plan: QueryPlan;
  readonly access: SourceAccess;
  readonly prepared: PreparedSources;
  readonly deadline: Deadline;
  readonly parts: Parts;
}

async function byWords(
  dependencies: SourceSearchDependencies,
  gate: IndexGate,
  { access, deadline, parts, plan, prepared, request }: Asked,
): Promise<Found> {
  const search = { ...access, queryOperators: prepared.queryOperators };
  const pool = passagePoolSize(request.limit, prepared.wide);
  const { lack, ...found } = await findByWords(
    dependencies,
    gate,
    { plan, prepared, search, pool },
    parts,
  );
  const asked = { request, plan, words: prepared.words };
  const read = await readResults(dependencies, asked, found, deadline, parts);
  return { ...read, vectors: 'not_needed', lack };
}

async function byMeaning(
  dependencies: SourceSearchDependencies,
  gate: IndexGate,
  embedQuery: EmbedQuery | null,
  { access, deadline, parts, plan, prepared, request }: Asked,
): Promise<Found> {
  const { accountId, limit, traceId } = request;
  const lack = prepared.queryOperatorFailure;
  // Else the vectors are another embedder's, while a new collection is being filled.
  const isCurrent = dependencies.hasCurrentVectors?.() ?? true;
  const looking = isCurrent ? dependencies : { ...dependencies, embed: null };
  let look: Look;
  try {
    look = await lookAtVectors(looking, request, access, gate, prepared, deadline, parts);
  } catch (error) {
    // Without an embedder nothing can be compared, whatever Qdrant does.
    if (embedQuery !== null || !(error instanceof PartFailure)) throw error;
    return { ...NOTHING, vectors: 'none', failure: 'model_not_configured' };
  }
  const nothing: Found = { ...NOTHING, vectors: look.state };
  if (look.state === 'no_messages') return nothing;
  if (embedQuery === null) return { ...nothing, failure: 'model_not_configured' };
  if (look.state === 'none' || !isCurrent) return { ...nothing, vectors: 'none' };
  const vector = await parts.ask('work', (signal) =>
    embedQuery(accountId, plan.meaning, traceId, signal, askerOf(request.reader)),
  );
  const search = { ...access, queryOperators: prepared.queryOperators };
  const pool = passagePoolSize(limit, prepared.wide);
  const hits = hasDirection(vector)
    ? await askPoints(gate, parts, (signal) =>
        dependencies.points.searchMeaning(vector, search, pool, signal),
      )
    : [];
  const found = { hits: rankedHits(hits), isOfIndex: false };
  const asked = { request, plan, words: null };
  const read = await readResults(dependencies, asked, found, deadline, parts);
  return { ...read, vectors: look.isLacking ? 'some' : 'all', lack };
}

/** Builds the source search of a process. Throws only when Postgres is away or too slow, or the signal fires. */
export function createSourceSearch(dependencies: SourceSearchDependencies): SourceSearch {
  const { embed, limits, now, observer, probe } = dependencies;
  const gate = createIndexGate({ probe, now, probeIntervalMs: GATE_PROBE_INTERVAL_MS });
  const embedQuery = embed === null ? null : createQueryEmbedder(embed);

  const find = async (request: SourceSearchRequest, deadline: Deadline): Promise<Found> => {
    const { accountId, mode, query, reader, scopeIds, signal } = request;
    const readers = messageReaders(reader, scopeIds);
    if (query.trim() === '' || readers.length === 0) return NOTHING;
    const [masked = ''] = await maskSecrets([query]);
    const plan = planQuery(query, masked);
    if (plan.text === '') return NOTHING;
    const parts = startParts(deadline, limits.partMs, signal);
    const access = { accountId, readers };
    const prepared = await prepare(dependencies, request, plan, access, deadline, parts);
    const asked = { request, plan, access, prepared, deadline, parts };
    return mode === 'exact'
      ? byWords(dependencies, gate, asked)
      : byMeaning(dependencies, gate, embedQuery, asked);
  };

  return async (request) => {
    const deadline = startDeadline(now, limits.deadlineMs);
    let found: Found;
    try {
      found = await find(request, deadline);
    } catch (error) {
      if (!(error instanceof PartFailure)) throw error;
      found = { ...NOTHING, vectors: 'not_needed', failure: error.failureClass };
    }
    const { failure = null, results, ...facts } = found;
    const outcome = sourceOutcome({ ...facts, results: results.length, failure });
    observer?.answered({ mode: request.mode, ...outcome, durationMs: deadline.elapsedMs() });
    return { ...outcome, results };
  };
}
