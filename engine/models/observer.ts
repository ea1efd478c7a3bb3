/**
 * What the gateway reports of model calls to metrics and the log. Events carry names, codes, ids and counts, never
 * a word of a prompt or an answer. An observer must not throw and must not block.
 */
import type { CircuitKey } from '../../domain/models/circuit.ts';
import type { ErrorClass } from '../../domain/error-class.ts';
import type { ModelRole } from '../../domain/models/roles.ts';

/** One call to a provider that has ended, however it ended. */
export interface AttemptEvent {
  readonly role: ModelRole;
  readonly provider: string;
  readonly status: 'success' | 'error' | 'timeout' | 'cancelled';
  readonly errorClass: ErrorClass | null;
  readonly durationMs: number;
  /** Observations that the call was about; 0 for a call about none. */
  readonly anchors: number;
  /** Null when the provider reported no usage. */
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly embedding: number;
  } | null;
}

/** A provider circuit that changed its state, or that kept a call back. */
export interface CircuitEvent extends CircuitKey {
  readonly modelVersion: string;
  readonly event: 'opened' | 'probing' | 'closed' | 'blocked';
  readonly consecutiveFailures: number;
}

/** A call that was not made, because a daily limit or a budget leaves no room for it. */
export interface RefusalEvent {
  readonly accountId: string;
  readonly role: ModelRole;
  readonly errorClass: ErrorClass;
}

export interface ModelObserver {
  attempt(event: AttemptEvent): void;
  circuit(event: CircuitEvent): void;
  refused(event: RefusalEvent): void;
}
