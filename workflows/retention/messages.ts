/** The input and the queries of the daily retention. */
import { defineQuery } from '@temporalio/workflow';
import type { RetentionPlace } from '../../domain/retention/policy.ts';

export interface RetentionTotals {
  /** Accounts gone over. */
  readonly accounts: number;
  /** Accounts that were not gone over to the end; the next pass tries again. */
  readonly failed: number;
  /** Rows that were deleted. */
  readonly rows: number;
}

/** Left by the run before, when there was one. */
export interface CarriedRetention {
  readonly afterId: string | null;
  /** The account after `afterId` is under way, and goes on there; null when none is. */
  readonly place: RetentionPlace | null;
  readonly totals: RetentionTotals;
}

export const retentionTotals = defineQuery<RetentionTotals>('totals');
