/**
 * What the builder of context cards reports to metrics: kinds, counts and durations, never a text or an id. An observer must
 * not throw and must not block.
 */
import type { ContextCardKind } from '../../domain/context/kinds.ts';

/** `kept`: it is there. `left`: its sources have changed meanwhile. `failed`: the provider did not write one, or a defect. */
export const SUMMARY_ENDS = ['kept', 'left', 'failed'] as const;
export type SummaryEnd = (typeof SUMMARY_ENDS)[number];

export interface ContextCardObserver {
  /** A place that was built, whether or not its context cards had changed. */
  built(place: {
    readonly kind: ContextCardKind;
    /** Context cards whose sources are others now, those that are new included. */
    readonly written: number;
    readonly removed: number;
    readonly durationMs: number;
  }): void;
  /** A place that could not be built; it is tried again. */
  buildFailed(kind: ContextCardKind): void;
  /** A summary that was asked for. */
  summarised(summary: {
    readonly kind: ContextCardKind;
    readonly end: SummaryEnd;
    readonly durationMs: number;
  }): void;
  /** The turn of an account that ended early; the next pass begins it again. */
  turnFailed(): void;
}
