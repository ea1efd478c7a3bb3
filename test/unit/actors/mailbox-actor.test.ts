import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  carryOver,
  decide,
  evolve,
  initialState,
  MAILBOX_LIMITS,
  NO_TOTALS,
  type DrainReport,
  type MailboxActorDecision,
  type MailboxActorEvent,
  type MailboxActorState,
} from '../../../domain/actors/mailbox-actor.ts';
import { sized } from '../../support/run.ts';

const SHORT = { historyIsLong: false };
const nothing: DrainReport = {
  batches: 0,
  ok: 0,
  retry: 0,
  failed: 0,
  more: false,
  nextDueInMs: null,
};

function given(...events: MailboxActorEvent[]): MailboxActorState {
  return events.reduce(evolve, initialState(null));
}

const started: MailboxActorEvent = { type: 'drain_started' };
const ran: MailboxActorEvent = { type: 'wait_ran_out' };
const rung: MailboxActorEvent = { type: 'rung' };
function finished(outcome: Partial<DrainReport> = {}): MailboxActorEvent {
  return { type: 'drain_finished', outcome: { ...nothing, ...outcome } };
}

describe('a mailbox actor', () => {
  test('drains as its first act', () => {
    expect(decide(given(), SHORT)).toEqual({ do: 'drain' });
  });

  test('drains again when it was rung during a drain', () => {
    expect(decide(given(started, rung, finished()), SHORT)).toEqual({ do: 'drain' });
  });

  test('waits for the idle time after an empty drain, then closes', () => {
    const idle = given(started, finished());
    expect(decide(idle, SHORT)).toEqual({ do: 'wait', ms: MAILBOX_LIMITS.idleMs });
    expect(decide(evolve(idle, ran), SHORT)).toEqual({ do: 'close' });
  });

  test('does not close when the ring comes after the idle time ran out', () => {
    expect(decide(given(started, finished(), ran, rung), SHORT)).toEqual({ do: 'drain' });
  });

  test('sleeps until a near retry and drains then', () => {
    const waiting = given(started, finished({ retry: 1, nextDueInMs: 1500.2 }));
    expect(decide(waiting, SHORT)).toEqual({ do: 'wait', ms: 1501 });
    expect(decide(evolve(waiting, ran), SHORT)).toEqual({ do: 'drain' });
  });

  test('leaves a far retry to the sweep', () => {
    const far = finished({ retry: 1, nextDueInMs: MAILBOX_LIMITS.farRetryMs + 1 });
    expect(decide(given(started, far), SHORT)).toEqual({ do: 'wait', ms: MAILBOX_LIMITS.idleMs });
  });

  test('drains again at once when the drain left work that is due', () => {
    expect(decide(given(started, finished({ ok: 50, more: true })), SHORT)).toEqual({
      do: 'drain',
    });
  });

  test('pauses before the next drain when a drain left work and did none', () => {
    expect(decide(given(started, finished({ more: true })), SHORT)).toEqual({
      do: 'wait',
      ms: MAILBOX_LIMITS.fruitlessDrainMs,
    });
  });

  test('keeps a ring while it is paused and drains when the pause ends', () => {
    const paused = given({ type: 'pause_set', paused: true }, rung);
    expect(decide(paused, SHORT)).toEqual({ do: 'wait', ms: null });
    expect(decide(evolve(paused, { type: 'pause_set', paused: false }), SHORT)).toEqual({
      do: 'drain',
    });
  });

  test('stays open while it is paused, however long', () => {
    const paused = given(started, finished(), { type: 'pause_set', paused: true }, ran);
    expect(decide(paused, SHORT)).toEqual({ do: 'wait', ms: null });
  });

  test('closes when it is quiesced, also with a ring waiting', () => {
    expect(decide(given({ type: 'quiesce_asked' }, rung), SHORT)).toEqual({ do: 'close' });
  });

  test('continues as new at the limit of drains and when the history is long', () => {
    const cycles = Array.from({ length: MAILBOX_LIMITS.drainsPerRun }, () => [started, finished()]);
    expect(decide(given(...cycles.flat()), SHORT)).toEqual({ do: 'continue_as_new' });
    expect(decide(given(started, finished()), { historyIsLong: true })).toEqual({
      do: 'continue_as_new',
    });
  });

  test('closes rather than continues when it has rested', () => {
    expect(decide(given(started, finished(), ran), { historyIsLong: true })).toEqual({
      do: 'close',
    });
  });

  test('passes totals and pause to the next run, which drains first', () => {
    const old = given(started, finished({ batches: 2, ok: 60, retry: 1, failed: 3 }), started);
    const next = initialState(carryOver(old));
    expect(next.totals).toEqual({ drains: 2, batches: 2, ok: 60, retry: 1, failed: 3 });
    expect(next.drainsInRun).toBe(0);
    expect(decide(next, SHORT)).toEqual({ do: 'drain' });
    expect(initialState(carryOver(given({ type: 'pause_set', paused: true }))).paused).toBe(true);
  });

  test('keeps its state in JSON', () => {
    const state = given(started, finished({ ok: 1, nextDueInMs: 10 }));
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(given().totals).toEqual(NO_TOTALS);
  });
});

/** What the shell does, with a schedule of messages in place of Temporal. */
interface Beat {
  readonly message: 'rung' | 'pause' | 'resume' | 'none';
  readonly historyIsLong: boolean;
  readonly outcome: DrainReport;
}

const beat: fc.Arbitrary<Beat> = fc.record({
  message: fc.constantFrom('rung', 'pause', 'resume', 'none'),
  historyIsLong: fc.boolean(),
  outcome: fc.record({
    batches: fc.nat(3),
    ok: fc.nat(5),
    retry: fc.nat(2),
    failed: fc.nat(2),
    more: fc.boolean(),
    nextDueInMs: fc.option(fc.nat(400_000)),
  }),
});

interface Run {
  state: MailboxActorState;
  closed: boolean;
  /** A ring that no drain has started after. */
  owed: boolean;
}

function send(run: Run, message: Beat['message']): void {
  if (message === 'none') return;
  if (message === 'rung') run.state = evolve(run.state, { type: 'rung' });
  else run.state = evolve(run.state, { type: 'pause_set', paused: message === 'pause' });
  // A closed actor is started again by the ring.
  if (message === 'rung' && run.closed) {
    run.state = initialState(null);
    run.closed = false;
  }
  if (message === 'rung') run.owed = true;
}

function act(run: Run, now: Beat, decision: MailboxActorDecision, during: Beat['message']): void {
  switch (decision.do) {
    case 'drain':
      run.state = evolve(run.state, { type: 'drain_started' });
      run.owed = false;
      send(run, during);
      run.state = evolve(run.state, { type: 'drain_finished', outcome: now.outcome });
      return;
    case 'wait':
      send(run, during);
      if (decision.ms !== null && during === 'none') {
        run.state = evolve(run.state, { type: 'wait_ran_out' });
      }
      return;
    case 'continue_as_new':
      send(run, during);
      run.state = initialState(carryOver(run.state));
      return;
    case 'close':
      run.closed = true;
  }
}

describe('for every order of messages', () => {
  test('each ring leads to a drain that starts after it, and never to a close', () => {
    fc.assert(
      fc.property(fc.array(beat, { maxLength: 60 }), (beats) => {
        const run: Run = { state: initialState(null), closed: false, owed: true };
        for (const now of beats) {
          if (run.closed) send(run, now.message === 'pause' ? 'none' : now.message);
          else act(run, now, decide(run.state, now), now.message);
          if (run.closed) expect(run.owed).toBe(false);
        }
        // Let it go on undisturbed: what is owed must come within a few steps.
        send(run, run.closed ? 'none' : 'resume');
        const quiet: Beat = { message: 'none', historyIsLong: false, outcome: nothing };
        for (let step = 0; step < 5 && !run.closed && run.owed; step += 1) {
          act(run, quiet, decide(run.state, quiet), 'none');
        }
        expect(run.owed).toBe(false);
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });
});
