/** What the retrieval operations reach the world through. */
import type { Search } from '../../engine/retrieval/search.ts';
import type { IndexRebuild, IndexVerification } from '../../engine/projections/maintenance.ts';
import type { KnowledgeRead, KnowledgeRow } from '../../stores/postgres/knowledge-rows.store.ts';
import type { ReadScope } from '../../stores/postgres/retrieval.store.ts';

export interface ReadResolution {
  /** Those of the paths that exist, outermost first. */
  readonly scopes: readonly ReadScope[];
  /** The named peer's id; null when nobody was named or the key names nobody. */
  readonly namedPeerId: string | null;
}

export interface RetrievalServices {
  readonly search: Search;
  /**
   * Finds the scopes of a chain and the peer that is named as reader, in one transaction. Naming a peer that
   * exists is recorded in the audit log.
   */
  resolveRead(
    accountId: string,
    request: {
      readonly paths: readonly string[];
      readonly readerKey: string | null;
      readonly namedBy: { readonly credentialId: string; readonly peerId: string | null };
    },
  ): Promise<ReadResolution>;
  readKnowledge(accountId: string, read: KnowledgeRead): Promise<readonly KnowledgeRow[]>;
  /** Whether the `minimal` profile may be asked for. */
  readonly minimalRecall: boolean;
  /** Null when the path names no scope. */
  rebuildIndexes(
    accountId: string,
    scopePath: string | null,
    signal: AbortSignal,
  ): Promise<IndexRebuild | null>;
  verifyIndexes(accountId: string, signal: AbortSignal): Promise<IndexVerification>;
}
