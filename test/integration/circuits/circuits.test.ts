/** The shared rows of circuits: what each change does, and who wins when many want it at once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { DatabasePool } from 'slonik';
import type { CircuitKey, CircuitStore } from '../../../domain/models/circuit.ts';
import { CircuitsStore } from '../../../stores/postgres/models/circuits.store.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import {
  CLOSED_CIRCUIT,
  evolve,
  type Circuit,
  type CircuitChange,
} from '../../support/circuit-model.ts';
import { Scene } from '../observations/scene.ts';

const RULES = { failures: 5, openMs: 3_600_000 };
const PROBE_MS = 3_600_000;

let scene: Scene;
let otherPool: DatabasePool;
/** Two processes. */
let here: CircuitStore;
let there: CircuitStore;
let key: CircuitKey;

beforeAll(async () => {
  scene = await Scene.open();
  otherPool = await openPool(scene.database.appUrl, { maxPoolSize: 10 });
  here = new CircuitsStore(scene.pool);
  there = new CircuitsStore(otherPool);
});
afterAll(async () => {
  await otherPool.end();
  await scene.close();
});
beforeEach(async () => {
  key = circuitOf(await scene.account());
});

function circuitOf(accountId: string): CircuitKey {
  return { accountId, role: 'ingest_extractor', provider: 'openai-compatible', model: 'tiny:1b' };
}

async function openCircuit(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await here.failed(key, null, RULES);
}

/** The open time, or the time of the probe, is over. */
async function timePasses(): Promise<void> {
  await scene.admin.query(
    `update provider_circuits set blocked_until = clock_timestamp() - interval '1 ms'
     where account_id = $1 and blocked_until is not null`,
    [key.accountId],
  );
}

async function takeProbe(store: CircuitStore = here): Promise<string> {
  const taken = await store.takeProbe(key, PROBE_MS);
  if (taken === null) throw new Error('no probe');
  return taken.probe;
}

describe('failures counted by two processes', () => {
  test('open the circuit at the fifth failure, in exactly one of the processes', async () => {
    const turns = await Promise.all(
      Array.from({ length: 16 }, (_, n) => (n % 2 ? here : there).failed(key, null, RULES)),
    );
    const states = turns.map((turn) => turn?.reading.state ?? null);
    expect(states.filter((state) => state === 'closed')).toHaveLength(4);
    expect(states.filter((state) => state === 'open')).toHaveLength(1);
    // The rest came when it was open already.
    expect(states.filter((state) => state === null)).toHaveLength(11);
    const reading = await there.read(key);
    expect(reading).toMatchObject({ state: 'open', consecutiveFailures: 5 });
    expect(reading.waitMs).toBeGreaterThan(RULES.openMs - 60_000);
    expect(reading.waitMs).toBeLessThanOrEqual(RULES.openMs);
  });

  test('open the circuit of one account, role, provider and model only', async () => {
    await openCircuit();
    const others: CircuitKey[] = [
      circuitOf(await scene.account()),
      { ...key, role: 'embedder' },
      { ...key, provider: 'anthropic' },
      { ...key, model: 'tiny:2b' },
    ];
    for (const other of others) expect((await here.read(other)).state).toBe('closed');
  });

  test('write nothing once the circuit is open, and neither do answers of earlier calls', async () => {
    await openCircuit();
    const row = () =>
      scene.rows('select xmin, * from provider_circuits where account_id = $1', [key.accountId]);
    const before = await row();
    expect(await there.failed(key, null, RULES)).toBeNull();
    expect(await there.answered(key, null)).toBeNull();
    expect(await row()).toEqual(before);
  });
});

describe('the probe', () => {
  beforeEach(openCircuit);

  test('is given to one of sixteen callers in two processes', async () => {
    await timePasses();
    const taken = await Promise.all(
      Array.from({ length: 16 }, (_, n) => (n % 2 ? here : there).takeProbe(key, PROBE_MS)),
    );
    expect(taken.filter((one) => one !== null)).toHaveLength(1);
    expect(await here.read(key)).toMatchObject({ state: 'half_open', consecutiveFailures: 5 });
  });

  test('of a process that died is given to another process when its time is over', async () => {
    await timePasses();
    const dead = await takeProbe(here);
    expect(await there.takeProbe(key, PROBE_MS)).toBeNull();
    await timePasses();
    const next = await takeProbe(there);
    expect(await here.failed(key, dead, RULES)).toBeNull();
    expect(await here.answered(key, dead)).toBeNull();
    expect(await here.giveBackProbe(key, dead, RULES)).toBeNull();
    expect((await there.answered(key, next))?.reading).toEqual({
      state: 'closed',
      consecutiveFailures: 0,
      waitMs: 0,
    });
  });
});

describe('any sequence of changes to a circuit', () => {
  type Step = CircuitChange | { readonly type: 'time_passes' };
  const isProbe = fc.boolean();
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: isProbe.map((own): Step => ({ type: 'failed', probe: name(own) })) },
    { weight: 2, arbitrary: isProbe.map((own): Step => ({ type: 'answered', probe: name(own) })) },
    { weight: 1, arbitrary: fc.constant<Step>({ type: 'probe_given_back', probe: 'probe' }) },
    { weight: 3, arbitrary: fc.constant<Step>({ type: 'time_passes' }) },
    {
      weight: 3,
      arbitrary: fc.constant<Step>({ type: 'probe_taken', probe: 'probe', forMs: PROBE_MS }),
    },
  );
  function name(own: boolean): string | null {
    return own ? 'probe' : null;
  }

  test('leaves the row as the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
        key = circuitOf(await scene.account());
        const rules = { ...RULES, failures: 2 };
        // The store names probes itself; before the first there is one that no process holds.
        let [expected, now, held]: [Circuit, number, string] = [CLOSED_CIRCUIT, 0, key.accountId];
        for (const next of steps) {
          if (next.type === 'time_passes') {
            now += RULES.openMs;
            await timePasses();
          } else {
            expected = evolve(expected, next, rules, now);
            held = await apply(next, held, rules);
          }
          const { state, consecutiveFailures, waitMs } = await there.read(key);
          expect({ state, consecutiveFailures, waits: waitMs > 0 }).toEqual({
            state: expected.state,
            consecutiveFailures: expected.consecutiveFailures,
            waits: (expected.blockedUntil ?? 0) > now,
          });
        }
      }),
      { numRuns: 20 },
    );
  });

  /** Makes the change; answers the probe that is held after it. */
  async function apply(change: CircuitChange, held: string, rules: typeof RULES): Promise<string> {
    const probe = change.probe === null ? null : held;
    if (change.type === 'failed') await here.failed(key, probe, rules);
    else if (change.type === 'answered') await here.answered(key, probe);
    else if (change.type === 'probe_given_back') await here.giveBackProbe(key, held, rules);
    else return (await here.takeProbe(key, change.forMs))?.probe ?? held;
    return held;
  }
});
