/** A ledger in memory that keeps every step, for tests of what is written and when. */
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

export function recordingLedger(refuse?: (attempt: AttemptReservation, index: number) => void): {
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
      refuse?.(attempt, rows.length);
      rows.push({ attempt, states: [attempt.dispatch ? 'dispatched' : 'reserved'], outcome: null });
      return String(rows.length - 1);
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
