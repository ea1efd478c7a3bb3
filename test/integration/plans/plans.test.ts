/**
 * The plans of all queries of hot paths on an account that has grown large: no table of the account is read from one end
 * to the other, and of the rows that are read, most are of use. The seed is smaller in a test run than it may be by hand
 * (`npm run bench:plans`): what reads too much does so at either size.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { appendFileSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Scene } from '../observations/scene.ts';
import { measure, recordPlans, TELL_PLANS, type Measured } from './plan.ts';
import { report } from './report.ts';
import { SCENARIOS } from './scenarios.ts';
import { seed } from './seed.ts';
import { plansSettings } from './settings.ts';
import { allStoreFunctions, CalledStores } from './stores.ts';
import { COLD, READS_MORE } from './exceptions.ts';

const { messages: MESSAGES, reportFile } = plansSettings();
/** Tables of so many rows count as large: every table that grows with an account is. */
const LARGE_ROWS = 1_000;
/** Rows read for each that is of use. */
const MOST_READ_FOR_ONE = 20;
/** What a query may read beside, however little it finds: the walks of a listing, a page of candidates. */
const READ_ANYWAY = 2_500;
/** However many rows it uses: no request counts or joins more. */
const MOST_READ = 60_000;

/** Transactions of accounts ask for plans that hold for any parameters (ADR 66); here what runs outside of them has such too. */
const MODE = 'force_generic_plan';

const called = new CalledStores();
if (reportFile !== undefined) rmSync(reportFile, { force: true });

/** The large account, made once: each mode has a copy of its own. */
let seeded: TestDatabase;
beforeAll(async () => {
  seeded = await createTestDatabase();
  await asSuperuser(seeded, (admin) => seed(admin, { messages: MESSAGES }));
}, 3_600_000);
afterAll(() => seeded?.drop());

async function asSuperuser(
  { adminUrl }: TestDatabase,
  work: (admin: Client) => Promise<unknown>,
): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

/** The plans of all scenarios on a database of their own. */
async function measuredPlans(): Promise<readonly Measured[]> {
  const recorder = recordPlans();
  const scene = await Scene.open({
    template: seeded.name,
    prepare: (database) =>
      asSuperuser(database, async (admin) => {
        for (const setting of [...TELL_PLANS, `plan_cache_mode = ${MODE}`])
          await admin.query(`alter database ${database.name} set ${setting}`);
      }),
  });
  try {
    for (const scenario of SCENARIOS) {
      recorder.ask(scenario.name);
      await scenario.run({ scene, called, messages: MESSAGES });
    }
    recorder.ask(null);
    const tables = await scene.rows(
      "select relname from pg_class where relkind = 'r' and reltuples > $1 and relnamespace = 'public'::regnamespace",
      [LARGE_ROWS],
    );
    const large = new Set(tables.map((row) => String(row['relname'])));
    return recorder.plans.map((plan) => measure(plan, large));
  } finally {
    recorder.stop();
    await scene.close();
  }
}

const shortened = (query: string) => query.replaceAll(/\s+/g, ' ').trim().slice(0, 160);

/** Each statement of a scenario once, however often it ran. */
const once = (plans: readonly Measured[]) => [
  ...new Map(plans.map((one) => [`${one.asked}\n${shortened(one.query)}`, one])).values(),
];

function isExcused({ asked, query, read, scanned }: Measured): boolean {
  return READS_MORE.some(
    ({ most, ...one }) =>
      one.asked.test(asked) &&
      one.query.test(query) &&
      (most === undefined || (read <= most && scanned.length === 0)),
  );
}

describe('a query of a hot path', () => {
  let measured: readonly Measured[];
  beforeAll(async () => {
    measured = await measuredPlans();
    if (reportFile !== undefined) appendFileSync(reportFile, report(MESSAGES, measured));
  }, 3_600_000);

  test('was recorded with its plan, in every scenario', () => {
    const asked = new Set(measured.map((one) => one.asked));
    expect(SCENARIOS.filter(({ name }) => !asked.has(name)).map(({ name }) => name)).toEqual([]);
  });

  test('does not scan a whole table', () => {
    const scans = measured.filter((one) => one.scanned.length > 0 && !isExcused(one));
    expect(once(scans).map((one) => [one.asked, one.scanned, shortened(one.query)])).toEqual([]);
  });

  test('reads few rows for each row that it uses, and a bounded number in all', () => {
    const heavy = measured.filter(
      (one) =>
        !isExcused(one) &&
        (one.read > MOST_READ_FOR_ONE * one.used + READ_ANYWAY || one.read > MOST_READ),
    );
    expect(once(heavy).map((one) => [one.asked, one.read, one.used, shortened(one.query)])).toEqual(
      [],
    );
  });
});

test('every function of a store is called here, or listed as cold with its reason', async () => {
  const all = await allStoreFunctions();
  const known = new Set([...called.called, ...Object.keys(COLD)]);
  expect(all.filter((name) => !known.has(name))).toEqual([]);
  expect(Object.keys(COLD).filter((name) => !all.includes(name))).toEqual([]);
});
