/** A ledger in memory that keeps every step, for tests of what is written and when. */
import type { BudgetTerms } from '../../../domain/models/budget.ts';
import type {
  AttemptOutcome,
  AttemptReservation,
  ProviderLedger,
} from '../../../domain/models/ledger.ts';

export interface LedgerRow {
  readonly attempt: AttemptReservation;
  readonly states: string[];
  outcome: AttemptOutcome | null;
}

/** `decide` may refuse a reservation by throwing, or answer the terms of a budget that governs it. */
export function recordingLedger(
  decide?: (attempt: AttemptReservation, index: number) => BudgetTerms | void,
): {
  ledger: ProviderLedger;
  rows: LedgerRow[];
} {
  const rows: LedgerRow[] = [];
  const rowOf = (id: string): LedgerRow => {
    const row = rows[Number(id)];
    if (row === undefined) throw new Error('no such row');
    return row;
  };
  const ledger: ProviderLedger = {
    reserve: async (attempt) => {
      const budget = decide?.(attempt, rows.length) ?? null;
      rows.push({ attempt, states: [attempt.dispatch ? 'dispatched' : 'reserved'], outcome: null });
      return { id: String(rows.length - 1), budget };
    },
    dispatched: async (id) => void rowOf(id).states.push('dispatched'),
    finish: async (id, outcome) => {
      const row = rowOf(id);
      row.states.push(outcome.status);
      row.outcome = outcome;
    },
  };
  return { ledger, rows };
}
