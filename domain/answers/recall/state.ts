/**
 * What a recall has used up. Every step is asked for before it is taken, so that no bound is passed by more than the step
 * that is under way; the caller ends that one when its time is over.
 */
import type { EvidenceItem } from '../evidence.ts';
import { RECALL_CAPS, tokensOf, type Effort, type RecallBound, type RecallCaps } from './caps.ts';

export type RecallStep =
  | { readonly kind: 'round' }
  | { readonly kind: 'planner_call' }
  | { readonly kind: 'retrieval_call'; readonly query: string };

export interface RecallState {
  readonly caps: RecallCaps;
  readonly rounds: number;
  readonly retrievalCalls: number;
  readonly plannerCalls: number;
  readonly queryTokens: number;
  readonly evidenceTokens: number;
  /** What tools have added, in their order. */
  readonly items: readonly EvidenceItem[];
  /** In the order of the list of bounds. */
  readonly exhausted: ReadonlySet<RecallBound>;
}

/** The state after the search that every recall begins with. */
export function beginRecall(effort: Effort): RecallState {
  return {
    caps: RECALL_CAPS[effort],
    rounds: 0,
    retrievalCalls: 1,
    plannerCalls: 0,
    queryTokens: 0,
    evidenceTokens: 0,
    items: [],
    exhausted: new Set(),
  };
}

/** Whole milliseconds that are left of the time of the recall: timers end up to one early. */
export function timeLeft({ caps }: RecallState, elapsedMs: number): number {
  return Math.max(0, Math.floor(caps.timeMs - elapsedMs));
}

function spentBy(state: RecallState, step: RecallStep): RecallState {
  switch (step.kind) {
    case 'round':
      return { ...state, rounds: state.rounds + 1 };
    case 'planner_call':
      return { ...state, plannerCalls: state.plannerCalls + 1 };
    case 'retrieval_call':
      return {
        ...state,
        retrievalCalls: state.retrievalCalls + 1,
        queryTokens: state.queryTokens + tokensOf(step.query),
      };
  }
}

/** The bounds that a state has passed. */
function passed({ caps, ...spent }: RecallState): RecallBound[] {
  return [
    ...(spent.rounds > caps.rounds ? (['rounds'] as const) : []),
    ...(spent.retrievalCalls > caps.retrievalCalls ? (['retrieval_calls'] as const) : []),
    ...(spent.plannerCalls > caps.plannerCalls ? (['planner_calls'] as const) : []),
    ...(spent.queryTokens > caps.queryTokens ? (['query_tokens'] as const) : []),
  ];
}

export function withExhausted(state: RecallState, bounds: readonly RecallBound[]): RecallState {
  return { ...state, exhausted: new Set([...state.exhausted, ...bounds]) };
}

export interface StepTaken {
  readonly state: RecallState;
  /** Whether the step may be taken; if not, the state says which bound stands in its way. */
  readonly may: boolean;
}

/** Asks for a step. A step needs time. */
export function takeStep(state: RecallState, step: RecallStep, elapsedMs: number): StepTaken {
  const after = spentBy(state, step);
  const bounds: RecallBound[] = passed(after);
  if (timeLeft(state, elapsedMs) === 0) bounds.push('time');
  return bounds.length === 0
    ? { state: after, may: true }
    : { state: withExhausted(state, bounds), may: false };
}
