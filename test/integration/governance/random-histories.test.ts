/**
 * Whatever people, agents and the clock do in whatever order, and side by side, governance keeps its laws.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../../support/run.ts';
import { Scene } from '../observations/scene.ts';
import { History } from './histories.ts';
import { EVERY_AUDIENCE, steps } from './steps.ts';
import { brokenLaws, recordsOf, sightOf, type Sight } from './laws.ts';

const RUNS = sized({ short: 8, long: 100 });
const STEPS = 14;
const AT_ONCE = 5;
const LONGEST_MS = 100 + RUNS * 20_000;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const NOTHING_SEEN: Sight = { wrong: [], seen: new Set() };

test(
  'one after the other: every step keeps the laws, and nothing is shown more widely without a record',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: STEPS, maxLength: STEPS }), async (history) => {
        const told = await History.begin(scene);
        const { accountId } = told;
        let sight = NOTHING_SEEN;
        let records: ReadonlyMap<string, number> = new Map();
        for (const step of history) {
          await told.do(step);
          expect([step, await brokenLaws(scene, accountId)]).toEqual([step, []]);
          const now = await sightOf(scene, scene.pool, accountId);
          const recorded = await recordsOf(scene, accountId);
          // Who joins a circle reads what it was told, without a record at each statement.
          const before = step.does === 'circle' ? now.seen : sight.seen;
          const widened = [...now.seen]
            .filter((pair) => !before.has(pair))
            .map((pair) => pair.split(' ')[1] ?? '')
            .filter((id) => recorded.get(id) === records.get(id));
          expect([step, now.wrong, widened]).toEqual([step, [], []]);
          [sight, records] = [now, recorded];
        }
      }),
      { numRuns: RUNS, endOnFailure: true, examples: [[[...EVERY_AUDIENCE]]] },
    );
  },
  LONGEST_MS,
);

test(
  'side by side: contests, decisions, merges and the same words end in one legal history',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 4, maxLength: 4 }),
        fc.array(steps, { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (before, atOnce) => {
          const told = await History.begin(scene);
          for (const step of before) await told.do(step);
          await Promise.all(atOnce.map((step) => told.do(step)));
          expect([before, atOnce, await brokenLaws(scene, told.accountId)]).toEqual([
            before,
            atOnce,
            [],
          ]);
          expect((await sightOf(scene, scene.pool, told.accountId)).wrong).toEqual([]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  LONGEST_MS,
);
