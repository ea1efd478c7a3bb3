/**
 * The reports of searches to metrics and traces: durations and words of closed lists, never a query or a hit. An
 * observer must not throw and must not block.
 */
import type { ComponentOutcome } from '../../domain/retrieval/outcomes.ts';
import type { ProfileName } from '../../domain/retrieval/strategies.ts';

/**
 * `prepare` weighs words and resolves operators, `find` asks the indexes, `hydrate` reads what they found through
 * the predicate, `fuse` ranks, `read_page` reads the rows of the page, `rerank` has them judged and reads them again,
 * `probe` explains an empty answer.
 */
const SEARCH_STAGES = [
  'prepare',
  'find',
  'hydrate',
  'fuse',
  'read_page',
  'rerank',
  'probe',
] as const;
export type SearchStage = (typeof SEARCH_STAGES)[number];

export interface SearchObserver {
  stage(stage: SearchStage, durationMs: number): void;
  /** A search that was answered, in part or in full. A search that threw is not reported. */
  answered(search: {
    readonly profile: ProfileName;
    readonly outcomes: readonly ComponentOutcome[];
    readonly durationMs: number;
  }): void;
}

/** Ends the current stage, tells the observer how long it took, and begins the next one. */
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
