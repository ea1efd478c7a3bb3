/** What the workflows of governance start with and answer. */
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';

export interface RegateTotals {
  readonly rows: number;
  readonly placed: number;
}

export interface RegateStart extends RunRef {
  /** Left by the run before, when there was one. */
  readonly carried?: { readonly afterId: string; readonly totals: RegateTotals } | null;
}

/** What was done so far. */
export const regateTotals = defineQuery<RegateTotals>('totals');

export interface ErasureProgress {
  /** Of `ERASURE_STEPS`, from 1; 0 while the stores are read back. */
  readonly step: number;
  readonly pages: number;
  readonly erased: number;
  /** What the last reading back found. */
  readonly remaining: number;
  readonly paused: number;
}

export interface ErasureStart extends RunRef {
  /** Left by the workflow run before, when there was one. */
  readonly carried?: { readonly totals: ErasureProgress } | null;
}

/** Holds the erasure back after the page under way. What was read and written for the person stays ended. */
export const pauseErasure = defineUpdate<void>('pause');
export const resumeErasure = defineUpdate<void>('resume');
export const erasureProgress = defineQuery<ErasureProgress>('totals');
