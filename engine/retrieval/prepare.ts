/**
 * The preparation of a search before its strategies start: word weights, waiting statements, operators and filters.
 */
import type { SourceFilters } from '../../domain/retrieval/source-filters.ts';
import { chunkSearchFor, type ChunkSearch } from '../../domain/retrieval/chunk-search.ts';
import { messageReaders, type MessageReader } from '../../domain/retrieval/message-search.ts';
import type { ReasonClass } from '../../domain/retrieval/outcomes.ts';
import type {
  QueryOperatorAlternative,
  StatementSearch,
} from '../../domain/retrieval/statement-search.ts';
import type { Frequencies } from '../../stores/postgres/retrieval/frequencies.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { partsTogether, partWithin, reasonOf, type Deadline } from './deadline.ts';
import { resolveQueryOperators } from './query-operators.ts';
import type { SearchDependencies } from './dependencies.ts';
import { NOTHING_KNOWN, readKnownWords, weighKnownWords, type KnownWords } from './known-words.ts';
import type { QueryPlan, WeighedWords } from '../text/query-plan.ts';
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';

export interface Prepared {
  readonly words: WeighedWords;
  /** The frequencies behind the weights of the words; null for a reader without frequencies, or without words. */
  readonly frequencies: Frequencies | null;
  /** Statements of the chain that were not written to Qdrant in time. */
  readonly overdueIds: readonly string[];
  readonly queryOperators: readonly QueryOperatorAlternative[] | null;
  /** The search for chunks of documents, with its operators; null where none may be found. */
  readonly chunks: ChunkSearch | null;
  /**
   * The readers of messages, with their scopes. Operators find statements also by the words of sources that the reader
   * may read.
   */
  readonly sourceReaders: readonly MessageReader[];
  /** With the statements that have the message of the filter as a source. */
  readonly sourceFilters: SourceFilters;
  /** Rank a wider pool: the operators could not be resolved fully. */
  readonly wide: boolean;
  /** Why the operators were not resolved, if so. */
  readonly queryOperatorFailure: ReasonClass | null;
}

/** Most waiting statements a search reads from Postgres. */
const MAX_OVERDUE = 500;
/** More waiting statements than this are not listed in a condition. */
const MAX_WAITING = 1000;

interface Access
  extends Pick<StatementSearch, 'accountId' | 'visible' | 'asOf' | 'sourceFilters'>, ScopedReader {
  readonly kinds: 'all' | 'statements';
}

/** The rows that the search reads from Postgres before the strategies start. */
export interface ReadBefore {
  readonly known: KnownWords;
  readonly overdueIds: readonly string[];
  readonly waitingIds: readonly string[];
  readonly sourceStatementIds: readonly string[];
  readonly sessionId: string | null;
}

export const NOTHING_READ: ReadBefore = {
  known: NOTHING_KNOWN,
  overdueIds: [],
  waitingIds: [],
  sourceStatementIds: [],
  sessionId: null,
};

/** Whether a search asks the indexes or for a source: one for whatever stands out needs nothing before it starts. */
export function needsReading(
  plan: Pick<QueryPlan, 'hasQueryOperators' | 'text'>,
  { sourceDocumentId, sourceMessageId }: SourceFilters,
): boolean {
  const asksForSource = sourceMessageId !== null || sourceDocumentId !== null;
  return plan.text !== '' || plan.hasQueryOperators || asksForSource;
}

/**
 * Reads it, in the search's first transaction. The waiting marks are read before Meilisearch is asked: a mark that is gone
 * by then belongs to a statement that Meilisearch shows.
 */
export async function readBefore(
  stores: Stores,
  plan: QueryPlan,
  access: Pick<Access, 'accountId' | 'reader' | 'scopeIds' | 'openings' | 'sourceFilters'>,
): Promise<ReadBefore> {
  const { accountId, reader, scopeIds, sourceFilters } = access;
  const { sourceDocumentId, sourceMessageId } = sourceFilters;
  return {
    known: await readKnownWords(stores, plan, { accountId, reader, scopeIds }),
    overdueIds: await stores.dirtyMarks.waitingStatements(
      scopeIds,
      'overdue_in_qdrant',
      MAX_OVERDUE,
    ),
    waitingIds: plan.hasQueryOperators
      ? await stores.dirtyMarks.waitingStatements(scopeIds, 'dirty_in_meilisearch', MAX_WAITING)
      : [],
    sourceStatementIds:
      sourceMessageId === null ? [] : await stores.candidates.ofSource(sourceMessageId, access),
    sessionId: sourceDocumentId === null ? null : await stores.chunks.sessionOf(sourceDocumentId),
  };
}

/** Prepares a search by what was read for it; asks Meilisearch where the query has operators. */
export async function prepare(
  { records }: Pick<SearchDependencies, 'records'>,
  plan: QueryPlan,
  access: Access,
  { known, overdueIds, sessionId, sourceStatementIds, waitingIds }: ReadBefore,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<Prepared> {
  const { accountId, scopeIds } = access;
  const { sourceDocumentId } = access.sourceFilters;
  const sourceFilters = { ...access.sourceFilters, sourceStatementIds };
  const chunksOf = {
    ...access,
    sourceFilters,
    // A document that does not exist has no session. The search sends the same request as for a hidden one.
    sessionId: sessionId ?? sourceDocumentId,
  };
  const chunks = access.kinds === 'statements' ? null : chunkSearchFor(chunksOf);
  const words = weighKnownWords(plan, accountId, known);
  const sourceReaders = messageReaders(access.reader, scopeIds);
  const unbound = {
    words,
    frequencies: known.frequencies,
    overdueIds,
    queryOperators: null,
    chunks,
    sourceFilters,
    sourceReaders,
  };
  if (!plan.hasQueryOperators) return { ...unbound, wide: false, queryOperatorFailure: null };
  if (waitingIds.length >= MAX_WAITING)
    return { ...unbound, wide: true, queryOperatorFailure: null };
  const remaining = deadline.remainingMs();
  try {
    const resolved = await partWithin(remaining === null ? null : remaining / 2, signal, (inTime) =>
      resolveBoth(records, plan, { access, chunks, waitingIds }, inTime),
    );
    return { ...unbound, ...resolved, queryOperatorFailure: null };
  } catch (error) {
    signal.throwIfAborted();
    if (reasonOf(error) === null) throw error;
    // The search goes on without the index, whatever the failure.
    return { ...unbound, wide: true, queryOperatorFailure: 'dependency_unavailable' };
  }
}

/** Resolves the operators among statements and among chunks, side by side. */
async function resolveBoth(
  records: SearchDependencies['records'],
  plan: QueryPlan,
  among: {
    readonly access: Pick<StatementSearch, 'accountId' | 'visible' | 'asOf' | 'sourceFilters'>;
    readonly chunks: ChunkSearch | null;
    readonly waitingIds: readonly string[];
  },
  signal: AbortSignal,
): Promise<Pick<Prepared, 'queryOperators' | 'chunks' | 'wide'>> {
  const { access, chunks, waitingIds } = among;
  const [ofStatements, ofChunks] = await partsTogether(signal, [
    (either) =>
      resolveQueryOperators(
        plan,
        (queries) => records.matchStatements(queries, access, either),
        waitingIds,
      ),
    async (either) =>
      chunks === null
        ? null
        : resolveQueryOperators(
            plan,
            (queries) => records.matchChunks(queries, chunks, either),
            [],
          ),
  ]);
  return {
    queryOperators: ofStatements.alternatives,
    chunks: chunks && { ...chunks, queryOperators: ofChunks?.alternatives ?? null },
    wide: ofStatements.wide || (ofChunks?.wide ?? false),
  };
}
