/** What the gateway does with a circuit: which calls it lets through, which it keeps back, what it reports. */
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import type { Mailbox } from '../../../domain/actors/names.ts';
import type { CallContext } from '../../../engine/models/extraction.ts';
import type { ModelGateway } from '../../../engine/models/gateway.ts';
import type { AttemptEvent, CircuitEvent } from '../../../engine/models/observer.ts';
import type { StubBehaviour, StubOpenAi } from '../../support/stub-openai.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import { eventually } from '../../support/patience.ts';
import { NO_ROLES, callContext, gatewayOf, limitsByHand, remoteRole } from './fixtures.ts';
import { MemoryCircuits } from './memory-circuits.ts';
import { recordingLedger, type LedgerRow } from './recording-ledger.ts';

const DOWN: StubBehaviour = { kind: 'status', status: 503 };
const RULES = { failures: 5, openMs: 30_000 };
const TIMEOUT_MS = 45_000;

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => stub.close());

interface Process {
  readonly gateway: ModelGateway;
  readonly rows: LedgerRow[];
  readonly events: CircuitEvent[];
  readonly attempts: AttemptEvent[];
  readonly rung: Mailbox[];
}

let circuits: MemoryCircuits;
let first: Process;
beforeEach(() => {
  circuits = new MemoryCircuits();
  first = openProcess();
});

/** A gateway over the shared circuits, as another process would have it. */
function openProcess(): Process {
  const { ledger, rows } = recordingLedger();
  const events: CircuitEvent[] = [];
  const attempts: AttemptEvent[] = [];
  const rung: Mailbox[] = [];
  const gateway = gatewayOf({
    ledger,
    now: circuits.clock,
    roles: {
      ...NO_ROLES,
      embedder: remoteRole(stub.baseUrl, { dimensions: 8, timeoutMs: TIMEOUT_MS }),
    },
    circuit: { store: circuits, rules: RULES, ring: (mailbox) => void rung.push(mailbox) },
    observer: {
      attempt: (event) => void attempts.push(event),
      circuit: (event) => void events.push(event),
      refused: () => {},
    },
  });
  return { gateway, rows, events, attempts, rung };
}

/** The class that a call ended with, null when it went well. */
async function call(
  { gateway }: Process = first,
  changes: Partial<CallContext> = {},
): Promise<unknown> {
  try {
    await gateway.embed(['a text'], callContext(changes));
    return null;
  } catch (error) {
    return Reflect.get(Object(error), 'errorClass') ?? error;
  }
}

async function openCircuit(): Promise<void> {
  stub.script(DOWN, DOWN, DOWN, DOWN, DOWN);
  for (let n = 0; n < 5; n += 1) expect(await call()).toBe('provider_upstream_error');
}

describe('while calls go well', () => {
  test('nothing is written and the row is read at most every 250 ms', async () => {
    for (let n = 0; n < 10; n += 1) expect(await call()).toBeNull();
    expect(circuits.asked).toEqual(['read']);
    circuits.nowMs += 249;
    await call();
    expect(circuits.asked).toEqual(['read']);
    circuits.nowMs += 1;
    await Promise.all([call(), call(), call()]);
    expect(circuits.asked).toEqual(['read', 'read']);
    expect(first.events).toEqual([]);
  });

  test('the circuits of two accounts are read separately', async () => {
    await call();
    await call(first, { accountId: '018f0000-0000-7000-8000-0000000000bb' });
    expect(circuits.asked).toEqual(['read', 'read']);
  });

  test('an answer after a failure is written down once', async () => {
    stub.script(DOWN);
    await call();
    await call();
    await call();
    expect(circuits.asked).toEqual(['read', 'failed', 'answered']);
  });

  test('every finished attempt is reported with its tokens', async () => {
    stub.script(DOWN);
    await call();
    await call();
    expect(first.attempts).toEqual([
      expect.objectContaining({
        role: 'embedder',
        provider: 'openai-compatible',
        status: 'error',
        errorClass: 'provider_upstream_error',
        tokens: null,
      }),
      expect.objectContaining({
        status: 'success',
        errorClass: null,
        tokens: { input: 0, output: 0, embedding: 3 },
      }),
    ]);
  });
});

describe('a refusal', () => {
  test('does not open the circuit, and ends a sequence of failures', async () => {
    const refused: StubBehaviour = { kind: 'status', status: 401 };
    stub.script(refused, refused, refused, refused, refused);
    stub.script(DOWN, DOWN, DOWN, DOWN, refused, DOWN);
    for (let n = 0; n < 11; n += 1) await call();
    expect(first.rows).toHaveLength(11);
    expect(first.events).toEqual([]);
    expect(await call()).toBeNull();
  });
});

describe('an open circuit', () => {
  test('keeps calls back without a ledger row, a request or a query, and says how long', async () => {
    await openCircuit();
    const [rows, requests, asked] = [
      first.rows.length,
      stub.requests.length,
      circuits.asked.length,
    ];
    circuits.nowMs += 10_000;
    for (let n = 0; n < 50; n += 1) {
      await expect(first.gateway.embed(['a'], callContext())).rejects.toMatchObject({
        name: 'ModelFailure',
        errorClass: 'circuit_open',
        retryAfterMs: 20_000,
      });
    }
    expect(first.rows).toHaveLength(rows);
    expect(stub.requests).toHaveLength(requests);
    expect(circuits.asked).toHaveLength(asked);
  });

  test('is known to another process at its next question', async () => {
    const second = openProcess();
    expect(await call(second)).toBeNull();
    await openCircuit();
    circuits.nowMs += 250;
    expect(await call(second)).toBe('circuit_open');
    expect(second.rows).toHaveLength(1);
  });

  test('reports its opening once and every call that it keeps back', async () => {
    await openCircuit();
    await call();
    await call();
    const common = {
      accountId: callContext().accountId,
      role: 'embedder',
      provider: 'openai-compatible',
      model: 'tiny:1b',
      modelVersion: '7',
      consecutiveFailures: 5,
    };
    expect(first.events).toEqual([
      { ...common, event: 'opened' },
      { ...common, event: 'blocked' },
      { ...common, event: 'blocked' },
    ]);
  });

  test('does not hold up the calls of other accounts', async () => {
    await openCircuit();
    expect(await call(first, { accountId: '018f0000-0000-7000-8000-0000000000bb' })).toBeNull();
  });
});

describe('after its time an open circuit', () => {
  beforeEach(async () => {
    await openCircuit();
    circuits.nowMs += RULES.openMs;
  });

  test('lets one of many calls through, and closes when that is answered', async () => {
    const released = Promise.withResolvers<void>();
    stub.script({ kind: 'held', until: released.promise });
    const calls = Array.from({ length: 16 }, () => call());
    let ended = 0;
    for (const each of calls) void each.then(() => (ended += 1));
    // The probe is answered after all the others have asked.
    await eventually(() => ended === calls.length - 1);
    released.resolve();
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set([null, 'circuit_open']));
    expect(first.events.filter(({ event }) => event === 'probing')).toHaveLength(1);
    expect(first.events.at(-1)).toMatchObject({ event: 'closed', consecutiveFailures: 0 });
    expect(first.rung).toEqual([circuits.mailbox, circuits.mailbox]);
    expect(await call()).toBeNull();
  });

  test('opens again when the probe fails', async () => {
    stub.script(DOWN);
    expect(await call()).toBe('provider_upstream_error');
    circuits.nowMs += RULES.openMs - 1;
    expect(await call()).toBe('circuit_open');
    circuits.nowMs += 1;
    expect(await call()).toBeNull();
    const transitions = first.events.map(({ event }) => event);
    expect(transitions).toEqual(['opened', 'probing', 'opened', 'blocked', 'probing', 'closed']);
  });

  test('closes at a refusal of the probe, which the caller gets to see', async () => {
    stub.script({ kind: 'status', status: 401 });
    expect(await call()).toBe('credentials_rejected');
    expect(await call()).toBeNull();
  });

  test('opens again without a failure when the probe is cancelled', async () => {
    const cancelling = new AbortController();
    stub.script({ kind: 'hang' });
    const requests = stub.requests.length;
    const cancelled = call(first, { signal: cancelling.signal });
    await eventually(() => stub.requests.length > requests);
    cancelling.abort();
    expect(await cancelled).toMatchObject({ name: 'AbortError' });
    expect(first.events.at(-1)).toMatchObject({ event: 'opened', consecutiveFailures: 5 });
    expect(await call()).toBe('circuit_open');
  });

  test('gives the probe to another process when the prober is gone', async () => {
    const limits = limitsByHand();
    const requests = stub.requests.length;
    stub.script({ kind: 'hang' });
    const lost = call();
    const second = openProcess();
    await eventually(() => stub.requests.length > requests);
    expect(first.events.at(-1)?.event).toBe('probing');
    await expect(second.gateway.embed(['a'], callContext())).rejects.toMatchObject({
      errorClass: 'circuit_open',
      retryAfterMs: TIMEOUT_MS + 5_000,
    });
    circuits.nowMs += TIMEOUT_MS + 5_000;
    expect(await call(second)).toBeNull();
    limits.reach();
    expect(await lost).toBe('request_timeout');
    // What the lost prober came to does not open the circuit again.
    expect(first.events.map(({ event }) => event)).toEqual(['opened', 'probing']);
    jest.restoreAllMocks();
    expect(await call()).toBeNull();
  });
});
