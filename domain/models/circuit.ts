/**
 * The circuit of a provider: after a few transient failures in a row calls are kept back for a while, then one
 * call is let through as a probe, and its outcome decides for all.
 *
 *   closed ──(failures in a row)──► open ──(its time is over, one caller)──► half_open ──► closed | open
 *
 * One circuit for each account, role, provider and model; it is a row that all processes share, changed by single
 * conditional statements (`stores/postgres/models/circuits.store.ts`).
 */
import type { Mailbox } from '../actors/names.ts';
import { failureStatus, type ErrorClass } from '../error-class.ts';
import type { ModelRole } from './roles.ts';

export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
export type CircuitStateName = (typeof CIRCUIT_STATES)[number];

export interface CircuitKey {
  readonly accountId: string;
  readonly role: ModelRole;
  readonly provider: string;
  readonly model: string;
}

export interface CircuitRules {
  /** Transient failures in a row that open the circuit. */
  readonly failures: number;
  /** How long it stays open, in milliseconds. */
  readonly openMs: number;
}

/** What the outcome of a call says of its provider. */
export type CircuitVerdict = 'failed' | 'answered' | 'nothing';

/** Classes of calls that were never made, or that failed by a defect of ours. */
const NOT_THE_PROVIDER: ReadonlySet<ErrorClass> = new Set([
  'internal_error',
  'circuit_open',
  'model_not_configured',
  'extraction_budget_exhausted',
  'token_budget_exhausted',
  'campaign_cap_exhausted',
]);

/**
 * The verdict of a call that ended with `errorClass`, or well when that is null. A refusal (a rejected key, an
 * unknown model, an unusable text) is an answer: the provider is there, waiting would not mend it, and the calls that
 * were kept back should meet the refusal too.
 */
export function circuitVerdict(errorClass: ErrorClass | null): CircuitVerdict {
  if (errorClass === null) return 'answered';
  if (NOT_THE_PROVIDER.has(errorClass)) return 'nothing';
  return failureStatus(errorClass) === 'failed' ? 'failed' : 'answered';
}

/** A circuit as a process knows it. */
export interface CircuitReading {
  readonly state: CircuitStateName;
  readonly consecutiveFailures: number;
  /** Milliseconds until a probe may be tried; 0 when it may, or when calls pass. */
  readonly waitMs: number;
}

export const CLOSED_READING: CircuitReading = {
  state: 'closed',
  consecutiveFailures: 0,
  waitMs: 0,
};

/** What a caller may do: call, try to be the probe, or wait. */
export function admission({ state, waitMs }: CircuitReading): 'call' | 'probe' | 'wait' {
  if (state === 'closed') return 'call';
  return waitMs > 0 ? 'wait' : 'probe';
}

/** What a change came to. */
export interface CircuitTurn {
  readonly reading: CircuitReading;
  /** Mailboxes with work that a closed circuit made due: they are to be rung. */
  readonly mailboxes: readonly Mailbox[];
}

/**
 * The shared rows. Each method is one transaction. Null says that nothing changed, mostly because the call was from
 * before a transition. For the extractor's role a transition also brings the account's failed anchors forward: none
 * waits longer than its circuit is open, and none waits for a closed one.
 */
export interface CircuitStore {
  read(key: CircuitKey): Promise<CircuitReading>;
  /** Gives the probe to exactly one of all callers, for `forMs` milliseconds at most. */
  takeProbe(
    key: CircuitKey,
    forMs: number,
  ): Promise<{ readonly probe: string; readonly consecutiveFailures: number } | null>;
  /** Counts a failure. The reading is `open` only when this failure opened the circuit. */
  failed(key: CircuitKey, probe: string | null, rules: CircuitRules): Promise<CircuitTurn | null>;
  answered(key: CircuitKey, probe: string | null): Promise<CircuitTurn | null>;
  /** Ends a probe without an outcome: it was cancelled, or we refused it ourselves. Counts no failure. */
  giveBackProbe(key: CircuitKey, probe: string, rules: CircuitRules): Promise<CircuitTurn | null>;
}
