/**
 * Temporal, in memory and by hand: one actor on the real decider, its activity with heartbeat timeout and
 * retry, cancellation, and timers that run out when the schedule says so.
 */
import {
  carryOver,
  decide,
  evolve,
  initialState,
  type DrainReport,
  type MailboxActorState,
} from '../../../../domain/actors/mailbox-actor.ts';
import type { Worker } from './worker.ts';

export class StandInTemporal {
  /** The attempt whose answer is waited for. */
  current: Worker | null = null;
  readonly #start: () => Worker;
  #actor: MailboxActorState | null = null;
  #cancelled = false;
  /** Milliseconds left of the actor's timer. */
  #timer: number | null = null;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** `signalWithStart`. */
  ring(): void {
    this.#actor = evolve(this.#actor ?? initialState(null), { type: 'rung' });
    this.#go();
  }

  /** The actor looks again by itself in this time; null when it only waits to be rung. */
  get looksAgainInMs(): number | null {
    return this.#actor?.lookAgainInMs === null ? null : this.#timer;
  }

  elapse(ms: number): void {
    if (this.#timer === null || this.#actor === null) return;
    this.#timer -= ms;
    if (this.#timer > 0) return;
    this.#timer = null;
    this.#actor = evolve(this.#actor, { type: 'wait_ran_out' });
    this.#go();
  }

  /** No heartbeat for too long: the attempt is given up and made again elsewhere, though it may still run. */
  timeOut(): void {
    if (this.current === null) return;
    if (this.#cancelled) this.#end();
    else this.#attempt();
  }

  /** An operator cancels the actor: its attempt is told, and the actor ends with it. */
  cancel(): void {
    if (this.#actor === null) return;
    this.#cancelled = true;
    if (this.current === null) this.#end();
    else this.current.cancel();
  }

  #end(): void {
    this.current = null;
    this.#actor = null;
    this.#timer = null;
    this.#cancelled = false;
  }

  #attempt(): void {
    const worker = this.#start();
    this.current = worker;
    worker.report.then(
      (report) => this.#answered(worker, report),
      () => this.#failed(worker),
    );
  }

  #answered(worker: Worker, outcome: DrainReport): void {
    if (this.current !== worker || this.#actor === null) return;
    this.current = null;
    if (this.#cancelled) {
      this.#end();
      return;
    }
    this.#actor = evolve(this.#actor, { type: 'drain_finished', outcome });
    this.#go();
  }

  #failed(worker: Worker): void {
    if (this.current === worker) this.timeOut();
  }

  /** The loop of the workflow's shell. */
  #go(): void {
    while (this.#actor !== null && !this.#actor.draining) {
      const decision = decide(this.#actor, { historyIsLong: false });
      this.#timer = null;
      if (decision.do === 'close') {
        this.#end();
      } else if (decision.do === 'continue_as_new') {
        this.#actor = initialState(carryOver(this.#actor));
      } else if (decision.do === 'wait') {
        this.#timer = decision.ms;
        return;
      } else {
        this.#actor = evolve(this.#actor, { type: 'drain_started' });
        this.#attempt();
      }
    }
  }
}
