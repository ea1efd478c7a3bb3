/** The collections that a unit is written to, and which vectors it gets in each. */
import type { PointTarget } from './targets.ts';
import { ModelFailure } from '../../domain/error-class.ts';
import type { Embed } from '../models/embedding.ts';
import type { DenseDependencies } from './dense.ts';
import type { IndexDependencies } from './dependencies.ts';

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
