/** The shared rows in memory, by the rules of the model, with a clock that the test moves. */
import type { Mailbox } from '../../../domain/actors/names.ts';
import type {
  CircuitKey,
  CircuitReading,
  CircuitRules,
  CircuitStore,
} from '../../../domain/models/circuit.ts';
import {
  CLOSED_CIRCUIT,
  evolve,
  type Circuit,
  type CircuitChange,
} from '../../support/circuit-model.ts';

export class MemoryCircuits implements CircuitStore {
  /** Milliseconds, for the rows and for callers of `clock`. */
  nowMs = 0;
  readonly clock = (): number => this.nowMs;
  /** What was asked of the rows, in order. */
  readonly asked: string[] = [];
  /** Handed out by every transition. */
  readonly mailbox: Mailbox = { accountId: 'a', kind: 'ingest', shard: 3 };
  readonly #rows = new Map<string, Circuit>();
  #probes = 0;

  row(key: CircuitKey): Circuit {
    return this.#rows.get(JSON.stringify(Object.values(key))) ?? CLOSED_CIRCUIT;
  }

  read(key: CircuitKey): Promise<CircuitReading> {
    this.asked.push('read');
    return Promise.resolve(this.#reading(this.row(key)));
  }

  takeProbe(key: CircuitKey, forMs: number) {
    this.asked.push('takeProbe');
    const probe = `probe-${(this.#probes += 1)}`;
    const taken = this.#change(key, { type: 'probe_taken', probe, forMs }, NO_RULES);
    return Promise.resolve(
      taken === null ? null : { probe, consecutiveFailures: taken.consecutiveFailures },
    );
  }

  failed(key: CircuitKey, probe: string | null, rules: CircuitRules) {
    this.asked.push('failed');
    return this.#turn(key, { type: 'failed', probe }, rules);
  }

  answered(key: CircuitKey, probe: string | null) {
    this.asked.push('answered');
    return this.#turn(key, { type: 'answered', probe }, NO_RULES);
  }

  giveBackProbe(key: CircuitKey, probe: string, rules: CircuitRules) {
    this.asked.push('giveBackProbe');
    return this.#turn(key, { type: 'probe_given_back', probe }, rules);
  }

  #turn(key: CircuitKey, change: CircuitChange, rules: CircuitRules) {
    const before = this.row(key);
    const after = this.#change(key, change, rules);
    if (after === null) return Promise.resolve(null);
    const mailboxes = before.state === after.state ? [] : [this.mailbox];
    return Promise.resolve({ reading: this.#reading(after), mailboxes });
  }

  #change(key: CircuitKey, change: CircuitChange, rules: CircuitRules): Circuit | null {
    const before = this.row(key);
    const after = evolve(before, change, rules, this.nowMs);
    this.#rows.set(JSON.stringify(Object.values(key)), after);
    return after === before ? null : after;
  }

  #reading({ state, consecutiveFailures, blockedUntil }: Circuit): CircuitReading {
    const waitMs = blockedUntil === null ? 0 : Math.max(0, blockedUntil - this.nowMs);
    return { state, consecutiveFailures, waitMs };
  }
}

/** For changes that need none. */
const NO_RULES: CircuitRules = { failures: 1, openMs: 1 };
