/**
 * The shell of a mailbox actor. It passes messages to the decider of the domain and carries out its decisions. Handlers
 * only change state, and one loop has all the effects, so no lock is needed.
 */
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  setCurrentDetails,
  setHandler,
  workflowInfo,
  type SignalDefinition,
} from '@temporalio/workflow';
import type { DrainInput } from '../../activities/contracts.ts';
import {
  carryOver,
  decide,
  evolve,
  initialState,
  type CarriedOver,
  type DrainReport,
  type DrainTotals,
  type MailboxActorDecision,
  type MailboxActorEvent,
  type MailboxActorState,
} from '../../domain/actors/mailbox-actor.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { quiesce, setPaused, totals, type MailboxActorStart } from './messages.ts';

/** A drain ends by itself before its activity times out. */
const DRAIN = { maxMs: 55_000, maxUnits: 2_000 } as const;

export interface MailboxActorParts {
  readonly ring: SignalDefinition;
  /** One drain; an operator sees `summary` in the timeline. */
  drain(input: DrainInput, summary: string): Promise<DrainReport>;
}

export type MailboxActorEnd =
  | { readonly closed: true; readonly totals: DrainTotals }
  | { readonly closed: false; readonly carried: CarriedOver };

function detailsOf(done: DrainTotals): string {
  const { drains, ok, retry, failed } = done;
  return counters({ drains, ok, retry, failed });
}

class MailboxActor {
  #state: MailboxActorState;
  readonly #start: MailboxActorStart;
  readonly #parts: MailboxActorParts;

  constructor(start: MailboxActorStart, parts: MailboxActorParts) {
    this.#start = start;
    this.#parts = parts;
    this.#state = initialState(start.carried);
    setHandler(parts.ring, () => this.#record({ type: 'rung' }));
    setHandler(
      setPaused,
      (paused) => {
        this.#record({ type: 'pause_set', paused });
        return { paused };
      },
      { validator: refuseUnlessBoolean },
    );
    setHandler(quiesce, async () => {
      this.#record({ type: 'quiesce_asked' });
      await condition(() => !this.#state.draining);
      return this.#state.totals;
    });
    setHandler(totals, () => this.#state.totals);
  }

  async run(): Promise<MailboxActorEnd> {
    for (;;) {
      setCurrentDetails(detailsOf(this.#state.totals));
      const decision = this.#decide();
      if (decision.do === 'drain') await this.#drain();
      else if (decision.do === 'wait') await this.#wait(decision.ms);
      else {
        await condition(allHandlersFinished);
        // A message may have come meanwhile, so the actor decides again.
        if (this.#decide().do === 'close') return { closed: true, totals: this.#state.totals };
        if (decision.do === 'continue_as_new') {
          return { closed: false, carried: carryOver(this.#state) };
        }
      }
    }
  }

  #record(event: MailboxActorEvent): void {
    this.#state = evolve(this.#state, event);
  }

  #decide(): MailboxActorDecision {
    return decide(this.#state, { historyIsLong: workflowInfo().continueAsNewSuggested });
  }

  async #drain(): Promise<void> {
    const { accountId, shard } = this.#start;
    this.#record({ type: 'drain_started' });
    const summary = counters({ drain: this.#state.totals.drains });
    const outcome = await this.#parts.drain({ accountId, shard, ...DRAIN }, summary);
    this.#record({ type: 'drain_finished', outcome });
  }

  async #wait(ms: number | null): Promise<void> {
    const moved = () => this.#decide().do !== 'wait';
    if (ms === null) await condition(moved);
    else if (!(await condition(moved, ms))) this.#record({ type: 'wait_ran_out' });
  }
}

function refuseUnlessBoolean(value: unknown): void {
  if (typeof value !== 'boolean') {
    throw ApplicationFailure.nonRetryable('TYPE_REFUSED', 'TYPE_REFUSED');
  }
}

/** Runs the actor until it closes or must continue as a new run. */
export async function runMailboxActor(
  start: MailboxActorStart,
  parts: MailboxActorParts,
): Promise<MailboxActorEnd> {
  return new MailboxActor(start, parts).run();
}
