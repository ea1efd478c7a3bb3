/**
 * Whoever wants to know of searches: metrics and traces. What it is told are durations and words of closed lists, never a
 * query or a hit. An observer must not throw and must not block.
 */
import type { ComponentOutcome } from '../../domain/retrieval/outcomes.ts';
import type { ProfileName } from '../../domain/retrieval/strategies.ts';

/**
 * `prepare` weighs words and resolves operators, `find` asks the engines, `hydrate` reads what they found through
 * the predicate, `fuse` ranks, `read_page` reads the rows of the page, `probe` explains an empty answer.
 */
export const SEARCH_STAGES = ['prepare', 'find', 'hydrate', 'fuse', 'read_page', 'probe'] as const;
export type SearchStage = (typeof SEARCH_STAGES)[number];

export interface SearchObserver {
  stage(stage: SearchStage, durationMs: number): void;
  /** A search that was answered, in part or in full. One that threw is not told of. */
  answered(search: {
    readonly profile: ProfileName;
    readonly outcomes: readonly ComponentOutcome[];
    readonly durationMs: number;
  }): void;
}

/** Tells the observer how long the stage took that ends now; the next one begins. */
export type EndStage = (stage: SearchStage) => void;

/** Begins the first stage. `now` is in monotonic milliseconds. */
export function startStages(now: () => number, observer: SearchObserver | undefined): EndStage {
  let startedAt = now();
  return (stage) => {
    const endedAt = now();
    observer?.stage(stage, endedAt - startedAt);
    startedAt = endedAt;
  };
}
