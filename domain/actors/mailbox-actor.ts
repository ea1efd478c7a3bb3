/**
 * The logic of a mailbox actor, without Temporal: `evolve` records what has happened, `decide` says what to do next.
 *
 * The main rule: after a ring a drain starts, unless the actor is quiesced; a paused actor keeps the ring for later.
 * A ring during a drain counts, because the drain may have looked before the row was there. State is JSON, so that a
 * run can hand it to the next.
 */

interface DrainCounts {
  readonly batches: number;
  readonly ok: number;
  readonly retry: number;
  readonly failed: number;
}

export interface DrainTotals extends DrainCounts {
  readonly drains: number;
}

/** What one drain answers. */
export interface DrainReport extends DrainCounts {
  /** Work is left that is due now. */
  readonly more: boolean;
  /** Milliseconds until the next retry is due; null when nothing waits. */
  readonly nextDueInMs: number | null;
}

export interface MailboxActorState {
  /** Work may be there that no drain has looked for yet. */
  readonly rung: boolean;
  readonly draining: boolean;
  readonly paused: boolean;
  readonly quiesced: boolean;
  /** Nothing happened for the whole idle time. */
  readonly rested: boolean;
  /** When to look again without a ring, in milliseconds; null to rest. */
  readonly lookAgainInMs: number | null;
  readonly drainsInRun: number;
  readonly totals: DrainTotals;
}

export type MailboxActorEvent =
  | { readonly type: 'rung' }
  | { readonly type: 'pause_set'; readonly paused: boolean }
  | { readonly type: 'quiesce_asked' }
  | { readonly type: 'drain_started' }
  | { readonly type: 'drain_finished'; readonly outcome: DrainReport }
  | { readonly type: 'wait_ran_out' };

export type MailboxActorDecision =
  | { readonly do: 'drain' }
  /** With `ms` null the actor waits for a message only. */
  | { readonly do: 'wait'; readonly ms: number | null }
  | { readonly do: 'continue_as_new' }
  | { readonly do: 'close' };

/** What a run hands to the next one. */
export interface CarriedOver {
  readonly paused: boolean;
  readonly totals: DrainTotals;
}

export const MAILBOX_LIMITS = {
  /** An actor that gets no ring for this long closes; a ring starts it again. */
  idleMs: 60_000,
  /** Retries that are due later than this are left to the sweep. */
  farRetryMs: 300_000,
  /** The wait after a drain that did nothing and still says there is more, as when its worker stops. */
  fruitlessDrainMs: 1_000,
  drainsPerRun: 200,
} as const;

export const NO_TOTALS: DrainTotals = { drains: 0, batches: 0, ok: 0, retry: 0, failed: 0 };

/** A run begins as if rung, because work may be waiting already. */
export function initialState(carried: CarriedOver | null): MailboxActorState {
  return {
    rung: true,
    draining: false,
    paused: carried?.paused ?? false,
    quiesced: false,
    rested: false,
    lookAgainInMs: null,
    drainsInRun: 0,
    totals: carried?.totals ?? NO_TOTALS,
  };
}

export function carryOver(state: MailboxActorState): CarriedOver {
  return { paused: state.paused, totals: state.totals };
}

function lookAgainIn(outcome: DrainReport): number | null {
  const { fruitlessDrainMs, farRetryMs } = MAILBOX_LIMITS;
  if (outcome.more) return fruitlessDrainMs;
  if (outcome.nextDueInMs === null || outcome.nextDueInMs > farRetryMs) return null;
  return Math.max(1, Math.ceil(outcome.nextDueInMs));
}

function afterDrain(state: MailboxActorState, outcome: DrainReport): MailboxActorState {
  const { totals } = state;
  const worked = outcome.ok + outcome.retry + outcome.failed > 0;
  return {
    ...state,
    draining: false,
    rung: state.rung || (outcome.more && worked),
    lookAgainInMs: lookAgainIn(outcome),
    totals: {
      drains: totals.drains,
      batches: totals.batches + outcome.batches,
      ok: totals.ok + outcome.ok,
      retry: totals.retry + outcome.retry,
      failed: totals.failed + outcome.failed,
    },
  };
}

/** The state after `event`. */
export function evolve(state: MailboxActorState, event: MailboxActorEvent): MailboxActorState {
  switch (event.type) {
    case 'rung':
      return { ...state, rung: true, rested: false };
    case 'pause_set':
      // Rings may have been held back during the pause, so the end of one counts as a ring.
      return { ...state, paused: event.paused, rung: state.rung || !event.paused, rested: false };
    case 'quiesce_asked':
      return { ...state, quiesced: true };
    case 'drain_started':
      return {
        ...state,
        rung: false,
        draining: true,
        rested: false,
        lookAgainInMs: null,
        drainsInRun: state.drainsInRun + 1,
        totals: { ...state.totals, drains: state.totals.drains + 1 },
      };
    case 'drain_finished':
      return afterDrain(state, event.outcome);
    case 'wait_ran_out':
      return state.lookAgainInMs === null
        ? { ...state, rested: true }
        : { ...state, rung: true, lookAgainInMs: null };
    default:
      return event satisfies never;
  }
}

/**
 * What to do now, asked whenever no drain runs. `historyIsLong` is the server's advice to continue as new.
 */
export function decide(
  state: MailboxActorState,
  situation: { readonly historyIsLong: boolean },
): MailboxActorDecision {
  if (state.quiesced) return { do: 'close' };
  if (state.rested && !state.rung && !state.paused) return { do: 'close' };
  if (situation.historyIsLong || state.drainsInRun >= MAILBOX_LIMITS.drainsPerRun) {
    return { do: 'continue_as_new' };
  }
  if (state.paused) return { do: 'wait', ms: null };
  if (state.rung) return { do: 'drain' };
  return { do: 'wait', ms: state.lookAgainInMs ?? MAILBOX_LIMITS.idleMs };
}
