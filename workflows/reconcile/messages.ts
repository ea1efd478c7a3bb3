/** The inputs and the queries of the reconcile workflows. */
import { defineQuery } from '@temporalio/workflow';
import type { ReconcileCounts } from '../../domain/pipeline/reconcile.ts';

/** The progress of one pass over one account. */
export const reconcileTotals = defineQuery<ReconcileCounts>('totals');

export interface WalkTotals extends ReconcileCounts {
  /** Accounts walked over. */
  readonly accounts: number;
  /** Passes that were given up, over an account or over expired keys; the next walk tries again. */
  readonly failed: number;
  /** Idempotency keys that had expired. */
  readonly purged: number;
}

/** Left by the run before, when there was one. */
export interface CarriedWalk {
  readonly afterId: string | null;
  readonly totals: WalkTotals;
}

export const walkTotals = defineQuery<WalkTotals>('totals');
