/** The reranker's part of an answer. */
import type { ComponentOutcome } from '../../domain/retrieval/outcomes.ts';
import { RERANK_RESERVE_MS, type RetrievalProfile } from '../../domain/retrieval/strategies.ts';
import type { Deadline } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';

type Dependencies = Pick<SearchDependencies, 'rerankerConfigured'>;

interface Request {
  readonly profile: RetrievalProfile;
  readonly deadlineEnabled: boolean;
}

function reranks(dependencies: Dependencies, request: Request): boolean {
  return request.profile.reranks && dependencies.rerankerConfigured;
}

/** Milliseconds of the deadline that are kept back for the reranker. */
export function rerankReserve(dependencies: Dependencies, request: Request): number {
  if (!reranks(dependencies, request) || !request.deadlineEnabled) return 0;
  return Math.min(RERANK_RESERVE_MS, request.profile.deadlineMs / 2);
}

/** A configured reranker is not called yet, so it is reported as dropped; without one there is nothing to apply. */
export function rerankerOutcome(
  dependencies: Dependencies,
  request: Request,
  deadline: Deadline,
): ComponentOutcome {
  const configured = reranks(dependencies, request);
  return {
    component: 'reranker',
    status: configured ? 'dropped' : 'not_applicable',
    reasonClass: configured ? 'disabled' : 'applicability',
    elapsedMs: 0,
    budgetRemainingMs: deadline.remainingMs(),
  };
}
