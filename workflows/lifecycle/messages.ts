/** The input and the queries of the sweep of all accounts. */
import { defineQuery } from '@temporalio/workflow';
import type { LifecycleCounts } from '../../domain/governance/sweeps.ts';

export interface SweepTotals extends LifecycleCounts {
  /** Turns of accounts. */
  readonly accounts: number;
  /** Accounts whose turns failed in the walk under way, or in the last one. */
  readonly failed: number;
}

/** Left by the run before, when there was one. */
export interface CarriedSweep {
  readonly afterId: string | null;
  /** Whether an account of the walk under way has more that is due. */
  readonly more: boolean;
  readonly totals: SweepTotals;
}

export const sweepTotals = defineQuery<SweepTotals>('totals');
