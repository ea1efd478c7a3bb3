/** How rows are read for the evidence of an answer. */
import type { Caller } from '../../../domain/identity/caller.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';
import type { RequestContext } from '../../operation.ts';

/** Milliseconds for an SQL statement. */
const LONGEST_EVIDENCE_READ_MS = 5_000;

/** Runs `work` in one transaction that reads. The signal ends it. */
export function readForEvidence<T>(
  { caller, inAccount }: Pick<RequestContext<Caller>, 'caller' | 'inAccount'>,
  signal: AbortSignal,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const limits = { statementTimeoutMs: LONGEST_EVIDENCE_READ_MS, signal, readOnly: true };
  return inAccount(caller.accountId, work, limits);
}
