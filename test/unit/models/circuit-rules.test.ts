/** When a circuit opens, who may probe and what closes it. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { admission, circuitVerdict, type CircuitRules } from '../../../domain/models/circuit.ts';
import { ERROR_CLASSES, failureStatus } from '../../../domain/error-class.ts';
import {
  CLOSED_CIRCUIT,
  evolve,
  type Circuit,
  type CircuitChange,
} from '../../support/circuit-model.ts';

const RULES: CircuitRules = { failures: 5, openMs: 30_000 };
const ANSWERED: CircuitChange = { type: 'answered', probe: null };

function failures(count: number): CircuitChange[] {
  return Array.from({ length: count }, () => ({ type: 'failed', probe: null }));
}

function after(changes: readonly CircuitChange[], from: Circuit = CLOSED_CIRCUIT, at = 0): Circuit {
  return changes.reduce((circuit, change) => evolve(circuit, change, RULES, at), from);
}

const probe = fc.constantFrom('p', 'q');
const anyone = fc.option(probe, { nil: null });
const change: fc.Arbitrary<CircuitChange> = fc.oneof(
  anyone.map((name): CircuitChange => ({ type: 'failed', probe: name })),
  anyone.map((name): CircuitChange => ({ type: 'answered', probe: name })),
  probe.map((name): CircuitChange => ({ type: 'probe_taken', probe: name, forMs: 60_000 })),
  probe.map((name): CircuitChange => ({ type: 'probe_given_back', probe: name })),
);
/** Changes with the milliseconds that pass before each. */
const history = fc.array(fc.tuple(change, fc.constantFrom(0, 1, 30_000, 60_000)), {
  maxLength: 40,
});

/** Plays a history and shows every step of it. */
function play(
  steps: readonly (readonly [CircuitChange, number])[],
  look: (before: Circuit, change: CircuitChange, now: number, after: Circuit) => void,
): void {
  let [circuit, now] = [CLOSED_CIRCUIT, 0];
  for (const [next, passes] of steps) {
    now += passes;
    const then = evolve(circuit, next, RULES, now);
    look(circuit, next, now, then);
    circuit = then;
  }
}

describe('a closed circuit', () => {
  test('opens at the fifth failure in a row and not before', () => {
    const states = [1, 2, 3, 4, 5].map((n) => after(failures(n)).state);
    expect(states).toEqual(['closed', 'closed', 'closed', 'closed', 'open']);
    expect(after(failures(5))).toEqual({
      state: 'open',
      consecutiveFailures: 5,
      blockedUntil: 30_000,
      probe: null,
    });
  });

  test('forgets the failures before an answer', () => {
    const four = failures(4);
    expect(after([...four, ANSWERED, ...four]).state).toBe('closed');
  });

  test('without a counted failure stays the same object', () => {
    expect(evolve(CLOSED_CIRCUIT, ANSWERED, RULES, 1)).toBe(CLOSED_CIRCUIT);
  });
});

describe('whatever happens', () => {
  test('only the holder of the probe moves a circuit that is not closed', () => {
    fc.assert(
      fc.property(history, (steps) =>
        play(steps, (before, { type, probe: name }, _now, then) => {
          if (before.state === 'closed' || type === 'probe_taken') return;
          const isHolder = before.state === 'half_open' && before.probe === name;
          expect(then === before).toBe(!isHolder);
        }),
      ),
    );
  });

  test('a probe is given only when the time is over, and takes the place of one that is overdue', () => {
    fc.assert(
      fc.property(history, (steps) =>
        play(steps, (before, next, now, then) => {
          if (next.type !== 'probe_taken') return;
          const isTime = before.blockedUntil !== null && before.blockedUntil <= now;
          expect(then === before).toBe(!isTime);
          if (isTime) expect(then).toMatchObject({ state: 'half_open', probe: next.probe });
        }),
      ),
    );
  });

  test('a circuit never blocks without an end, and a closed one never blocks', () => {
    fc.assert(
      fc.property(history, (steps) =>
        play(steps, (_before, _next, now, then) => {
          expect(then.state === 'closed').toBe(then.blockedUntil === null);
          expect(then.state === 'half_open').toBe(then.probe !== null);
          expect((then.blockedUntil ?? 0) - now).toBeLessThanOrEqual(60_000);
          if (then.state === 'closed') expect(then.consecutiveFailures).toBeLessThan(5);
        }),
      ),
    );
  });

  test('an answer to the probe closes it from everywhere, once the time is over', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let [circuit, now] = [CLOSED_CIRCUIT, 0];
        play(steps, (_before, _next, at, then) => ([circuit, now] = [then, at]));
        if (circuit.state === 'closed') return;
        const later = now + 60_000;
        const taken = after([{ type: 'probe_taken', probe: 'r', forMs: 1 }], circuit, later);
        expect(after([{ type: 'answered', probe: 'r' }], taken, later)).toEqual(CLOSED_CIRCUIT);
      }),
    );
  });
});

describe('a probe', () => {
  const open = after(failures(5));
  const probing = evolve(open, { type: 'probe_taken', probe: 'p', forMs: 60_000 }, RULES, 30_000);

  test('that fails opens the circuit for its whole time again', () => {
    expect(evolve(probing, { type: 'failed', probe: 'p' }, RULES, 31_000)).toEqual({
      state: 'open',
      consecutiveFailures: 6,
      blockedUntil: 61_000,
      probe: null,
    });
  });

  test('without an outcome opens the circuit too, without counting a failure', () => {
    expect(evolve(probing, { type: 'probe_given_back', probe: 'p' }, RULES, 31_000)).toEqual({
      ...open,
      blockedUntil: 61_000,
    });
  });

  test('that was replaced has no effect any more', () => {
    const replaced = evolve(
      probing,
      { type: 'probe_taken', probe: 'q', forMs: 60_000 },
      RULES,
      90_000,
    );
    expect(replaced.probe).toBe('q');
    expect(evolve(replaced, { type: 'answered', probe: 'p' }, RULES, 90_001)).toBe(replaced);
    expect(evolve(replaced, { type: 'failed', probe: 'p' }, RULES, 90_001)).toBe(replaced);
  });
});

describe('the outcome of a call', () => {
  test('is a failure of the provider for every transient class except those that the service causes', () => {
    const failed = ERROR_CLASSES.filter((errorClass) => circuitVerdict(errorClass) === 'failed');
    expect(failed).toEqual([
      'request_timeout',
      'transport_error',
      'provider_rate_limited',
      'provider_upstream_error',
    ]);
  });

  test('is an answer when the provider refused, and nothing when no call was made', () => {
    expect(circuitVerdict(null)).toBe('answered');
    expect(circuitVerdict('credentials_rejected')).toBe('answered');
    expect(circuitVerdict('provider_content_filtered')).toBe('answered');
    const nothing = ERROR_CLASSES.filter((errorClass) => circuitVerdict(errorClass) === 'nothing');
    expect(nothing.toSorted()).toEqual([
      'campaign_cap_exhausted',
      'circuit_open',
      'extraction_budget_exhausted',
      'internal_error',
      'model_not_configured',
      'token_budget_exhausted',
    ]);
    expect(nothing.filter((errorClass) => failureStatus(errorClass) === 'failed')).toHaveLength(3);
  });
});

test('a caller calls, probes or waits by the state and the time that is left', () => {
  const of = (state: Circuit['state'], waitMs: number) =>
    admission({ state, consecutiveFailures: 5, waitMs });
  expect(of('closed', 0)).toBe('call');
  expect([of('open', 1), of('half_open', 1)]).toEqual(['wait', 'wait']);
  expect([of('open', 0), of('half_open', 0)]).toEqual(['probe', 'probe']);
});
