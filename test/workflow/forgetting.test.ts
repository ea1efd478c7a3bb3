import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Runtime, type WorkflowBundle } from '@temporalio/worker';
import { sql } from 'slonik';
import { z } from 'zod';
import { runWorkflowId } from '../../domain/actors/names.ts';
import { createRunStarters } from '../../runtime/actors/run-starters.ts';
import { createSweep, type Sweep } from '../../runtime/actors/sweep.ts';
import { loadWorkflowBundle } from '../../runtime/temporal/prebuilt-bundle.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import { HoldsStore } from '../../stores/postgres/forgetting/holds.store.ts';
import { withAccount } from '../../stores/postgres/pool.ts';
import { UndispatchedRunsStore } from '../../stores/postgres/runs/runs.store.ts';
import { eventually } from '../support/patience.ts';
import { createProcessor, openHarness, silentLog, type Harness } from './harness.ts';

const STATEMENTS = 250;

let bundle: WorkflowBundle;
let harness: Harness;
let runId: string;

beforeAll(() => {
  installRuntime(silentLog);
  bundle = loadWorkflowBundle();
});

afterAll(() => Runtime.instance().shutdown());

beforeEach(async () => {
  harness = await openHarness(bundle);
  await fill();
  runId = await lift();
});

afterEach(() => harness.close());

/** More statements than a page holds. */
async function fill(): Promise<void> {
  const { db, account } = harness;
  await withAccount(db, account.accountId, (tx) =>
    tx.query(sql.unsafe`
      insert into knowledge (account_id, id, scope_id, subject_peer_id, statement, statement_hash, kind, confidence,
        evidence_level, sensitivity, target_level, state, verification, text_occurred_at, text_source_hash,
        extracting_provider, pipeline_version)
      select ${account.accountId}, gen_random_uuid(), ${account.scopeId}, ${account.peerId}, 'statement ' || n,
        sha256(n::text::bytea), 'fact', 1, 'direct', 'internal', 'peer', 'provisional', 'pending_human', now(),
        sha256(n::text::bytea), 'deterministic', 'test'
      from generate_series(1, ${STATEMENTS}) as n`),
  );
}

/** As a lift leaves it: nothing is held, texts that were served otherwise are to be served as they were said, and a run waits. */
function lift(): Promise<string> {
  const { accountId } = harness.account;
  return withAccount(harness.db, accountId, async (tx) => {
    await tx.query(sql.unsafe`
      update knowledge set is_served = false, statement = null, unmasked = jsonb_build_object('statement', statement)
      where account_id = ${accountId}`);
    const holds = new HoldsStore(tx, accountId);
    await holds.change();
    return holds.enterPass('0'.repeat(32));
  });
}

function starters() {
  const { client, queuePrefix } = harness;
  return createRunStarters({ client, queuePrefix, buildSha: 'dev' });
}

function relay(): Sweep {
  return createSweep({
    actors: harness.actors,
    mailboxes: { neglected: () => Promise.resolve([]), markRung: () => Promise.resolve(false) },
    runs: new UndispatchedRunsStore(harness.db),
    starters: starters(),
    log: silentLog,
    random: Math.random,
  });
}

function handle() {
  return harness.client.workflow.getHandle(runWorkflowId('forgetting', runId));
}

const runRow = z.object({
  status: z.string(),
  last_error_class: z.string().nullable(),
  processed: z.boolean(),
});

function run(): Promise<z.infer<typeof runRow>> {
  return withAccount(harness.db, harness.account.accountId, (tx) =>
    tx.one(sql.type(runRow)`
      select status, last_error_class, processed_at is not null as processed
      from pipeline_runs where id = ${runId}`),
  );
}

function served(): Promise<number> {
  return withAccount(harness.db, harness.account.accountId, (tx) =>
    tx.oneFirst(sql.type(z.object({ n: z.number() }))`
      select count(*)::integer as n from knowledge where is_served and unmasked is null`),
  );
}

test('the sweep starts a run once, and serves the texts of every page', async () => {
  await harness.startWorker(createProcessor(harness.db));
  expect(await relay().once()).toMatchObject({ temporal: 'serving', dispatched: 1 });
  expect(await handle().result()).toEqual({ rows: STATEMENTS, changed: STATEMENTS });
  expect(await run()).toEqual({ status: 'completed', last_error_class: null, processed: true });
  expect(await served()).toBe(STATEMENTS);
  expect(await relay().once()).toMatchObject({ dispatched: 0 });

  const { runId: first, typedSearchAttributes } = await handle().describe();
  const labels = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
  expect(Object.fromEntries(labels)).toEqual(
    expect.objectContaining({
      Lane: 'governance',
      RunKind: 'forgetting',
      AccountRef: harness.account.accountId,
      BuildSha: 'dev',
    }),
  );
  expect(await handle().query('totals')).toEqual({ rows: STATEMENTS, changed: STATEMENTS });
  const metadata = await handle().query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(metadata.currentDetails).toBe(`rows=${STATEMENTS}/changed=${STATEMENTS}`);
  // A relay that died between the start and its mark starts the run again; its row says that it is over.
  await starters().get('forgetting')?.({
    accountId: harness.account.accountId,
    runId,
    kind: 'forgetting',
  });
  expect((await handle().describe()).runId).not.toBe(first);
  expect(await handle().result()).toEqual({ rows: 0, changed: 0 });
  expect(await run()).toEqual({ status: 'completed', last_error_class: null, processed: true });
});

test('a run that is started twice is one workflow, and a cancelled run is recorded as cancelled', async () => {
  const start = () =>
    starters().get('forgetting')?.({
      accountId: harness.account.accountId,
      runId,
      kind: 'forgetting',
    });
  await start();
  const first = (await handle().describe()).runId;
  await start();
  expect((await handle().describe()).runId).toBe(first);
  await handle().cancel();
  await harness.startWorker(createProcessor(harness.db));
  await expect(handle().result()).rejects.toThrow();
  expect((await handle().describe()).status.name).toBe('CANCELLED');
  expect(await run()).toEqual({ status: 'cancelled', last_error_class: null, processed: true });
  expect(await served()).toBe(0);
});

test('a lasting failure ends the run with its error class, and a new start completes it', async () => {
  const { admin } = harness.database;
  await admin.query('revoke select on knowledge_attesters from vouch_app');
  await harness.startWorker(createProcessor(harness.db));
  await relay().once();
  await expect(handle().result()).rejects.toThrow();
  expect(await run()).toEqual({
    status: 'failed',
    last_error_class: 'internal_error',
    processed: true,
  });
  await admin.query('grant select on knowledge_attesters to vouch_app');
  await starters().get('forgetting')?.({
    accountId: harness.account.accountId,
    runId,
    kind: 'forgetting',
  });
  await eventually(async () => (await run()).status === 'completed');
  expect(await served()).toBe(STATEMENTS);
});
