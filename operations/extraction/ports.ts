/** What the operations on extraction reach the world through. */
import type { Mailbox } from '../../domain/actors/names.ts';
import type { BatchingDescription } from '../../domain/extraction/batching.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { ExtractionEvidence } from '../../stores/postgres/extraction-evidence.store.ts';
import type {
  BudgetLimits,
  RegisteredBudget,
} from '../../stores/postgres/extraction-budgets.store.ts';
import type { Requeued, RequeueRequest } from '../../stores/postgres/requeue.store.ts';

/** What this build extracts with. */
export interface ExtractionBuild {
  /** A commit id, or `dev`. */
  readonly buildSha: string;
  readonly promptVersion: string;
  readonly pipelineVersion: string;
  readonly batching: BatchingDescription;
}

export interface BudgetRequest extends BudgetLimits {
  readonly accountId: string;
  readonly credentialId: string;
  readonly peerId: string | null;
}

export interface ExtractionServices {
  readonly build: ExtractionBuild;
  /** Registers the budget of its root or changes its limits, with an audit event. Counters stay as they are. */
  registerBudget(request: BudgetRequest): Promise<RegisteredBudget>;
  /**
   * The evidence of the existing scopes at and below `root` that `isReadable` accepts; null when the root is
   * none of them.
   */
  readEvidence(
    accountId: string,
    root: ScopePath,
    isReadable: (path: ScopePath) => boolean,
  ): Promise<ExtractionEvidence | null>;
  /** Resets an anchor that was given up, with an audit event. Refuses with `not_found` and `conflict`. */
  requeue(request: RequeueRequest, isVisible: (path: ScopePath) => boolean): Promise<Requeued>;
  /** Rings and waits for Temporal's answer, a second at most. False when none came. */
  ringNow(mailbox: Mailbox): Promise<boolean>;
  /** Says that the ring of this requeue was heard: no retry is due. */
  requeueHeard(accountId: string, messageId: string, runId: string): Promise<void>;
}
