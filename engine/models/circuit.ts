/**
 * Keeps calls back while a provider fails. A process reads the shared row of a key at most every 250 ms, and the row
 * of an open circuit not before its time is over. A call that goes well writes nothing unless failures were counted.
 * The process that makes a transition reports it, and rings the mailboxes that a closing circuit made due.
 */
import type { Mailbox } from '../../domain/actors/names.ts';
import {
  admission,
  circuitVerdict,
  type CircuitKey,
  type CircuitRules,
  type CircuitStore,
  type CircuitTurn,
  type CircuitVerdict,
} from '../../domain/models/circuit.ts';
import { ModelFailure } from '../../domain/error-class.ts';
import type { Performed } from './attempt.ts';
import { CircuitReadings } from './circuit-readings.ts';
import type { CircuitEvent, ModelObserver } from './observer.ts';

export interface CircuitOptions {
  readonly store: CircuitStore;
  readonly rules: CircuitRules;
  /** Tells the actor of a mailbox that its work became due. Never awaited, never throws. */
  readonly ring: (mailbox: Mailbox) => void;
}

/** What a circuit knows of a call to a provider. */
export interface GuardedCall {
  readonly key: CircuitKey;
  readonly modelVersion: string;
  /** Limit of the call, in milliseconds. */
  readonly timeoutMs: number;
}

export interface Circuits {
  /** Throws ModelFailure('circuit_open') while calls are kept back. For a caller that would have to queue. */
  refuseIfOpen(call: GuardedCall): Promise<void>;
  /** Makes the call, as the probe when it is time for one, and counts its outcome. Throws as `refuseIfOpen` too. */
  run<T>(call: GuardedCall, work: () => Promise<Performed<T>>): Promise<Performed<T>>;
}

/** Milliseconds that a probe may take beyond the limit of its call, for the rows written before and after it. */
const PROBE_MARGIN_MS = 5_000;

/** Circuits that keep nothing back. */
export const NO_CIRCUITS: Circuits = {
  refuseIfOpen: () => Promise.resolve(),
  run: (_call, work) => work(),
};

/** The circuits of a process. `now` gives monotonic milliseconds. */
export class SharedCircuits implements Circuits {
  readonly #options: CircuitOptions;
  readonly #observer: ModelObserver | undefined;
  readonly #readings: CircuitReadings;

  constructor(options: CircuitOptions, now: () => number, observer: ModelObserver | undefined) {
    this.#options = options;
    this.#observer = observer;
    this.#readings = new CircuitReadings(options.store, now);
  }

  async refuseIfOpen(call: GuardedCall): Promise<void> {
    const reading = await this.#readings.get(call.key);
    if (admission(reading) === 'wait') {
      this.#refuse(call, reading.waitMs, reading.consecutiveFailures);
    }
  }

  async run<T>(call: GuardedCall, work: () => Promise<Performed<T>>): Promise<Performed<T>> {
    const probe = await this.#admit(call);
    let verdict: CircuitVerdict = 'nothing';
    try {
      const performed = await work();
      verdict = circuitVerdict(performed.errorClass);
      return performed;
    } catch (error) {
      if (error instanceof ModelFailure && !error.isOurs) {
        verdict = circuitVerdict(error.errorClass);
      }
      throw error;
    } finally {
      await this.#count(call, probe, verdict);
    }
  }

  /** The probe that the call is, null for an ordinary call. */
  async #admit(call: GuardedCall): Promise<string | null> {
    const { key, timeoutMs } = call;
    const reading = await this.#readings.get(key);
    const may = admission(reading);
    if (may === 'call') return null;
    if (may === 'wait') return this.#refuse(call, reading.waitMs, reading.consecutiveFailures);
    const probeMs = timeoutMs + PROBE_MARGIN_MS;
    const taken = await this.#options.store.takeProbe(key, probeMs);
    if (taken !== null) {
      const { probe, consecutiveFailures } = taken;
      this.#readings.put(key, { state: 'half_open', consecutiveFailures, waitMs: probeMs });
      this.#report(call, 'probing', consecutiveFailures);
      return probe;
    }
    // Another caller took the probe first; its probe may have ended already.
    const since = await this.#readings.ask(key);
    if (admission(since) === 'call') return null;
    return this.#refuse(call, since.waitMs, since.consecutiveFailures);
  }

  async #count(call: GuardedCall, probe: string | null, verdict: CircuitVerdict): Promise<void> {
    if (probe === null && !(await this.#isNews(call.key, verdict))) return;
    const turn = await this.#turn(call.key, probe, verdict);
    if (turn === null) {
      this.#readings.forget(call.key);
      return;
    }
    const { reading, mailboxes } = turn;
    this.#readings.put(call.key, reading);
    if (reading.state === 'open') this.#report(call, 'opened', reading.consecutiveFailures);
    else if (probe !== null) this.#report(call, 'closed', reading.consecutiveFailures);
    for (const mailbox of mailboxes) this.#options.ring(mailbox);
  }

  /** Whether the outcome of an ordinary call has to be written down. */
  async #isNews(key: CircuitKey, verdict: CircuitVerdict): Promise<boolean> {
    if (verdict !== 'answered') return verdict === 'failed';
    const { state, consecutiveFailures } = await this.#readings.get(key);
    return state === 'closed' && consecutiveFailures > 0;
  }

  #turn(
    key: CircuitKey,
    probe: string | null,
    verdict: CircuitVerdict,
  ): Promise<CircuitTurn | null> {
    const { store, rules } = this.#options;
    if (verdict === 'failed') return store.failed(key, probe, rules);
    if (verdict === 'answered' || probe === null) return store.answered(key, probe);
    return store.giveBackProbe(key, probe, rules);
  }

  #refuse(call: GuardedCall, waitMs: number, consecutiveFailures: number): never {
    this.#report(call, 'blocked', consecutiveFailures);
    throw new ModelFailure('circuit_open', { retryAfterMs: Math.max(1, Math.ceil(waitMs)) });
  }

  #report(call: GuardedCall, event: CircuitEvent['event'], consecutiveFailures: number): void {
    const { key, modelVersion } = call;
    this.#observer?.circuit({ ...key, modelVersion, event, consecutiveFailures });
  }
}
