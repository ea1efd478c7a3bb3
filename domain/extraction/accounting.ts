/** Whether the evidence of a subtree can be relied on, and why not. */

/** The gaps that a count of the evidence found. */
export interface EvidenceGaps {
  /** Observations whose extraction goes on by itself, and documents that are still to be read. */
  readonly unsettledAnchors: number;
  /** Calls whose end is not known yet. */
  readonly openAttempts: number;
  /** Batches that an anchor or an output names and the ledger does not, and calls without batch or anchors. */
  readonly unreconciledBatches: number;
  /** Calls that ended without a report of their tokens. */
  readonly unmeteredAttempts: number;
  /** Calls under a budget that have no price. */
  readonly unpricedAttempts: number;
  /** Scopes that came out of an archive: the ledger of what was extracted before stayed behind. */
  readonly importedScopes: number;
  /** Scopes of which calls are gone from the ledger, because their time was over. */
  readonly prunedScopes: number;
}

export const ACCOUNTING_REASONS = [
  'anchors_unsettled',
  'attempts_open',
  'batches_unreconciled',
  'attempts_unmetered',
  'attempts_unpriced',
  'archive_imported',
  'retention_pruned',
] as const;
export type AccountingReason = (typeof ACCOUNTING_REASONS)[number];

export interface Accounting {
  /** No reason below applies: the evidence is final and whole. */
  readonly complete: boolean;
  /** No anchor and no call is under way any more. */
  readonly settled: boolean;
  readonly requests_complete: boolean;
  readonly tokens_complete: boolean;
  /** The ledger rows give the cost of every call: its price, or its tokens where no rate is known. */
  readonly cost_complete: boolean;
  readonly reasons: AccountingReason[];
}

export function accountingOf(gaps: EvidenceGaps): Accounting {
  const found: Readonly<Record<AccountingReason, number>> = {
    anchors_unsettled: gaps.unsettledAnchors,
    attempts_open: gaps.openAttempts,
    batches_unreconciled: gaps.unreconciledBatches,
    attempts_unmetered: gaps.unmeteredAttempts,
    attempts_unpriced: gaps.unpricedAttempts,
    archive_imported: gaps.importedScopes,
    retention_pruned: gaps.prunedScopes,
  };
  const without = (...reasons: AccountingReason[]): boolean =>
    reasons.every((reason) => found[reason] === 0);
  return {
    complete: without(...ACCOUNTING_REASONS),
    settled: without('anchors_unsettled', 'attempts_open'),
    requests_complete: without(
      'attempts_open',
      'batches_unreconciled',
      'archive_imported',
      'retention_pruned',
    ),
    tokens_complete: without(
      'attempts_open',
      'attempts_unmetered',
      'archive_imported',
      'retention_pruned',
    ),
    cost_complete: without(
      'attempts_open',
      'attempts_unmetered',
      'attempts_unpriced',
      'archive_imported',
      'retention_pruned',
    ),
    reasons: ACCOUNTING_REASONS.filter((reason) => found[reason] > 0),
  };
}
