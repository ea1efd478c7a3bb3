/** The parts that write the search indexes; the composition root builds them. */
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import type { Embed } from '../models/embedding.ts';
import type { TextWork } from '../offload/text-work.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { RecordIndex } from '../../stores/meilisearch/record-index.ts';
import type { PointIndex } from '../../stores/qdrant/point-index.ts';
import type { PointTargets } from './targets.ts';

export interface IndexDependencies {
  readonly inAccount: InAccount;
  /** The collection that the process searches. */
  readonly points: PointIndex;
  /** The collections that it writes; the one that it searches unless given. */
  readonly targets?: PointTargets | undefined;
  readonly records: RecordIndex;
  /** Null without an embedder: points then have no dense vectors. */
  readonly embed: Embed | null;
  /** As `embed`, for statements: it remembers the vectors that were made before a commit. Null when `embed` is. */
  readonly embedStatements: Embed | null;
  /** The space of the vectors that `embedStatements` makes; null when it is. */
  readonly space: VectorSpace | null;
  /** Texts that the embedder takes at once; the usual number unless given. */
  readonly textsOfCall?: number | undefined;
  /** Analyses messages beside the event loop. */
  readonly text: Pick<TextWork, 'analyseMessages' | 'readStatements'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Gets the codes of failures that are retried, and never content. */
  readonly report: (event: string, fields: Readonly<Record<string, string | number>>) => void;
}
