/** What readiness asks of the world. Each member rejects when its part cannot be asked. */
import type { ModelRoles } from '../../domain/models/role-config.ts';
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import type {
  LastRetention,
  LastSweeps,
  ReadinessStore,
} from '../../stores/postgres/readiness.store.ts';

/** A collection of vectors that exists. */
export interface InstalledVectorIndex {
  readonly dimensions: number;
  /** Whether it is the one of the configured embedder; the others are left from earlier ones. */
  readonly configured: boolean;
  /** False while `embeddings migrate` fills it; true unless given. */
  readonly ready?: boolean;
}

type Counts = Pick<
  ReadinessStore,
  | 'anchors'
  | 'marks'
  | 'runs'
  | 'attempts'
  | 'governance'
  | 'oldestErasureSeconds'
  | 'overdueReviews'
  | 'unsealedAuditSeconds'
  | 'waitingContextCardSeconds'
>;

export interface ReadinessSources extends Counts {
  /** One round trip to Postgres. */
  database(): Promise<void>;
  /** Temporal answers for the service's namespace. */
  jobQueue(): Promise<void>;
  qdrant(): Promise<void>;
  meilisearch(): Promise<void>;
  /** The last completed sweep of each kind. */
  lastSweeps(): Promise<LastSweeps>;
  /** The last completed pass of the retention. */
  lastRetention(): Promise<LastRetention>;
  modelRoles(): ModelRoles;
  /** The space of the configured embedder, null when it has none. */
  vectorSpace(): VectorSpace | null;
  /** Width of the vectors that the embedder answered this process last; null before its first answer. */
  answeredDimensions?(): number | null;
  vectorIndexes(): Promise<readonly InstalledVectorIndex[]>;
}
