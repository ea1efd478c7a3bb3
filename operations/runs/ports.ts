/** What operations on runs reach the world through. */
import type { RunKind } from '../../domain/actors/names.ts';
import type { SentKey } from '../../stores/postgres/idempotency.store.ts';

export interface RunRequest {
  readonly accountId: string;
  readonly kind: RunKind;
  /** The action that the audit log names. */
  readonly action: string;
  readonly credentialId: string;
  readonly peerId: string | null;
  /** 32 lowercase hex. */
  readonly traceId: string;
  readonly idempotency: SentKey | null;
}

export type EnteredRun =
  | { readonly outcome: 'accepted' | 'replayed'; readonly runId: string }
  | { readonly outcome: 'conflict' };

export interface RunServices {
  /** Enters a run with its audit event, or finds the first answer to the same idempotency key. */
  enter(request: RunRequest): Promise<EnteredRun>;
  /** Has the run started now instead of at the sweep's next turn. Returns at once and never throws. */
  startSoon(): void;
}
