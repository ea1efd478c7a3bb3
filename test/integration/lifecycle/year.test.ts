/**
 * A year of time, run forward by a clock of the test over random statements, in random steps with a sweep after each, comes
 * to what a recomputation from the beginning says.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ItemKind } from '../../../domain/governance/items.ts';
import { sized } from '../../support/run.ts';
import { brokenLaws } from '../governance/laws.ts';
import { Scene } from '../observations/scene.ts';
import { Clock, HOUR_MS, isoOf, sweepOut, sweepsOf, SweptAccount, type Arranged } from './scene.ts';

const RUNS = sized({ short: 4, long: 60 });
const LONGEST_MS = 60_000 + RUNS * 20_000;
const YEAR_HOURS = 365 * 24;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Hours after the beginning of the year. */
interface Seed {
  readonly state: 'provisional' | 'held' | 'active' | 'needs_revalidation' | 'stale' | 'contested';
  readonly expires: number | null;
  readonly revalidates: number | null;
  readonly itemDue: number;
  readonly itemState: 'pending' | 'deferred' | 'escalated';
  readonly promoted: boolean;
}

const hour = fc.integer({ min: 1, max: YEAR_HOURS });
const seeds: fc.Arbitrary<Seed> = fc.record({
  state: fc.constantFrom(
    'provisional',
    'held',
    'active',
    'active',
    'needs_revalidation',
    'stale',
    'contested',
  ),
  expires: fc.option(hour, { freq: 2 }),
  revalidates: fc.option(hour, { freq: 2 }),
  itemDue: hour,
  itemState: fc.constantFrom('pending', 'deferred', 'escalated'),
  promoted: fc.boolean(),
});
/** Hours between two sweeps: from a sweep on time to one after an outage of weeks. */
const steps = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 900 })),
  {
    minLength: 10,
    maxLength: 25,
  },
);

const ASKED: Readonly<Record<Seed['state'], ItemKind | null>> = {
  provisional: 'gate_a_b',
  held: 'gate_a_b',
  active: null,
  needs_revalidation: 'revalidation',
  stale: 'revalidation',
  contested: 'contest',
};

/** A statement as the recomputation knows it. Times are hours. */
interface Model {
  state: string;
  readonly periods: { state: string; from: number; until: number | null }[];
  readonly items: Map<string, { state: string; due: number }>;
}

/** The state of one statement after all sweeps, worked out from the rules in words, without any code of the service. */
function recompute(seed: Seed, sweepHours: readonly number[]): Model {
  const model: Model = {
    state: seed.state,
    periods: [{ state: seed.state, from: 0, until: null }],
    items: new Map(),
  };
  const kind = ASKED[seed.state];
  if (kind !== null) model.items.set(kind, { state: seed.itemState, due: seed.itemDue });
  if (seed.state === 'active' && seed.promoted) {
    model.items.set('gate_b', { state: seed.itemState, due: seed.itemDue });
  }
  /** When the question is over that the subject is asked. */
  let asked: number | null = null;
  const enter = (state: string, at: number): void => {
    const last = model.periods.at(-1);
    if (last !== undefined) last.until = Math.max(at, last.from);
    model.periods.push({ state, from: Math.max(at, last?.from ?? 0), until: null });
    model.state = state;
  };
  const isOpen = () =>
    ['provisional', 'held', 'active', 'needs_revalidation', 'stale'].includes(model.state);
  for (const t of sweepHours) {
    if (isOpen() && seed.expires !== null && seed.expires <= t) {
      enter('expired', seed.expires);
      for (const item of model.items.values()) item.state = 'closed';
      continue;
    }
    if (model.state === 'active' && seed.revalidates !== null && seed.revalidates <= t) {
      enter('needs_revalidation', t);
      for (const item of model.items.values()) item.state = 'closed';
      model.items.set('revalidation', { state: 'pending', due: t + 14 * 24 });
      asked = t + 14 * 24;
      continue;
    }
    for (const [of, item] of model.items) {
      // Ten minutes are left to the workflow of a contest.
      if (item.due + (of === 'contest' ? 1 / 6 : 0) > t) continue;
      if (item.state === 'pending' || item.state === 'deferred') {
        item.state = 'escalated';
        item.due = t + 24;
      } else if (item.state === 'escalated' && of === 'contest') {
        enter('rejected', t);
        item.state = 'rejected';
      } else if (item.state === 'escalated' && of === 'revalidation') {
        if (model.state === 'needs_revalidation') enter('stale', t);
      }
    }
    if (asked === null || asked > t) continue;
    asked = null;
    // It is believed less from then on.
    if (model.state === 'needs_revalidation') enter('needs_revalidation', t);
  }
  return model;
}

test(
  'a year with sweeps at random times comes to what is worked out from its beginning',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(seeds, { minLength: 12, maxLength: 12 }),
        steps,
        async (all, waits) => {
          const account = await SweptAccount.open(scene);
          const clock = new Clock();
          const ids = await account.add(all.length);
          // The statements are a little younger than the clock that the test began with.
          clock.pass(HOUR_MS);
          const begin = Date.parse(clock.iso);
          const at = (hours: number) => new Date(begin + hours * HOUR_MS).toISOString();
          for (const [n, seed] of all.entries()) {
            const asked = ASKED[seed.state];
            const item = { state: seed.itemState, dueAt: at(seed.itemDue) };
            const arranged: Arranged = {
              state: seed.state,
              expiresAt: seed.expires === null ? null : at(seed.expires),
              revalidateAfter: seed.revalidates === null ? null : at(seed.revalidates),
              items: [
                ...(asked === null ? [] : [{ ...item, kind: asked }]),
                ...(seed.state === 'active' && seed.promoted
                  ? [{ ...item, kind: 'gate_b' as const }]
                  : []),
              ],
            };
            await account.arrange(ids[n] ?? '', arranged);
          }
          const { failures, sweeps } = sweepsOf(scene, clock);
          const sweepHours: number[] = [];
          for (const wait of waits) {
            clock.pass(wait * HOUR_MS);
            sweepHours.push((sweepHours.at(-1) ?? 0) + wait);
            await sweepOut(sweeps, account.accountId);
          }
          expect(failures).toEqual([]);
          for (const [n, seed] of all.entries()) {
            const id = ids[n] ?? '';
            const model = recompute(seed, sweepHours);
            const periods = (await account.periods(id)).map(({ believed_until, state }) => ({
              state,
              until: isoOf(believed_until),
            }));
            const items = (await account.items(id)).map(({ due_at, kind, state }) => [
              kind,
              state,
              ['pending', 'deferred', 'escalated'].includes(String(state)) ? isoOf(due_at) : null,
            ]);
            expect([seed, await account.state(id), periods, items.toSorted()]).toEqual([
              seed,
              model.state,
              model.periods.map(({ state, until }) => ({
                state,
                until: until === null ? null : at(until),
              })),
              [...model.items]
                .map(([kind, { due, state }]) => [
                  kind,
                  state,
                  ['pending', 'deferred', 'escalated'].includes(state) ? at(due) : null,
                ])
                .toSorted(),
            ]);
          }
          expect(await brokenLaws(scene, account.accountId)).toEqual([]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  LONGEST_MS,
);
