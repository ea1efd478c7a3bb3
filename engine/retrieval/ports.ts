/** What retrieval reaches the world through; the composition root builds it. */
import type { Embed, Bound, InAccount } from '../projections/ports.ts';
import type * as frequencies from '../../stores/postgres/document-frequency.store.ts';
import type * as marks from '../../stores/postgres/dirty-marks.store.ts';
import type { KnowledgeRead, KnowledgeRow } from '../../stores/postgres/knowledge-rows.store.ts';
import type * as retrieval from '../../stores/postgres/retrieval.store.ts';
import type { CandidateRead, CandidateRow } from '../../stores/postgres/retrieval.store.ts';
import type { DocumentIndex } from '../../stores/meilisearch/documents.ts';
import type { PointIndex } from '../../stores/qdrant/point-index.ts';
import type { SearchObserver } from './observer.ts';

export interface SearchStores {
  readonly documentFrequencies: Bound<typeof frequencies.documentFrequencies>;
  readonly waitingStatements: Bound<typeof marks.waitingStatements>;
  readonly statementsOfSource: Bound<typeof retrieval.statementsOfSource>;
  readCandidates(ids: readonly string[], read: CandidateRead): Promise<readonly CandidateRow[]>;
  readSalient(at: string, limit: number, read: CandidateRead): Promise<readonly CandidateRow[]>;
  readKnowledge(read: KnowledgeRead): Promise<KnowledgeRow[]>;
}

export interface SearchDependencies {
  readonly inAccount: InAccount<SearchStores>;
  readonly points: PointIndex;
  readonly documents: DocumentIndex;
  /** Null without an embedder. */
  readonly embed: Embed | null;
  /** The built-in embedder counts less in fusion. */
  readonly embedderIsDeterministic: boolean;
  /** Whether the reranker role has a provider. */
  readonly rerankerConfigured: boolean;
  /** What the probe of an empty answer may take, in place of what it is given. Milliseconds. */
  readonly probeTimeoutMs?: number | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observer?: SearchObserver | undefined;
}
