/**
 * The types through which workflows call activities. Every value is an id, a count, an instant or a word of a closed
 * list.
 */
import type { DrainReport } from '../domain/actors/mailbox-actor.ts';
import type { ErasureStep } from '../domain/erasure/words.ts';
import type { ForgettingPageInput, ForgettingPageReport } from '../domain/forgetting/pass.ts';
import type { RegatePageInput, RegatePageReport } from '../domain/governance/regate.ts';
import type { LifecycleCounts } from '../domain/governance/sweeps.ts';
import type { ErrorClass } from '../domain/error-class.ts';
import type { ReconcileCounts } from '../domain/pipeline/reconcile.ts';
import type { UnitKind } from '../domain/retrieval/units.ts';
import type { RunRef } from '../domain/pipeline/run-kinds.ts';
import type { RetentionPlace } from '../domain/retention/policy.ts';

/** One drain of one mailbox. */
export interface DrainInput {
  readonly accountId: string;
  readonly shard: number;
  /** The drain returns before this time, whether work is left or not. */
  readonly maxMs: number;
  readonly maxUnits: number;
}

export interface IngestActivities {
  /** Lane `ingest`: takes anchors of the mailbox batch by batch and works through them. */
  drainMailbox(input: DrainInput): Promise<DrainReport>;
}

export interface ProjectionActivities {
  /** Lane `projection`: brings the indexes up to date with the dirty marks of the mailbox. */
  refreshIndexes(input: DrainInput): Promise<DrainReport>;
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

/** Where the rebuild of an imported account has come. */
export interface RebuildPlaceInput {
  readonly unit: UnitKind;
  readonly afterId: string | null;
}

export interface EraseStepInput extends RunRef {
  readonly step: ErasureStep;
}

export interface GovernanceActivities {
  /** Lane `governance`: runs the gates again over one page of waiting statements; may be repeated. */
  regatePage(input: RegatePageInput): Promise<RegatePageReport>;
  /** Lane `governance`: serves one page of texts by the holds in force; may be repeated. */
  forgettingPage(input: ForgettingPageInput): Promise<ForgettingPageReport>;
  /**
   * Lane `governance`: escalates or ends a contest that is due. Returns the milliseconds until it is due, null when it
   * has ended.
   */
  judgeContest(run: RunRef): Promise<{ readonly nextDueInMs: number | null }>;
  /**
   * Lane `governance`: carries out a decision that is due and that nobody took back. Returns the milliseconds until it is
   * due, null when it has ended.
   */
  judgeDecision(run: RunRef): Promise<{ readonly nextDueInMs: number | null }>;
  /** Lane `governance`: one page of a step of an erasure; may be repeated. */
  eraseStep(input: EraseStepInput): Promise<{
    /** The step has to be called again, after `waitMs`. */
    readonly more: boolean;
    readonly waitMs: number;
    readonly erased: number;
  }>;
  /** Lane `governance`: reads every store back once. `nextInMs` is null after two readings in a row found nothing. */
  verifyErasure(run: RunRef): Promise<{
    readonly remaining: number;
    readonly nextInMs: number | null;
  }>;
  /** Lane `governance`: ends an erasure with its receipt; may be repeated. */
  completeErasure(run: RunRef): Promise<void>;
  /** Lane `governance`: marks one page of units of an imported account; may be repeated. */
  markRebuilt(input: RunRef & RebuildPlaceInput): Promise<{
    readonly marked: number;
    /** Null after the last unit. */
    readonly next: RebuildPlaceInput | null;
    readonly at: string;
  }>;
  /**
   * Lane `governance`: opens an imported account whose units that were marked up to `until` Qdrant has. `nextInMs` is null
   * once it is open.
   */
  openRebuilt(input: RunRef & { readonly until: string }): Promise<{
    readonly waiting: number;
    readonly nextInMs: number | null;
  }>;
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
  /**
   * Lane `reconciler`: prunes an account for some seconds, from `place` on (null: from the beginning). `next` is null when
   * the account is done. May be repeated.
   */
  pruneAccount(input: {
    readonly accountId: string;
    readonly place: RetentionPlace | null;
  }): Promise<{
    readonly rows: number;
    readonly failed: number;
    readonly next: RetentionPlace | null;
  }>;
  /** Lane `reconciler`: records that every account was gone over, `failed` of them not to the end. */
  completeRetention(input: { readonly failed: number }): Promise<void>;
}

export interface LifecycleActivities {
  /** Lane `lifecycle`: accounts in which something is due, among the next ones; `nextAfterId` is null after the last. */
  accountsDue(input: { readonly afterId: string | null }): Promise<{
    readonly accountIds: readonly string[];
    readonly nextAfterId: string | null;
  }>;
  /** Lane `lifecycle`: sweeps an account for some seconds. `more`: work is still due. May be repeated. */
  sweepAccount(input: {
    readonly accountId: string;
  }): Promise<LifecycleCounts & { readonly more: boolean }>;
  /** Lane `lifecycle`: records that nothing is due any more, except in accounts whose turns failed. */
  completeSweep(input: { readonly failed: number }): Promise<void>;
}
