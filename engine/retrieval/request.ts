/**
 * The request of a search and its reader. The caller has decided the reader, or the search's first transaction decides.
 */
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';
import type { SourceFilters } from '../../domain/retrieval/source-filters.ts';
import type { RetrievalProfile } from '../../domain/retrieval/strategies.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

/** In the scopes of the authorised chain, and those linked to them; none finds nothing. */
export interface SearchAccess extends ScopedReader {
  /** Those of the chain alone: only their hidden statements may be mentioned. */
  readonly chainScopeIds: readonly string[];
  readonly profile: RetrievalProfile;
}

interface Asked {
  readonly accountId: string;
  readonly query: string;
  /** Whether chunks of documents may be candidates too. */
  readonly kinds: 'all' | 'statements';
  readonly limit: number;
  /** ISO 8601, or null for now. */
  readonly asOf: string | null;
  readonly minScore: number | null;
  /** Ids of what the answer shows beside the search, once they are known: none of it takes a place of the page. */
  readonly shownBeside?: Promise<ReadonlySet<string>>;
  readonly sourceFilters: SourceFilters;
  readonly deadlineEnabled: boolean;
  readonly now: Date;
  readonly traceId: string;
  readonly signal: AbortSignal;
}

export interface SearchRequest extends Asked, SearchAccess {}

/** A search whose access is decided by its first transaction, before that reads anything else. */
export interface OpenSearchRequest extends Asked {
  /** An error from it ends the search. */
  readonly authorise: (stores: Stores) => Promise<SearchAccess>;
}

export type AnySearchRequest = SearchRequest | OpenSearchRequest;

/** The request with other values of its profile, whenever these are decided. */
export function withProfileValues(
  request: AnySearchRequest,
  values: Partial<RetrievalProfile>,
): AnySearchRequest {
  const changed = <A extends SearchAccess>(access: A): A => ({
    ...access,
    profile: { ...access.profile, ...values },
  });
  if (!('authorise' in request)) return changed(request);
  const { authorise } = request;
  return { ...request, authorise: async (stores) => changed(await authorise(stores)) };
}
