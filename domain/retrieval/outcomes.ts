/**
 * The report of a search about its parts: one content-free outcome per component, and their consequence for the whole
 * answer.
 */
import type { Strategy } from './strategies.ts';

export type Component = Strategy | 'candidate_filter' | 'reranker';

export const OUTCOME_STATUSES = ['completed', 'dropped', 'not_applicable'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

export const REASON_CLASSES = [
  'disabled',
  'deadline_exhausted_before_start',
  'timeout',
  'dependency_unavailable',
  'provider_error',
  'invalid_result',
  'partial_rankings',
  'applicability',
  'authorization_filtered',
] as const;
export type ReasonClass = (typeof REASON_CLASSES)[number];

export interface ComponentOutcome {
  readonly component: Component;
  readonly status: OutcomeStatus;
  readonly reasonClass: ReasonClass | null;
  readonly elapsedMs: number;
  /** Milliseconds left at the end of the component; null without a deadline. */
  readonly budgetRemainingMs: number | null;
}

/** A part that was dropped or ended with a reason makes the answer degraded. */
export function isDegrading(outcome: ComponentOutcome): boolean {
  return (
    outcome.status === 'dropped' || (outcome.status === 'completed' && outcome.reasonClass !== null)
  );
}

/** Names of the parts that make an answer degraded, each once, in reporting order. */
export function degradedComponents(outcomes: readonly ComponentOutcome[]): Component[] {
  return [...new Set(outcomes.filter(isDegrading).map((outcome) => outcome.component))];
}

/** Disabled strategies first, then the others in the profile's order, then filter and reranker. */
export function inReportingOrder(outcomes: readonly ComponentOutcome[]): ComponentOutcome[] {
  const isDisabled = (outcome: ComponentOutcome): boolean => outcome.reasonClass === 'disabled';
  return [...outcomes.filter(isDisabled), ...outcomes.filter((outcome) => !isDisabled(outcome))];
}
