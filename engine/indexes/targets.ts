/** The collections that units are written to. */
import type { PointIndex } from '../../stores/qdrant/point-index.ts';

/**
 * `own`: the vectors of the process's embedder, none without one. `other`: another embedder's, which this process cannot
 * ask: vectors of unchanged texts are kept, and the other units await theirs. `words`: no vectors.
 */
export type Vectors = 'own' | 'other' | 'words';

export interface PointTarget {
  readonly points: PointIndex;
  readonly vectors: Vectors;
}

/** What is written to now; asked after the units were read. The own one, if any, is the first. */
export type PointTargets = () => Promise<readonly PointTarget[]>;
