/** The third net on real Temporal and Postgres: runs, the walk over all accounts, and its schedule. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NOTHING_RECONCILED } from '../../domain/pipeline/reconcile.ts';
import { ScheduleNotFoundError } from '@temporalio/client';
import { Runtime, type WorkflowBundle } from '@temporalio/worker';
import type { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { isActorId, refuse } from '../../domain/workflow-history/safe-text.ts';
import { mailboxWorkflowId, runWorkflowId, type WorkflowKind } from '../../domain/actors/names.ts';
import { ROOT_PATH } from '../../domain/scopes/path.ts';
import { execute } from '../../operations/execute.ts';
import { requestReconcile } from '../../operations/runs/reconcile.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import { openActorClient } from '../../runtime/actors/connection.ts';
import { openActors } from '../../runtime/actors/open.ts';
import { createRunStarters } from '../../runtime/actors/run-starters.ts';
import { createScheduleKeeper } from '../../runtime/actors/schedules.ts';
import { ensureNamespaceAndSearchAttributes } from '../../runtime/actors/search-attributes.ts';
import { createSweep } from '../../runtime/actors/sweep.ts';
import { createRefusingInAccount } from '../../stores/postgres/in-account.ts';
import { bundleWorkflows } from '../../runtime/temporal/bundle.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import { UndispatchedRunsStore } from '../../stores/postgres/runs/runs.store.ts';
import { testServers } from '../support/environment.ts';
import { eventually } from '../support/patience.ts';
import { answered } from '../support/schedules.ts';
import { createProcessor, openHarness, silentLog, type Harness } from './harness.ts';
import { insertAccount, observe } from './observations.ts';

const NOTHING = NOTHING_RECONCILED;
/** Schedules have one name in a namespace, so this file has one of its own. */
const namespace = `reconcile-${randomBytes(4).toString('hex')}`;

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

afterEach(() => harness.close());

function enter(kind: WorkflowKind): Promise<string> {
  const { accountId } = harness.account;
  const run = { kind, traceId: '0'.repeat(32) };
  return createRefusingInAccount(harness.db)(accountId, ({ runs }) => runs.enter(run));
}

async function statusOf(runId: string): Promise<string> {
  const { rows } = await admin.query<{ status: string }>(
    'select status from pipeline_runs where id = $1',
    [runId],
  );
  return rows[0]?.status ?? 'none';
}

function handle(kind: WorkflowKind, runId: string) {
  return harness.client.workflow.getHandle(runWorkflowId(kind, runId));
}

/** As the sweep of a process does, once. */
async function relay(): Promise<void> {
  const { client, queuePrefix } = harness;
  await createSweep({
    actors: harness.actors,
    mailboxes: { neglected: () => Promise.resolve([]), markRung: () => Promise.resolve(false) },
    runs: new UndispatchedRunsStore(harness.db),
    starters: createRunStarters({ client, queuePrefix, buildSha: 'dev' }),
    log: silentLog,
    random: Math.random,
  }).once();
}

/** Six minutes pass for everything that was handed over or stored. */
async function ageEverything(): Promise<void> {
  for (const [table, column] of [
    ['pipeline_runs', 'dispatched_at'],
    ['extraction_anchors', 'available_at'],
    ['dirty_marks', 'available_at'],
  ]) {
    await admin.query(`update ${table} set ${column} = ${column} - interval '6 minutes'`);
  }
}

/** One pass over the account, as `POST operations/reconcile` asks for it. */
async function pass(): Promise<unknown> {
  const runId = await enter('reconcile');
  await relay();
  const counts = await handle('reconcile', runId).result();
  expect(await statusOf(runId)).toBe('completed');
  return counts;
}

function keeper() {
  const { client, queuePrefix } = harness;
  return createScheduleKeeper({ client, queuePrefix, buildSha: 'dev', log: silentLog });
}

describe('a run of the account', () => {
  test('has its labels and counters, and rings overdue mailboxes', async () => {
    const processor = createProcessor(harness.db);
    await harness.startWorker(processor);
    const { messageId, shard } = await observe(harness.db, harness.account, 's');
    await ageEverything();
    const runId = await enter('reconcile');
    await relay();
    expect(await handle('reconcile', runId).result()).toEqual({ ...NOTHING, anchors: 1, marks: 2 });
    await eventually(() => processor.completed.has(messageId));
    const { accountId } = harness.account;
    const actor = mailboxWorkflowId({ accountId, kind: 'projection', shard });
    await eventually(() => harness.client.workflow.getHandle(actor).describe());

    const { typedSearchAttributes } = await handle('reconcile', runId).describe();
    const labels = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
    expect(Object.fromEntries(labels)).toMatchObject({
      Lane: 'reconciler',
      RunKind: 'reconcile',
      AccountRef: accountId,
      BuildSha: 'dev',
    });
    expect(await handle('reconcile', runId).query('totals')).toMatchObject({ anchors: 1 });
    const metadata = await handle('reconcile', runId).query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(metadata.currentDetails).toBe(
      'anchors=1/limited=0/marks=2/versions=0/ended=0/replayed=0/attempts=0/vectors=0/scopes=0/uploads=0',
    );
  });

  test('is accepted while Temporal is away, and starts when it is there', async () => {
    const { db, account, queuePrefix } = harness;
    const away = openActors({
      address: '127.0.0.1:9',
      namespace,
      identity: 'api-1',
      queuePrefix,
      buildSha: 'dev',
      db,
      log: silentLog,
    });
    away.sweep.start();
    const answer = await execute(
      requestReconcile,
      {
        ...({
          inAccount: createRefusingInAccount(db),
          sweep: away.sweep,
        } as Partial<Environment> as Environment),
        caller: {
          ...account,
          peerKey: 'p',
          kind: 'machine',
          pinPath: null,
          secretPolicy: 'keep',
          grants: [
            { scopePath: ROOT_PATH, role: 'account_admin', effect: 'allow', propagate: true },
          ],
        },
        traceId: '0'.repeat(32),
        now: new Date(),
        signal: new AbortController().signal,
        clientAddress: null,
        idempotency: null,
      },
      {},
    );
    expect(answer).toEqual({ run_id: expect.any(String), status: 'accepted' });
    await away.close();
    expect(await statusOf(answer.run_id)).toBe('pending');
    await harness.startWorker(createProcessor(db));
    await relay();
    expect(await handle('reconcile', answer.run_id).result()).toEqual(NOTHING);
    expect(await statusOf(answer.run_id)).toBe('completed');
  });

  test('that was cancelled before it began is recorded as cancelled and does nothing', async () => {
    const runId = await enter('reconcile');
    await relay();
    await handle('reconcile', runId).cancel();
    await harness.startWorker(createProcessor(harness.db));
    await expect(handle('reconcile', runId).result()).rejects.toThrow();
    expect((await handle('reconcile', runId).describe()).status.name).toBe('CANCELLED');
    expect(await statusOf(runId)).toBe('cancelled');
  });

  test('whose work fails three times is failed with a class, and the next pass lets it start again', async () => {
    await admin.query('revoke select on dirty_marks from vouch_app');
    await harness.startWorker(createProcessor(harness.db));
    const runId = await enter('reconcile');
    await relay();
    await expect(handle('reconcile', runId).result()).rejects.toThrow();
    expect(await statusOf(runId)).toBe('failed');
    await admin.query('grant select on dirty_marks to vouch_app');
    await ageEverything();
    expect(await pass()).toEqual({ ...NOTHING, replayed: 1 });
    await relay();
    await eventually(async () => (await statusOf(runId)) === 'completed');
  });
});

describe('a run whose workflow ended without a report', () => {
  test('because it was terminated is discarded in one pass and replayed by the next, under its id', async () => {
    const regate = await enter('regate');
    await relay();
    const first = (await handle('regate', regate).describe()).runId;
    await handle('regate', regate).terminate();
    await harness.startWorker(createProcessor(harness.db));
    await ageEverything();
    expect(await pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(await statusOf(regate)).toBe('discarded');
    expect(await pass()).toEqual({ ...NOTHING, replayed: 1 });
    await relay();
    await handle('regate', regate).result();
    expect(await statusOf(regate)).toBe('completed');
    expect((await handle('regate', regate).describe()).runId).not.toBe(first);
  });

  test('because Temporal lost it is discarded and replayed as well', async () => {
    const regate = await enter('regate');
    await new UndispatchedRunsStore(harness.db).markDispatched({
      accountId: harness.account.accountId,
      runId: regate,
      kind: 'regate',
    });
    await harness.startWorker(createProcessor(harness.db));
    await ageEverything();
    expect(await pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(await statusOf(regate)).toBe('discarded');
    expect(await pass()).toEqual({ ...NOTHING, replayed: 1 });
    await relay();
    await handle('regate', regate).result();
    expect(await statusOf(regate)).toBe('completed');
  });

  test('because it was cancelled, without an update of its row, stays cancelled', async () => {
    const regate = await enter('regate');
    await relay();
    await handle('regate', regate).cancel();
    await harness.startWorker(createProcessor(harness.db));
    await expect(handle('regate', regate).result()).rejects.toThrow();
    await admin.query(`update pipeline_runs set status = 'running' where id = $1`, [regate]);
    await ageEverything();
    expect(await pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(await statusOf(regate)).toBe('cancelled');
    expect(await pass()).toEqual(NOTHING);
    expect(await statusOf(regate)).toBe('cancelled');
  });
});

describe('the hourly walk', () => {
  const schedule = () => harness.client.schedule.getHandle('reconcile-hourly');

  afterEach(async () => {
    await schedule()
      .delete()
      .catch(() => undefined);
  });

  /** The workflow that the schedule starts when it is told to. */
  async function walk() {
    await answered(() => schedule().trigger());
    const action = await eventually(async () => {
      const { info } = await answered(() => schedule().describe());
      return info.recentActions.at(-1);
    });
    const { workflowId } = action.action.workflow;
    return { workflowId, handle: harness.client.workflow.getHandle(workflowId) };
  }

  test('is started by its schedule, under a name that holds a time and nothing else', async () => {
    const processor = createProcessor(harness.db);
    const other = await insertAccount(admin);
    const sent = [
      await observe(harness.db, harness.account, 's'),
      await observe(harness.db, other, 't'),
    ];
    await ageEverything();
    await admin.query(
      `insert into idempotency_records (account_id, id, credential_id, method, path, key, request_hash, status,
         resource_id, created_at)
       values ($1, $2, $3, 'POST', '/x', 'k', '\\x00', 202, $2, now() - interval '25 hours')`,
      [other.accountId, uuid(), other.credentialId],
    );
    await harness.startWorker(processor);
    await answered(() => keeper().once());
    const started = await walk();
    expect(started.workflowId).toMatch(/^reconcile-hourly-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(isActorId(started.workflowId)).toBe(true);
    const totals: unknown = await started.handle.result();
    expect(totals).toEqual({
      ...NOTHING,
      accounts: 2,
      failed: 0,
      purged: 1,
      anchors: 2,
      marks: 4,
    });
    expect(refuse(totals)).toBeNull();
    for (const { messageId } of sent) {
      await eventually(() => processor.completed.has(messageId));
    }
    expect(await started.handle.query('totals')).toEqual(totals);
    const { typedSearchAttributes } = await started.handle.describe();
    const labels = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
    expect(Object.fromEntries(labels)).toMatchObject({ Lane: 'reconciler', RunKind: 'reconcile' });
  });

  test('continues after an account whose pass fails, and counts it', async () => {
    const other = await insertAccount(admin);
    await observe(harness.db, harness.account, 's');
    await observe(harness.db, other, 't');
    await ageEverything();
    await admin.query(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise check_violation; end $$;
      create trigger refuse before insert on mailboxes for each row
        when (new.account_id = '${harness.account.accountId}') execute function refuse()`);
    await harness.startWorker(createProcessor(harness.db));
    await answered(() => keeper().once());
    const { handle: walking } = await walk();
    expect(await walking.result()).toMatchObject({ accounts: 2, failed: 1, anchors: 1, marks: 2 });
  });

  test('has one schedule however many processes maintain it, kept up to date and never run in parallel', async () => {
    const keep = () => answered(() => keeper().once());
    const described = () => answered(() => schedule().describe());
    await Promise.all([keep(), keep(), keep()]);
    // Asked until it holds: Temporal lets an update that arrived together with a pause undo it.
    await eventually(async () => {
      await answered(() => schedule().pause());
      return (await described()).state.paused;
    });
    // Left by an earlier build.
    await answered(() =>
      schedule().update((previous) => ({
        ...previous,
        spec: { intervals: [{ every: '5h' }] },
        policies: { ...previous.policies, catchupWindow: '1 day' },
      })),
    );
    const every = async () => (await described()).spec.intervals?.[0]?.every;
    await eventually(async () => (await every()) === 5 * 3_600_000);
    await keep();
    await eventually(async () => (await every()) === 3_600_000);
    const { policies, action, state } = await described();
    expect(policies).toEqual({ overlap: 'SKIP', catchupWindow: 600_000, pauseOnFailure: false });
    expect(action).toMatchObject({
      workflowType: 'reconcileAccounts',
      workflowId: 'reconcile-hourly',
      taskQueue: `${harness.queuePrefix}-workflows`,
    });
    // Holding it back is an operator's word.
    expect(state.paused).toBe(true);
  });

  test('gets its schedule again soon after Temporal lost it', async () => {
    const { client, queuePrefix } = harness;
    const log = silentLog;
    const kept = createScheduleKeeper({
      client,
      queuePrefix,
      buildSha: 'dev',
      log,
      intervalMs: 200,
    });
    kept.start();
    const isThere = async (): Promise<boolean> => {
      try {
        await answered(() => schedule().describe());
        return true;
      } catch (error) {
        if (error instanceof ScheduleNotFoundError) return false;
        throw error;
      }
    };
    try {
      await eventually(isThere);
      await answered(() => schedule().delete());
      await eventually(isThere);
    } finally {
      await kept.close();
    }
  });
});
