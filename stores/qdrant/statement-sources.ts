/**
 * Statements by the words of their sources, in two lists that share no statement: those of whose sources the reader reads
 * all, by words of both, and the others, by their own words. So words that the reader may not read neither find a
 * statement nor move one.
 */
import type { MessageReader } from '../../domain/retrieval/message-search.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { anyOf, matches, matchesAny, statementFilter, type PointFilter } from './filter.ts';
import { SOURCES_VECTOR, SPARSE_VECTOR } from './point.ts';

export interface WordList {
  readonly using: typeof SPARSE_VECTOR | typeof SOURCES_VECTOR;
  readonly filter: PointFilter;
}

/** A statement with words of its sources, all of which the reader reads. */
function readsSources({ peerId, scopeIds }: MessageReader): PointFilter {
  const reads =
    peerId === null ? { has_vector: SOURCES_VECTOR } : matches('source_readers', peerId);
  return { must: [matchesAny('now_scope', scopeIds), reads] };
}

/**
 * The lists of a search. What was said by an instant is not told apart, so a search for a past one has own words only.
 * `readers` says who reads messages, and where.
 */
export function wordLists(search: StatementSearch, readers: readonly MessageReader[]): WordList[] {
  const all = statementFilter(search);
  if (search.asOf !== null || readers.length === 0) return [{ using: SPARSE_VECTOR, filter: all }];
  const readable = anyOf(readers.map(readsSources));
  return [
    { using: SOURCES_VECTOR, filter: { must: [all, readable] } },
    // Said first, because where the reader reads all sources it ends the look at each point.
    { using: SPARSE_VECTOR, filter: { must: [{ must_not: [readable] }, all] } },
  ];
}
