/** What the regate workflow starts with and answers. */
import { defineQuery } from '@temporalio/workflow';
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
