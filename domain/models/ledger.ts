/**
 * The provider ledger as the gateway sees it: one row per call, written before the call is made.
 *
 *   reserved ──► dispatched ──► success | error | timeout | cancelled
 *
 * Budgets, costs and evidence are read from these rows. A store refuses a reservation by throwing a
 * ModelFailure (`token_budget_exhausted`, `extraction_budget_exhausted`); the call is then not made. Such a call has no row, and neither
 * has one that the circuit of its provider keeps back.
 */
import type { BudgetTerms } from './budget.ts';
import type { ErrorClass } from '../error-class.ts';
import type { ModelIdentity } from './identity.ts';
import type { ModelRole } from './roles.ts';
import type { TokenUsage, WorstCaseUsage } from './usage.ts';

/** On whose behalf a call is made. Ids only. */
export interface CallOrigin {
  readonly accountId: string;
  readonly runId: string | null;
  readonly anchorMessageIds: readonly string[];
  readonly traceId: string | null;
  readonly batchId?: string | null;
  readonly scopeId?: string | null;
  /** An operator's check of the models: it counts, and no daily limit refuses it. */
  readonly isCheck?: boolean;
  /** The hold that fences the work, by mailbox and epoch, so that a later drain can close rows left open. */
  readonly hold?: { readonly mailboxShard: number; readonly epoch: number } | null;
}

export interface AttemptReservation extends CallOrigin {
  readonly role: ModelRole;
  readonly identity: ModelIdentity;
  readonly promptVersion: string | null;
  readonly pipelineVersion: string | null;
  /** 0 for the first call, 1 and 2 for repairs of its answer. */
  readonly repairIndex: number;
  readonly worstCase: WorstCaseUsage;
  /** True: write the row as dispatched at once, `dispatched` will not be called. */
  readonly dispatch: boolean;
}

export type AttemptStatus = 'success' | 'error' | 'timeout' | 'cancelled';

export interface AttemptOutcome extends TokenUsage {
  readonly status: AttemptStatus;
  /** Null on success and on cancellation. */
  readonly errorClass: ErrorClass | null;
  /** False when the provider reported no token usage, so that the cost is unknown. */
  readonly metered: boolean;
  readonly durationMs: number;
  /** Cost in micro-USD; null when no rate is known or the call is not metered. */
  readonly usdMicros: number | null;
}

export interface Reserved {
  /** Of the row. */
  readonly id: string;
  /** Null when no budget governs the call. */
  readonly budget: BudgetTerms | null;
}

export interface ProviderLedger {
  /** Writes the row, and reserves its worst case where daily limits or a budget govern it. */
  reserve(attempt: AttemptReservation): Promise<Reserved>;
  dispatched(id: string, accountId: string): Promise<void>;
  finish(id: string, outcome: AttemptOutcome, accountId: string): Promise<void>;
}
