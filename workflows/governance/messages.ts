/** The inputs and the queries of the workflows of governance. */
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { PlaceOfPass } from '../../domain/forgetting/pass.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';

export interface RegateTotals {
  readonly rows: number;
  readonly placed: number;
}

export interface RegateStart extends RunRef {
  /** Left by the run before, when there was one. */
  readonly carried?: { readonly afterId: string; readonly totals: RegateTotals } | null;
}

/** The progress so far. */
export const regateTotals = defineQuery<RegateTotals>('totals');

export interface ForgettingTotals {
  readonly rows: number;
  readonly changed: number;
}

export interface ForgettingStart extends RunRef {
  /** Left by the workflow run before, when there was one. */
  readonly carried?: {
    readonly next: PlaceOfPass;
    readonly totals: ForgettingTotals;
  } | null;
}

/** The texts that were looked at so far, and those that are served otherwise since. */
export const forgettingTotals = defineQuery<ForgettingTotals>('totals');

export interface ErasureProgress {
  /** The number of the step in `ERASURE_STEPS`, from 1; 0 during a reading back. */
  readonly step: number;
  readonly pages: number;
  readonly erased: number;
  /** The number of entries that the last reading back found. */
  readonly remaining: number;
  readonly paused: number;
}

export interface ErasureStart extends RunRef {
  /** Left by the workflow run before, when there was one. */
  readonly carried?: { readonly totals: ErasureProgress } | null;
}

/** Pauses the erasure after the page under way. The person's access stays ended. */
export const pauseErasure = defineUpdate<void>('pause');
export const resumeErasure = defineUpdate<void>('resume');
export const erasureProgress = defineQuery<ErasureProgress>('totals');
