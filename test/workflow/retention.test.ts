/** The daily retention on real Temporal and Postgres: its schedule, its walk over the accounts, and what readiness learns of it. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Runtime, type WorkflowBundle } from '@temporalio/worker';
import type { Client } from 'pg';
import { isActorId, refuse } from '../../domain/workflow-history/safe-text.ts';
import { openActorClient } from '../../runtime/actors/connection.ts';
import { createScheduleKeeper } from '../../runtime/actors/schedules.ts';
import { ensureNamespaceAndSearchAttributes } from '../../runtime/actors/search-attributes.ts';
import { bundleWorkflows } from '../../runtime/temporal/bundle.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import { ReadinessStore } from '../../stores/postgres/readiness.store.ts';
import { testServers } from '../support/environment.ts';
import { eventually } from '../support/patience.ts';
import { answered } from '../support/schedules.ts';
import { createProcessor, openHarness, silentLog, type Harness } from './harness.ts';
import { insertAccount, type Account } from './observations.ts';

/** Schedules have one name in a namespace, so this file has one of its own. */
const namespace = `retention-${randomBytes(4).toString('hex')}`;
const DAY_MS = 86_400_000;

let bundle: WorkflowBundle;
let harness: Harness;
let admin: Client;

beforeAll(async () => {
  installRuntime(silentLog);
  bundle = await bundleWorkflows(silentLog);
  const address = testServers().temporalAddress;
  const client = openActorClient({ address, namespace, identity: 'api-1' });
  await ensureNamespaceAndSearchAttributes(client, { retentionDays: 1 });
  await client.connection.close();
});
afterAll(() => Runtime.instance().shutdown());
beforeEach(async () => {
  harness = await openHarness(bundle, namespace);
  ({ admin } = harness.database);
});

const schedule = () => harness.client.schedule.getHandle('retention-daily');

afterEach(async () => {
  for (const id of ['lifecycle-sweep', 'reconcile-hourly', 'retention-daily']) {
    await harness.client.schedule
      .getHandle(id)
      .delete()
      .catch(() => undefined);
  }
  await harness.close();
});

/** Runs of the account that ended so many days ago, and one that is under way since. */
async function addRuns({ accountId }: Account, amount: number, days: number): Promise<void> {
  await admin.query(
    `insert into pipeline_runs (account_id, id, kind, status, dispatched_at, processed_at)
     select $1, uuidv7(), 'regate', case when n = 0 then 'running' else 'completed' end::run_status,
       now() - make_interval(days => $3), case when n > 0 then now() - make_interval(days => $3) end
     from generate_series(0, $2::int) n`,
    [accountId, amount, days],
  );
}

async function runsOf({ accountId }: Account): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    'select count(*)::int as n from pipeline_runs where account_id = $1',
    [accountId],
  );
  return rows[0]?.n ?? 0;
}

async function told(): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await admin.query<{ account_id: string; metadata: unknown }>(
    `select account_id, metadata from audit_events where action = 'retention.pruned'`,
  );
  return Object.fromEntries(rows.map(({ account_id: id, metadata }) => [id, metadata]));
}

/** The workflow that the schedule starts when it is told to. */
async function pass() {
  const { client, queuePrefix } = harness;
  const keeper = createScheduleKeeper({ client, queuePrefix, buildSha: 'dev', log: silentLog });
  await answered(() => keeper.once());
  await answered(() => schedule().trigger());
  const action = await eventually(async () => {
    const { info } = await answered(() => schedule().describe());
    return info.recentActions.at(-1);
  });
  const { workflowId } = action.action.workflow;
  return { workflowId, handle: client.workflow.getHandle(workflowId) };
}

describe('the daily retention', () => {
  test('is started by its schedule at 02:15 UTC, and prunes every account', async () => {
    const other = await insertAccount(admin);
    const idle = await insertAccount(admin);
    await addRuns(harness.account, 250, 31);
    await addRuns(other, 1, 31);
    await addRuns(idle, 1, 29);
    await harness.startWorker(createProcessor(harness.db));
    const { handle, workflowId } = await pass();
    expect(workflowId).toMatch(/^retention-daily-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(isActorId(workflowId)).toBe(true);
    const totals: unknown = await handle.result();
    expect(totals).toEqual({ accounts: 3, failed: 0, rows: 251 });
    expect(refuse(totals)).toBeNull();
    expect([await runsOf(harness.account), await runsOf(other), await runsOf(idle)]).toEqual([
      1, 1, 2,
    ]);
    expect(await told()).toEqual({
      [harness.account.accountId]: { runs: 250 },
      [other.accountId]: { runs: 1 },
    });
    const last = await new ReadinessStore(harness.db).retention();
    expect(last).toMatchObject({ completedAt: expect.any(String), failedAccounts: 0 });
    // The minute sweeps have a record of their own.
    const { passes } = await new ReadinessStore(harness.db).sweeps();
    expect(Object.values(passes).map(({ completedAt }) => completedAt)).not.toContain(
      last.completedAt,
    );
    const { policies, spec } = await answered(() => schedule().describe());
    expect(policies.overlap).toBe('SKIP');
    expect(spec.intervals).toEqual([{ every: DAY_MS, offset: (2 * 60 + 15) * 60_000 }]);
    expect(await handle.query('totals')).toEqual(totals);
    const { typedSearchAttributes } = await handle.describe();
    const labels = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
    expect(Object.fromEntries(labels)).toMatchObject({ Lane: 'reconciler', RunKind: 'retention' });
  });

  test('goes on after an account that fails, counts it, and tells next time what it had deleted there', async () => {
    const other = await insertAccount(admin);
    await addRuns(harness.account, 3, 31);
    await addRuns(other, 3, 31);
    await admin.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise check_violation; end $$;
      create trigger refuse before insert on audit_events for each row
        when (new.account_id = '${harness.account.accountId}') execute function refuse()`);
    await harness.startWorker(createProcessor(harness.db));
    const { handle } = await pass();
    expect(await handle.result()).toEqual({ accounts: 2, failed: 1, rows: 3 });
    expect(await told()).toEqual({ [other.accountId]: { runs: 3 } });
    expect(await new ReadinessStore(harness.db).retention()).toMatchObject({ failedAccounts: 1 });
    await admin.query('drop trigger refuse on audit_events');
    const { handle: next } = await pass();
    await next.result();
    expect(await told()).toEqual({
      [harness.account.accountId]: { runs: 3 },
      [other.accountId]: { runs: 3 },
    });
  });

  test('that was continued goes on in its account where it was, and behind it from the beginning', async () => {
    const accounts = [harness.account, await insertAccount(admin), await insertAccount(admin)];
    const [before, under, after] = accounts.toSorted((a, b) =>
      a.accountId < b.accountId ? -1 : 1,
    );
    if (before === undefined || under === undefined || after === undefined)
      throw new Error('three');
    for (const account of accounts) await addRuns(account, 1, 31);
    await harness.startWorker(createProcessor(harness.db));
    const { client, queuePrefix } = harness;
    const handle = await client.workflow.start('retainAccounts', {
      workflowId: 'retention-daily-2026-01-01T02:15:00Z',
      taskQueue: `${queuePrefix}-workflows`,
      args: [
        {
          afterId: before.accountId,
          place: { kind: 'attempts', at: null, afterId: null },
          totals: { accounts: 7, failed: 1, rows: 100 },
        },
      ],
    });
    expect(await handle.result()).toEqual({ accounts: 9, failed: 1, rows: 101 });
    expect([await runsOf(before), await runsOf(under), await runsOf(after)]).toEqual([2, 2, 1]);
  });

  test('that is cancelled completes nothing', async () => {
    const { client, queuePrefix } = harness;
    const handle = await client.workflow.start('retainAccounts', {
      workflowId: 'retention-daily-2026-01-02T02:15:00Z',
      taskQueue: `${queuePrefix}-workflows`,
      args: [],
    });
    await handle.cancel();
    await harness.startWorker(createProcessor(harness.db));
    await expect(handle.result()).rejects.toThrow();
    await admin.query("update sweep_passes set installed_at = now() - interval '3 days'");
    const last = await new ReadinessStore(harness.db).retention();
    expect(last).toMatchObject({ completedAt: null });
    expect(last.waitedSeconds).toBeGreaterThan(2 * 86_400);
  });
});
