/**
 * What reconcile, the third net, decides: when work counts as left behind, how a run ends when its workflow ended
 * without saying so, and which runs come back.
 */
import { TRANSIENT_CLASSES, type ErrorClass } from '../error-class.ts';

/** Younger work is left to the doorbell and the sweep. */
export const STALE_AFTER_MS = 300_000;
/** The most of each kind that one pass over one account touches. */
export const MOST_OF_A_KIND = 100;
/** No call to a provider lasts as long: the process of one that is still open has died. */
export const ATTEMPT_LOST_AFTER_MS = 3_600_000;
/** No upload lasts as long: the process of one that has not come to its end has died. */
export const UPLOAD_LOST_AFTER_MS = 3_600_000;
/** How long an idempotency key is remembered. */
export const IDEMPOTENCY_KEPT_MS = 86_400_000;

/** What one pass over one account did. Each member is a kind of work. */
export interface ReconcileCounts {
  /** Observations whose extraction was due, in mailboxes that were rung. */
  readonly anchors: number;
  /** Observations that waited for a day with tokens and are due, because today has room. */
  readonly limited: number;
  /** Changes that an index does not show, in mailboxes that were rung. */
  readonly marks: number;
  /** Versions of documents whose run came to its end because its workflow had, or is to start again. */
  readonly versions: number;
  /** Other runs that came to their end because their workflow had. */
  readonly ended: number;
  /** Other runs that are to start again. */
  readonly replayed: number;
  /** Calls in the ledger whose process died before it could say how they ended. */
  readonly attempts: number;
  /** Messages whose entry in the index of meaning was missing, without its vector, or out of date: marked again. */
  readonly vectors: number;
  /** Scopes with statements whose words were not counted, or without their cards: marked again. */
  readonly scopes: number;
  /** Uploads of documents that nothing came of: their bytes were deleted where no version has them. */
  readonly uploads: number;
}

export const NOTHING_RECONCILED: ReconcileCounts = {
  anchors: 0,
  limited: 0,
  marks: 0,
  versions: 0,
  ended: 0,
  replayed: 0,
  attempts: 0,
  vectors: 0,
  scopes: 0,
  uploads: 0,
};

/** The sum of both. A report of an older build may lack a kind, which then counts as none. */
export function addCounts(one: ReconcileCounts, other: Partial<ReconcileCounts>): ReconcileCounts {
  return {
    anchors: one.anchors + (other.anchors ?? 0),
    limited: one.limited + (other.limited ?? 0),
    marks: one.marks + (other.marks ?? 0),
    versions: one.versions + (other.versions ?? 0),
    ended: one.ended + (other.ended ?? 0),
    replayed: one.replayed + (other.replayed ?? 0),
    attempts: one.attempts + (other.attempts ?? 0),
    vectors: one.vectors + (other.vectors ?? 0),
    scopes: one.scopes + (other.scopes ?? 0),
    uploads: one.uploads + (other.uploads ?? 0),
  };
}

/** What Temporal says of the workflow of a run; `unknown` when it has none of that id. */
export type WorkflowState =
  | 'open'
  | 'completed'
  | 'cancelled'
  | 'failed'
  | 'timed_out'
  | 'terminated'
  | 'unknown';

export interface RunEnd {
  readonly status: 'cancelled' | 'failed' | 'discarded';
  readonly errorClass: ErrorClass | null;
}

/**
 * Only the row's own transaction completes a run. A workflow that completed beside an unfinished row belongs to another
 * past than the row, which a restored backup brought back: what it did is not in the database, so the run is discarded,
 * and a discarded run is replayed. So is that of a terminated workflow, which ran no code, and of a lost one, which left
 * no trace. A run stays cancelled, because its cancellation was asked for.
 */
const ENDS: Readonly<Record<Exclude<WorkflowState, 'open'>, RunEnd>> = {
  completed: { status: 'discarded', errorClass: null },
  cancelled: { status: 'cancelled', errorClass: null },
  failed: { status: 'failed', errorClass: 'internal_error' },
  timed_out: { status: 'failed', errorClass: 'request_timeout' },
  terminated: { status: 'discarded', errorClass: null },
  unknown: { status: 'discarded', errorClass: null },
};

/** How a run ends that is recorded as under way, by the state of its workflow; null while the workflow is open. */
export function runEnd(state: WorkflowState): RunEnd | null {
  return state === 'open' ? null : ENDS[state];
}

/** Failures that a later attempt may not meet. Runs that failed otherwise wait for a person. */
export const REPLAYED_CLASSES: readonly ErrorClass[] = TRANSIENT_CLASSES;
