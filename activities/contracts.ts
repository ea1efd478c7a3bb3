/**
 * What workflows know of activities: types only. Every value is an id, a count, an instant or a word of a
 * closed list.
 */
import type { ErrorClass } from '../domain/models/error-class.ts';
import type { ReconcileCounts } from '../domain/pipeline/reconcile.ts';

/** One drain of one mailbox. */
export interface DrainInput {
  readonly accountId: string;
  readonly shard: number;
  /** The drain answers by then, with or without work left. */
  readonly maxMs: number;
  readonly maxUnits: number;
}

export interface DrainReport {
  readonly batches: number;
  readonly ok: number;
  readonly retry: number;
  readonly failed: number;
  /** Work is left that is due now. */
  readonly more: boolean;
  /** Milliseconds until the next retry is due; null when nothing waits. */
  readonly nextDueInMs: number | null;
}

export interface IngestActivities {
  /** Lane `ingest`: takes anchors of the mailbox batch by batch and works through them. */
  drainMailbox(input: DrainInput): Promise<DrainReport>;
}

export interface ProjectionActivities {
  /** Lane `projection`: brings the indexes up to date with the dirty marks of the mailbox. */
  refreshIndexes(input: DrainInput): Promise<DrainReport>;
}

export interface RunRef {
  readonly accountId: string;
  readonly runId: string;
}

export interface RegatePageInput extends RunRef {
  /** The last statement of the page before; null for the first page. */
  readonly afterId: string | null;
}

export interface RegatePageReport {
  /** Statements looked at. */
  readonly rows: number;
  readonly placed: number;
  /** Null after the last page; the run is completed then. */
  readonly nextAfterId: string | null;
}

export interface DocumentActivities {
  /** Lane `documents`: reads the version of the run into chunks, once; may be repeated. */
  parseDocument(run: RunRef): Promise<{ readonly chunks: number }>;
  /** Lane `documents`: one page of the work that follows when all chunks are extracted; may be repeated. */
  settleDocument(run: RunRef): Promise<{
    /** Chunks that are not extracted yet. */
    readonly pending: number;
    readonly superseded: number;
    /** Another page is due at once. */
    readonly more: boolean;
  }>;
}

export interface GovernanceActivities {
  /** Lane `governance`: runs the gates again over one page of waiting statements; may be repeated. */
  regatePage(input: RegatePageInput): Promise<RegatePageReport>;
  /** Ends the run's row as cancelled, unless it has ended. */
  cancelRun(run: RunRef): Promise<void>;
  /** Ends the run's row as failed, unless it has ended. */
  failRun(failure: RunRef & { readonly errorClass: ErrorClass }): Promise<void>;
}

export interface ReconcileInput {
  readonly accountId: string;
  /** The run that asked for the pass; null for the hourly pass. */
  readonly runId: string | null;
}

export interface ReconcilerActivities {
  /** Lane `reconciler`: one pass over one account; ends the run's row when there is one. May be repeated. */
  reconcileAccount(input: ReconcileInput): Promise<ReconcileCounts>;
  /** The ids of the next accounts in order; none after the last. */
  accountsAfter(input: { readonly afterId: string | null }): Promise<{
    readonly accountIds: readonly string[];
  }>;
  /** Forgets idempotency keys that have expired, in all accounts. */
  forgetExpiredKeys(): Promise<{ readonly purged: number }>;
}
