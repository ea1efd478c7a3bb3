/**
 * Random schedules of everything that moves a mailbox: doorbells that are late or lost, workers that are frozen
 * at any point, killed, or doubled, zombies that wake after their lease, sweeps, stops, pauses. Real: Postgres,
 * the drain and its pipeline, doorbell, sweep, the actor's decider. Stood in for: Temporal, and the clock.
 *
 * A failure prints its seed and the shortest schedule that shows it.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import * as fc from 'fast-check';
import { Pool } from 'pg';
import type { DatabasePool } from 'slonik';
import { openPool } from '../../../stores/postgres/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { SEED, sized } from '../../support/run.ts';
import { insertAccount } from '../../workflow/observations.ts';
import { faultySchedules, lateSchedules, take, type Schedule } from './schedules/steps.ts';
import type { Rule } from './schedules/worker.ts';
import { LONG_SECONDS, World } from './schedules/world.ts';
import { awakeAmong } from './awake-among.ts';

/** Schedules of each property. */
const RUNS = sized({ short: 30, long: 330 });
/** Schedules mostly wait for Postgres, so that some of them go side by side. */
const SIDE_BY_SIDE = 3;
/** Four times what a loaded machine was seen to need. */
const TIMEOUT_MS = 240_000 + RUNS * 6_000;

let database: TestDatabase;
let pool: DatabasePool;
let admin: Pool;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  database = await createTestDatabase();
  pool = await openPool(database.appUrl, { maxPoolSize: 10 });
  admin = new Pool({ connectionString: database.adminUrl, max: SIDE_BY_SIDE });
});

afterAll(async () => {
  await pool.end();
  await admin.end();
  await database.drop();
  await Runtime.instance().shutdown();
});

/** What Postgres holds of each observation: every effect once, and no hold of a drain. */
async function effects(accountId: string): Promise<unknown[]> {
  const { rows } = await admin.query(
    `select a.message_id as id, a.status, a.claim_epoch, a.attempt_count, a.candidate_count, o.outputs,
       o.sources, o.statements, o.believed, o.decisions, o.events
     from extraction_anchors a, lateral (
       select count(*)::int as outputs, count(distinct r.knowledge_id)::int as statements,
         coalesce(sum((select count(*) from provenance p
           where p.account_id = r.account_id and p.knowledge_id = r.knowledge_id)), 0)::int as sources,
         coalesce(sum((select count(*) from belief_periods b
           where b.account_id = r.account_id and b.knowledge_id = r.knowledge_id)), 0)::int as believed,
         coalesce(sum((select count(*) from gate_decisions g
           where g.account_id = r.account_id and g.knowledge_id = r.knowledge_id)), 0)::int as decisions,
         coalesce(sum((select count(*) from lifecycle_events l
           where l.account_id = r.account_id and l.knowledge_id = r.knowledge_id)), 0)::int as events
       from run_outputs r where r.account_id = a.account_id and r.message_id = a.message_id) o
     where a.account_id = $1 order by a.message_id`,
    [accountId],
  );
  return rows;
}

async function expectEverythingOnce(world: World): Promise<void> {
  const { accountId } = world.mailbox;
  const once = {
    status: 'completed',
    claim_epoch: null,
    attempt_count: 1,
    candidate_count: 1,
    outputs: 1,
    statements: 1,
    sources: 1,
    believed: 1,
    decisions: 2,
    events: 1,
  };
  expect(await effects(accountId)).toEqual(
    world.messageIds.toSorted().map((id) => ({ id, ...once })),
  );
  const { rows } = await admin.query(
    `select (select count(*)::int from knowledge where account_id = $1) as statements,
       (select count(*)::int from provider_attempts
         where account_id = $1 and state in ('reserved', 'dispatched')) as open_calls`,
    [accountId],
  );
  expect(rows).toEqual([{ statements: world.messageIds.length, open_calls: 0 }]);
  expect(await world.mailboxes.withWork([world.mailbox])).toEqual([]);
}

/** Nothing was lost and no worker died: the doorbell alone brings every observation through, without a sweep. */
async function withoutSweep(world: World, schedule: Schedule): Promise<void> {
  for (const step of schedule.steps) await take(world, step);
  await world.rest();
  await expectEverythingOnce(world);
  expect(await awakeAmong(world.mailboxes, [world.mailbox])).toEqual([]);
}

/** Sweeps that find what faults left, once the faults have ended. */
const ENOUGH_SWEEPS = 2;

async function recover(world: World): Promise<void> {
  await world.rest();
  for (let sweeps = 0; sweeps < ENOUGH_SWEEPS && !(await world.isWorkedOff()); sweeps += 1) {
    await world.elapse(LONG_SECONDS);
    await world.sweep();
    await world.rest();
  }
}

/** After any faults two sweeps bring everything through, and zombies that wake later change nothing. */
async function withFaults(world: World, schedule: Schedule): Promise<void> {
  for (const step of schedule.steps) await take(world, step);
  await world.pause(false);
  if (schedule.end === 'times_out') world.temporal.timeOut();
  await recover(world);
  await expectEverythingOnce(world);
  for (const zombie of world.workers) if (zombie.moves) await zombie.runUntil(null);
  await recover(world);
  await world.elapse(LONG_SECONDS);
  await expectEverythingOnce(world);
  expect(await awakeAmong(world.mailboxes, [world.mailbox])).toEqual([]);
}

type Check = (world: World, schedule: Schedule) => Promise<void>;

/** Plays the schedule in a world of its own and runs the check there. */
async function play(schedule: Schedule, check: Check, without: Rule | null = null): Promise<void> {
  const account = await insertAccount(admin);
  const { unitsPerDrain } = schedule;
  const world = new World({ pool, admin, account, unitsPerDrain, without });
  try {
    await check(world, schedule);
  } finally {
    await world.dispose();
  }
}

/** Each with a seed of its own, so that none plays what another plays. */
function sideBySide<T>(run: (seed: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, lane) => run(SEED + lane)));
}

async function holds(schedules: fc.Arbitrary<Schedule>, check: Check): Promise<void> {
  const options = {
    numRuns: Math.ceil(RUNS / SIDE_BY_SIDE),
    interruptAfterTimeLimit: TIMEOUT_MS - 10_000,
    markInterruptAsFailure: true,
  };
  const property = fc.asyncProperty(schedules, (schedule) => play(schedule, check));
  await sideBySide((seed) => fc.assert(property, { ...options, seed }));
}

/** Whether some schedule shows that the rule is missing. The first one that does ends the search. */
async function notices(
  schedules: fc.Arbitrary<Schedule>,
  check: Check,
  without: Rule,
): Promise<boolean> {
  let noticed = false;
  const property = fc.asyncProperty(schedules, async (schedule) => {
    if (noticed) return;
    try {
      await play(schedule, check, without);
    } catch (error) {
      // Only a failed expectation counts, not a fault of the test itself.
      noticed ||= Reflect.has(Object(error), 'matcherResult');
      throw error;
    }
  });
  await sideBySide((seed) => fc.check(property, { numRuns: 250, seed, endOnFailure: true }));
  return noticed;
}

test(
  'whatever is late, with the doorbell alone each observation is processed exactly once',
  () => holds(lateSchedules, withoutSweep),
  TIMEOUT_MS,
);

test(
  'after any faults two sweeps process each observation exactly once, and replaced drains write nothing',
  () => holds(faultySchedules, withFaults),
  TIMEOUT_MS,
);

describe('the properties notice', () => {
  test.each([
    [
      'a drain that does not look once more after it closed',
      'last_look',
      lateSchedules,
      withoutSweep,
    ],
    ['a doorbell that asks before the commit', 'ask_after_commit', lateSchedules, withoutSweep],
    ['a commit that the epoch does not fence', 'fence', faultySchedules, withFaults],
    ['a lost doorbell without a sweep', 'sweep', faultySchedules, withFaults],
  ] as const)(
    '%s',
    async (_name, without, schedules, check) => {
      expect(await notices(schedules, check, without)).toBe(true);
    },
    TIMEOUT_MS,
  );
});
