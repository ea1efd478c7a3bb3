/** The parts of a search; the composition root builds them. */
import type { EmbedderSkill } from '../../domain/retrieval/strategies.ts';
import type { Embed } from '../models/embedding.ts';
import type { Rerank } from '../models/reranking.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { RecordIndex } from '../../stores/meilisearch/record-index.ts';
import type { PointReader } from '../../stores/qdrant/point-reader.ts';
import type { SearchObserver } from './observer.ts';

export interface SearchDependencies {
  readonly inAccount: InAccount;
  readonly points: PointReader;
  readonly records: RecordIndex;
  /** Null without an embedder. */
  readonly embed: Embed | null;
  /** The weight of the embedder in fusion, for the calls of an account. */
  readonly embedderSkill: (accountId: string) => EmbedderSkill;
  /** Null without a reranker. */
  readonly rerank: Rerank | null;
  /** Milliseconds that the probe of an empty answer may take; 100 unless given. */
  readonly probeTimeoutMs?: number | undefined;
  /** Milliseconds for the rows that a search needs in any case; the usual time unless given (`rows.ts`). */
  readonly rowsTimeoutMs?: number | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observer?: SearchObserver | undefined;
}
