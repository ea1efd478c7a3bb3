/** The collections that a unit is written to, and which vectors it gets in each. */
import { ModelFailure } from '../../domain/models/error-class.ts';
import type { PointIndex } from '../../stores/qdrant/point-index.ts';
import type { Embed } from '../models/embedding.ts';
import type { DenseDependencies } from './dense.ts';
import type { IndexDependencies } from './dependencies.ts';

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

const notHere: Embed = async () => {
  throw new ModelFailure('model_not_configured');
};

/** The targets of the process: one unless it knows of more. */
export function targetsOf({ points, targets }: IndexDependencies): Promise<readonly PointTarget[]> {
  return targets?.() ?? Promise.resolve([{ points, vectors: 'own' }]);
}

/** How vectors are made for the target. */
export function embeddingFor(
  dependencies: IndexDependencies,
  { points, vectors }: PointTarget,
): DenseDependencies {
  const { embed, embedStatements, report, textsOfCall } = dependencies;
  if (vectors === 'own') return { points, embed, embedStatements, report, textsOfCall };
  const embedder = vectors === 'other' ? notHere : null;
  // This is an expected wait and no failure, so it is not reported.
  return { points, embed: embedder, embedStatements: embedder, report: () => {}, keepsAll: true };
}
