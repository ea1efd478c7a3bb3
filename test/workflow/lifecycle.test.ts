/** The sweep of all accounts on real Temporal and Postgres: its schedule, its walk, and what readiness learns of it. */
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
const namespace = `lifecycle-${randomBytes(4).toString('hex')}`;

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

const schedule = () => harness.client.schedule.getHandle('lifecycle-sweep');

afterEach(async () => {
  for (const id of ['lifecycle-sweep', 'reconcile-hourly']) {
    await harness.client.schedule
      .getHandle(id)
      .delete()
      .catch(() => undefined);
  }
  await harness.close();
});

/** Active statements of the account whose time is over, made by SQL. */
async function addExpired({ accountId, peerId, scopeId }: Account, amount: number): Promise<void> {
  await admin.query(
    `with made as (
       insert into knowledge (account_id, id, scope_id, subject_peer_id, statement, statement_hash, kind, confidence,
         evidence_level, sensitivity, target_level, state, verification, text_occurred_at, text_source_hash,
         extracting_provider, pipeline_version, expires_at)
       select $1, uuidv7(), $2, $3, 'x' || n, sha256(('x' || n)::bytea), 'fact', 1, 'direct', 'public', 'peer', 'active',
         'auto_verified', now(), sha256('x'), 'deterministic', 'f5-1', now() - interval '1 hour'
       from generate_series(1, $4::int) n returning *)
     insert into belief_periods (account_id, id, knowledge_id, state, scope_id, target_level, sensitivity, confidence,
       believed_from)
     select account_id, uuidv7(), id, state, scope_id, target_level, sensitivity, confidence, now() - interval '2 hours'
     from made`,
    [accountId, scopeId, peerId, amount],
  );
}

async function statesOf({ accountId }: Account): Promise<Readonly<Record<string, number>>> {
  const { rows } = await admin.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from knowledge where account_id = $1 group by state',
    [accountId],
  );
  return Object.fromEntries(rows.map(({ n, state }) => [state, n]));
}

function keeper() {
  const { client, queuePrefix } = harness;
  return createScheduleKeeper({ client, queuePrefix, buildSha: 'dev', log: silentLog });
}

/** The workflow that the schedule starts when it is told to. */
async function swept() {
  await answered(() => keeper().once());
  await answered(() => schedule().trigger());
  const action = await eventually(async () => {
    const { info } = await answered(() => schedule().describe());
    return info.recentActions.at(-1);
  });
  const { workflowId } = action.action.workflow;
  return { workflowId, handle: harness.client.workflow.getHandle(workflowId) };
}

describe('the sweep of all accounts', () => {
  test('is started by its schedule every minute, and ends what is over in every account', async () => {
    const other = await insertAccount(admin);
    await addExpired(harness.account, 250);
    await addExpired(other, 1);
    await harness.startWorker(createProcessor(harness.db));
    const { handle, workflowId } = await swept();
    expect(workflowId).toMatch(/^lifecycle-sweep-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(isActorId(workflowId)).toBe(true);
    const totals: unknown = await handle.result();
    expect(totals).toEqual({ accounts: 2, failed: 0, rows: 251, aside: 0 });
    expect(refuse(totals)).toBeNull();
    expect(await statesOf(harness.account)).toEqual({ expired: 250 });
    expect(await statesOf(other)).toEqual({ expired: 1 });
    const { passes } = await new ReadinessStore(harness.db).sweeps();
    for (const { completedAt, waitedSeconds } of Object.values(passes)) {
      expect(completedAt).not.toBeNull();
      expect(waitedSeconds).toBeLessThan(600);
    }
    const { policies, spec } = await answered(() => schedule().describe());
    expect(policies.overlap).toBe('SKIP');
    expect(spec.intervals?.[0]?.every).toBe(60_000);
    const { typedSearchAttributes } = await handle.describe();
    const labels = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
    expect(Object.fromEntries(labels)).toMatchObject({ Lane: 'lifecycle', RunKind: 'lifecycle' });
  });

  test('goes on after an account whose turn fails, counts it, and does the rest', async () => {
    const other = await insertAccount(admin);
    await addExpired(harness.account, 3);
    await addExpired(other, 3);
    await admin.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise check_violation; end $$;
      create trigger refuse before insert on sweep_setbacks for each row
        when (new.account_id = '${harness.account.accountId}') execute function refuse()`);
    await harness.startWorker(createProcessor(harness.db));
    const { handle } = await swept();
    expect(await handle.result()).toEqual({ accounts: 2, failed: 1, rows: 3, aside: 0 });
    expect(await statesOf(other)).toEqual({ expired: 3 });
    expect(await new ReadinessStore(harness.db).sweeps()).toMatchObject({ failedAccounts: 1 });
    await admin.query('drop trigger refuse on sweep_setbacks');
  });

  test('that is cancelled completes nothing, and readiness goes by the installation', async () => {
    const { client, queuePrefix } = harness;
    const handle = await client.workflow.start('sweepLifecycle', {
      workflowId: `lifecycle-sweep-2026-01-01T00:00:00Z`,
      taskQueue: `${queuePrefix}-workflows`,
      args: [],
    });
    await handle.cancel();
    await harness.startWorker(createProcessor(harness.db));
    await expect(handle.result()).rejects.toThrow();
    await admin.query("update sweep_passes set installed_at = now() - interval '11 minutes'");
    const { passes } = await new ReadinessStore(harness.db).sweeps();
    expect(passes.expiry).toMatchObject({ completedAt: null });
    expect(passes.expiry.waitedSeconds).toBeGreaterThan(600);
  });
});
