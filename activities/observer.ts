/**
 * What drains report to metrics and traces: counts, durations and words of closed lists. An observer must not throw
 * and must not block.
 */
import type { MailboxKind } from '../domain/actors/names.ts';
import type { UnitCounts } from '../domain/actors/unit-counts.ts';

/**
 * Why a drain ended: nothing was left, its limits were reached, process or server told it to stop, a newer drain
 * took over, an operator holds the mailbox, or it threw.
 */
const DRAIN_ENDS = ['worked_off', 'used_up', 'stopped', 'superseded', 'paused', 'failed'] as const;
export type DrainEnd = (typeof DRAIN_ENDS)[number];

/** Batches as spans of their own traces. */
export interface BatchTracing {
  /** Runs one batch; `traceIds` are those of the requests that brought its units. */
  batch<T extends UnitCounts>(
    lane: MailboxKind,
    traceIds: readonly string[],
    work: () => Promise<T>,
  ): Promise<T>;
}

export interface DrainObserver {
  /** One batch that had something to do. */
  batch(lane: MailboxKind, units: UnitCounts, durationMs: number): void;
  ended(lane: MailboxKind, end: DrainEnd): void;
}
