/**
 * Messages that share words with the query, without a model. Qdrant ranks their passages. While it is away, Meilisearch
 * lists the messages that hold a term, and the score is the share of the query's weight that a message holds.
 */
import { roundScore } from '../../domain/ranking/sparse.ts';
import { NO_TRAITS } from '../../domain/ranking/traits.ts';
import type { MessageSearch } from '../../domain/retrieval/message-search.ts';
import type { SourceFailureClass } from '../../domain/retrieval/source-status.ts';
import type { MessageHit } from '../../stores/qdrant/message-points.ts';
import type { IndexGate } from '../indexes/index-gate.ts';
import { MOST_FALLBACK_TERMS, share, weightiest } from '../retrieval/lexical.ts';
import { asksByPhraseAlone, namedIds } from '../retrieval/phrases.ts';
import type { QueryPlan } from '../text/query-plan.ts';
import type { SourceSearchDependencies } from './dependencies.ts';
import { askPoints, PartFailure, type Parts } from './parts.ts';
import type { PreparedSources } from './prepare.ts';
import { rankedHits } from './ranked.ts';

export interface FoundMessages {
  /** In the order in which they are shown, if they are not to be scored again. */
  readonly hits: readonly MessageHit[];
  /** Scores of the ranking index: they are to be scored again once it is known which of them the reader may read. */
  readonly isOfIndex: boolean;
  /** Why there may be fewer than there should be; null when there are not. */
  readonly lack: SourceFailureClass | null;
}

export interface WordSearch {
  readonly plan: QueryPlan;
  readonly prepared: PreparedSources;
  readonly search: MessageSearch;
  readonly pool: number;
}

/** Share of a part's time that Qdrant may use before Meilisearch is asked. */
const FIRST_INDEX_SHARE = 0.6;
/** Meilisearch reads no word after the tenth. */
const MOST_JOINT_TERMS = 10;

/** Messages with a quoted phrase whose words weigh nothing: the full-text index has listed them, the newest first. */
function foundByPhrase({ pool, prepared }: WordSearch): FoundMessages {
  const { queryOperatorFailure, queryOperators } = prepared;
  if (queryOperatorFailure !== null) throw new PartFailure(queryOperatorFailure);
  const hits = namedIds(queryOperators, pool).map((messageId) => ({
    messageId,
    score: 1,
    order: 0,
    beginsAt: null,
    traits: NO_TRAITS,
  }));
  return { hits, lack: null, isOfIndex: false };
}

async function foundInRecords(
  { records }: SourceSearchDependencies,
  { prepared, pool, search }: WordSearch,
  parts: Parts,
  lack: SourceFailureClass,
): Promise<FoundMessages> {
  const { own, total } = prepared.words;
  const weights = new Map(own.indices.map((id, n) => [id, own.values[n] ?? 0]));
  const terms = weightiest(own, MOST_FALLBACK_TERMS);
  // Messages with all the words come first: no list of a single word is cut before them.
  const lists = [terms.slice(0, MOST_JOINT_TERMS), ...terms.map((id) => [id])];
  const answers = await parts.ask('index', (signal) =>
    records.withTerms(lists, search, pool, signal),
  );
  const held = new Map<string, Set<number>>();
  answers.forEach(({ sourceIds }, n) => {
    for (const id of sourceIds) {
      const ids = held.get(id) ?? new Set();
      for (const term of lists[n] ?? []) ids.add(term);
      held.set(id, ids);
    }
  });
  const hits = Array.from(held, ([messageId, ids]): MessageHit => {
    const score = [...ids].reduce((sum, id) => sum + (weights.get(id) ?? 0), 0);
    return { messageId, score, order: 0, beginsAt: null, traits: NO_TRAITS };
  });
  const ranked = rankedHits(hits, (score) => roundScore(Math.min(1, share(score, total))));
  return { hits: ranked.slice(0, pool), lack, isOfIndex: false };
}

/** @throws PartFailure when both indexes are away. */
export async function findByWords(
  dependencies: SourceSearchDependencies,
  gate: IndexGate,
  asked: WordSearch,
  parts: Parts,
): Promise<FoundMessages> {
  const { plan, pool, prepared, search } = asked;
  if (asksByPhraseAlone(plan)) return foundByPhrase(asked);
  const { queryOperatorFailure: lack, words } = prepared;
  if (words.asked.indices.length === 0) return { hits: [], lack, isOfIndex: true };
  try {
    const work = (signal: AbortSignal) =>
      dependencies.points.searchWords(words.asked, search, pool, signal);
    const hits = await askPoints(gate, parts, work, FIRST_INDEX_SHARE);
    return { hits, lack, isOfIndex: true };
  } catch (error) {
    if (!(error instanceof PartFailure)) throw error;
    return foundInRecords(dependencies, asked, parts, error.failureClass);
  }
}
