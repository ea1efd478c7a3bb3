/**
 * What every change does to a circuit, as a function. The service changes rows instead, by single conditional
 * statements (`stores/postgres/models/circuits.store.ts`); a test holds the two together.
 */
import type { CircuitReading, CircuitRules } from '../../domain/models/circuit.ts';

export interface Circuit {
  readonly state: CircuitReading['state'];
  readonly consecutiveFailures: number;
  /** End of the open time, or of the time a probe has, in milliseconds; null when closed. */
  readonly blockedUntil: number | null;
  /** The name of the probe that is under way. */
  readonly probe: string | null;
}

export const CLOSED_CIRCUIT: Circuit = {
  state: 'closed',
  consecutiveFailures: 0,
  blockedUntil: null,
  probe: null,
};

/** `probe` names the probe that a call was let through as; null for an ordinary call. */
export type CircuitChange =
  | { readonly type: 'failed'; readonly probe: string | null }
  | { readonly type: 'answered'; readonly probe: string | null }
  | { readonly type: 'probe_taken'; readonly probe: string; readonly forMs: number }
  | { readonly type: 'probe_given_back'; readonly probe: string };

/**
 * The circuit after `change`; the same object when nothing changes. Only the outcome of the current probe changes a
 * circuit that is not closed: the outcome of a call from before it opened, or of a probe that was replaced, comes too
 * late.
 */
export function evolve(
  circuit: Circuit,
  change: CircuitChange,
  rules: CircuitRules,
  nowMs: number,
): Circuit {
  if (change.type === 'probe_taken') {
    if (circuit.blockedUntil === null || circuit.blockedUntil > nowMs) return circuit;
    const { probe, forMs } = change;
    return { ...circuit, state: 'half_open', blockedUntil: nowMs + forMs, probe };
  }
  const speaks =
    change.probe === null ? circuit.state === 'closed' : isProbe(circuit, change.probe);
  if (!speaks) return circuit;
  if (change.type === 'failed') return afterFailure(circuit, rules, nowMs);
  if (change.type === 'probe_given_back') {
    return { ...circuit, state: 'open', blockedUntil: nowMs + rules.openMs, probe: null };
  }
  const unchanged = circuit.state === 'closed' && circuit.consecutiveFailures === 0;
  return unchanged ? circuit : CLOSED_CIRCUIT;
}

function isProbe(circuit: Circuit, probe: string): boolean {
  return circuit.state === 'half_open' && circuit.probe === probe;
}

function afterFailure(circuit: Circuit, rules: CircuitRules, nowMs: number): Circuit {
  const consecutiveFailures = circuit.consecutiveFailures + 1;
  if (circuit.state === 'closed' && consecutiveFailures < rules.failures) {
    return { ...circuit, consecutiveFailures };
  }
  return { state: 'open', consecutiveFailures, blockedUntil: nowMs + rules.openMs, probe: null };
}
