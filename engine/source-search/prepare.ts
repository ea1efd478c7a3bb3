/** What a source search knows before it ranks: the weights of its words, and which messages its operators allow. */
import type { SourceFailureClass } from '../../domain/retrieval/source-status.ts';
import type { QueryOperatorAlternative } from '../../domain/retrieval/statement-search.ts';
import { databaseTimeMs, type Deadline } from '../retrieval/deadline.ts';
import { resolveQueryOperators } from '../retrieval/query-operators.ts';
import { NOTHING_KNOWN, readKnownWords, weighKnownWords } from '../retrieval/known-words.ts';
import type { QueryPlan, WeighedWords } from '../text/query-plan.ts';
import type {
  SourceAccess,
  SourceSearchDependencies,
  SourceSearchRequest,
} from './dependencies.ts';
import { PartFailure, type Parts } from './parts.ts';

export interface PreparedSources {
  readonly words: WeighedWords;
  readonly queryOperators: readonly QueryOperatorAlternative[] | null;
  /** Rank a wider pool: the operators could not be resolved fully, and the check on the texts decides. */
  readonly wide: boolean;
  /** Why the operators were not resolved, if so. */
  readonly queryOperatorFailure: SourceFailureClass | null;
  /** Some messages that may be read and that the index of meaning does not show yet. */
  readonly waitingIds: readonly string[];
  /** Some messages that may be read, of the reader's own; none for a search by words. */
  readonly ownIds: readonly string[];
}

/** From each end. */
const MOST_OWN = 16;

/** Waiting messages that pass the operators unresolved; one says that some wait. */
const MOST_WAITING = 500;

/**
 * The words are weighed by the frequencies that everybody of a scope may read, those of placed statements, as in a
 * search, and repaired by the words of the same statements. Messages lend neither: they would tell a reader what was said
 * where it was not.
 */
export async function prepare(
  { inAccount, limits, records }: SourceSearchDependencies,
  request: SourceSearchRequest,
  plan: QueryPlan,
  access: SourceAccess,
  deadline: Deadline,
  parts: Parts,
): Promise<PreparedSources> {
  const { accountId, mode, reader, scopeIds, signal } = request;
  const read = { reader, scopeIds };
  const known = await inAccount(
    accountId,
    async (stores) => ({
      words:
        mode === 'exact'
          ? await readKnownWords(stores, plan, { accountId, ...read })
          : NOTHING_KNOWN,
      waitingIds: mode === 'semantic' ? await stores.sourceMessages.waiting('qdrant', read, 1) : [],
      ownIds: mode === 'semantic' ? await stores.sourceMessages.own(read, MOST_OWN) : [],
      unwrittenIds: plan.hasQueryOperators
        ? await stores.sourceMessages.waiting('meilisearch', read, MOST_WAITING)
        : [],
    }),
    { statementTimeoutMs: databaseTimeMs(deadline, limits.partMs), signal, readOnly: true },
  );
  const unbound = {
    words: weighKnownWords(plan, accountId, known.words),
    queryOperators: null,
    waitingIds: known.waitingIds,
    ownIds: known.ownIds,
    queryOperatorFailure: null,
  };
  if (!plan.hasQueryOperators) return { ...unbound, wide: false };
  if (known.unwrittenIds.length >= MOST_WAITING) return { ...unbound, wide: true };
  try {
    const { alternatives, wide } = await parts.ask('index', (ends) =>
      resolveQueryOperators(
        plan,
        (queries) => records.match(queries, access, ends),
        known.unwrittenIds,
      ),
    );
    return { ...unbound, queryOperators: alternatives, wide };
  } catch (error) {
    if (!(error instanceof PartFailure)) throw error;
    return { ...unbound, wide: true, queryOperatorFailure: error.failureClass };
  }
}
