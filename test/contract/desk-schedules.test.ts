/**
 * Ten random schedules over REST, through the real workflows: agents, the subject, a curator and the clock do the same
 * steps as in the histories without workflows, one after the other and then side by side.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { brokenLaws } from '../integration/governance/laws.ts';
import { steps, type Step } from '../integration/governance/steps.ts';
import { eventually } from '../support/patience.ts';
import { shortenContestDays } from '../support/short-days.ts';
import { startOwnService, type OwnService } from '../support/service.ts';
import { openScheduleAccount } from './schedule-account.ts';

const SCHEDULES = 10;
const DAY_MS = 400;
/** So that every schedule has something to decide about, and a contest of it. */
const FIRST: readonly Step[] = [
  { does: 'say', by: 'alice', at: '/team', content: 'as=internal Alice likes tea.' },
  { does: 'say', by: 'alice', at: '/', content: 'as=internal Alice owns a boat.' },
  { does: 'contest', nth: 0 },
];
const BEFORE = 6;
const SIDE_BY_SIDE = 6;
const WAVES = 2;

/**
 * Done, nothing to do it to, and refused because of what the state or another request says. A merge with itself or
 * with nothing is invalid, and so is a promotion to where the statement stands.
 */
const EXPECTED = [0, 200, 404, 409];
const MAY_BE_INVALID: readonly Step['does'][] = ['merge', 'promote'];

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
  await shortenContestDays((query) => service.rows(query), DAY_MS);
});
afterAll(() => service.close());

/** Waits for the end of all runs of the account: every contest is decided, if only by its deadlines. */
async function atRest(accountId: string): Promise<void> {
  await eventually(async () => {
    const [open] = await service.rows(
      "select from pipeline_runs where account_id = $1 and status in ('pending', 'running') limit 1",
      [accountId],
    );
    return open === undefined;
  });
}

interface Outcome {
  readonly schedule: string;
  readonly unexpected: readonly (readonly [Step['does'], number])[];
  readonly broken: readonly string[];
  readonly openContests: number;
}

async function played(at: number, schedule: readonly Step[]): Promise<Outcome> {
  const account = await openScheduleAccount(service, `schedule-${at}`, DAY_MS);
  const unexpected: [Step['does'], number][] = [];
  const play = async (step: Step): Promise<void> => {
    const status = await account.do(step);
    const isExpected =
      EXPECTED.includes(status) || (status === 422 && MAY_BE_INVALID.includes(step.does));
    if (!isExpected) unexpected.push([step.does, status]);
  };
  for (const step of [...FIRST, ...schedule.slice(0, BEFORE)]) await play(step);
  for (let wave = 0; wave < WAVES; wave += 1) {
    const from = BEFORE + wave * SIDE_BY_SIDE;
    await Promise.all(schedule.slice(from, from + SIDE_BY_SIDE).map(play));
  }
  await atRest(account.id);
  const [contests] = await service.rows(
    `select count(*) as open from review_items
     where account_id = $1 and kind = 'contest' and decided_at is null`,
    [account.id],
  );
  return {
    schedule: JSON.stringify(schedule),
    unexpected,
    broken: await brokenLaws(service, account.id),
    openContests: Number(contests?.['open']),
  };
}

test('contests, decisions, merges and the same words end in one legal history, and every contest ends', async () => {
  const length = BEFORE + WAVES * SIDE_BY_SIDE;
  const schedules = fc.sample(fc.array(steps, { minLength: length, maxLength: length }), SCHEDULES);
  const outcomes = await Promise.all(schedules.map((schedule, at) => played(at, schedule)));
  for (const outcome of outcomes) {
    expect(outcome).toEqual({
      schedule: outcome.schedule,
      unexpected: [],
      broken: [],
      openContests: 0,
    });
  }
  await service.quiet();
  expect(await service.errors()).toEqual([]);
  // The steps really happened.
  const [done] = await service.rows(
    `select count(distinct reason)::int as reasons, count(distinct account_id)::int as accounts
       from lifecycle_events where reason <> 'extracted'`,
  );
  expect(done).toMatchObject({ accounts: SCHEDULES });
  expect(Number(done?.['reasons'])).toBeGreaterThan(5);
}, 300_000);
