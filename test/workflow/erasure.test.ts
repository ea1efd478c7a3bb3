/** The workflow of an erasure on Temporal: held back and resumed, cancelled, terminated, and what it tells meanwhile. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Runtime, type WorkflowBundle } from '@temporalio/worker';
import { runWorkflowId } from '../../domain/actors/names.ts';
import { ERASURE_STEPS } from '../../domain/erasure/words.ts';
import { REPLAYED_CLASSES, runEnd } from '../../domain/pipeline/reconcile.ts';
import { createRunStarters } from '../../runtime/actors/run-starters.ts';
import { createWorkflowStates } from '../../runtime/actors/run-states.ts';
import { createSweep } from '../../runtime/actors/sweep.ts';
import { loadWorkflowBundle } from '../../runtime/temporal/prebuilt-bundle.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import { ReconcileStore } from '../../stores/postgres/reconcile/reconcile.store.ts';
import { UndispatchedRunsStore } from '../../stores/postgres/runs/runs.store.ts';
import type { ErasureProgress } from '../../workflows/governance/messages.ts';
import { request } from '../integration/erasure/erase.ts';
import { SERVERS_MS, eventually } from '../support/patience.ts';
import { createProcessor, openHarness, silentLog, type Harness } from './harness.ts';

/** More than two pages of each kind. */
const MANY = 450;

let bundle: WorkflowBundle;
let harness: Harness;
let erasureId: string;

beforeAll(() => {
  installRuntime(silentLog);
  bundle = loadWorkflowBundle();
});
afterAll(() => Runtime.instance().shutdown());

beforeEach(async () => {
  harness = await openHarness(bundle);
  const { accountId, scopeId, peerId } = harness.account;
  await rows(
    `insert into knowledge (account_id, id, scope_id, subject_peer_id, statement, statement_hash, kind, confidence,
       evidence_level, sensitivity, target_level, state, verification, text_occurred_at, text_source_hash,
       extracting_provider, pipeline_version)
     select $1, gen_random_uuid(), $2, $3, 'statement ' || n, sha256(n::text::bytea), 'fact', 1, 'direct', 'internal',
       'peer', 'provisional', 'pending_human', now(), sha256(n::text::bytea), 'deterministic', 'test'
     from generate_series(1, ${MANY}) as n`,
    [accountId, scopeId, peerId],
  );
  erasureId = await request({ pool: harness.db }, accountId, peerId, 'proportionate');
});
afterEach(() => harness.close());

async function rows(query: string, values: readonly unknown[] = []) {
  return (await harness.database.admin.query(query, [...values])).rows;
}

const handle = () => harness.client.workflow.getHandle(runWorkflowId('erasure', erasureId));

/** As the sweep of a process does, once. */
async function relay(): Promise<void> {
  const { actors, client, db, queuePrefix } = harness;
  await createSweep({
    actors,
    mailboxes: { neglected: () => Promise.resolve([]), markRung: () => Promise.resolve(false) },
    runs: new UndispatchedRunsStore(db),
    starters: createRunStarters({ client, queuePrefix, buildSha: 'dev' }),
    log: silentLog,
    random: Math.random,
  }).once();
}

async function state(): Promise<unknown> {
  const [row] = await rows('select state::text from erasure_requests where id = $1', [erasureId]);
  return row?.['state'];
}

async function about(): Promise<number> {
  const [row] = await rows('select count(*)::int as n from knowledge where subject_peer_id = $1', [
    harness.account.peerId,
  ]);
  return Number(row?.['n']);
}

async function isGone(): Promise<void> {
  await eventually(async () => (await state()) === 'completed');
  expect(await about()).toBe(0);
  const [run] = await rows('select status from pipeline_runs where id = $1', [erasureId]);
  expect(run).toEqual({ status: 'completed' });
}

const work = () => harness.startWorker(createProcessor(harness.db));

test('an erasure that an operator holds back does nothing more, and goes on where it stood', async () => {
  await relay();
  // Before any worker: the update waits with the workflow.
  const paused = handle().executeUpdate('pause');
  await work();
  await paused;
  const told = await eventually(async () => {
    const totals = await handle().query<ErasureProgress>('totals');
    return totals.pages > 0 && totals;
  });
  expect(told).toMatchObject({ paused: 1 });
  expect(await about()).toBe(MANY);
  expect(await state()).toBe('running');
  await handle().executeUpdate('resume');
  await handle().result();
  await isGone();
  const totals = await handle().query<ErasureProgress>('totals');
  expect(totals).toMatchObject({ paused: 0, remaining: 0, step: 0 });
  expect(totals.erased).toBeGreaterThanOrEqual(MANY);
  const metadata = await handle().query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(metadata.currentDetails).toMatch(/^step=0\/pages=\d+\/erased=\d+\/remaining=0\/paused=0$/);
});

test('every step of an erasure promises to be heard of within seconds, so that one which died with its worker is missed soon', async () => {
  await relay();
  await work();
  await isGone();
  const { events } = await handle().fetchHistory();
  const steps = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  expect(steps.length).toBeGreaterThan(ERASURE_STEPS.length);
  const silences = steps.map(({ heartbeatTimeout }) => Number(heartbeatTimeout?.seconds));
  expect(Math.max(...silences)).toBe(10);
});

/** The two hours of the reconcile: the first finds what ended, the second starts it again under its id. */
async function reconcile(): Promise<void> {
  const { accountId } = harness.account;
  const store = new ReconcileStore(harness.db);
  await rows("update pipeline_runs set dispatched_at = dispatched_at - interval '6 minutes'");
  const states = createWorkflowStates(harness.client);
  const end = runEnd(await states('erasure', erasureId));
  if (end !== null) await store.endRun(accountId, erasureId, end);
  await store.replayRuns(accountId, 'others', REPLAYED_CLASSES, {
    olderThanMs: 300_000,
    limit: 10,
  });
  await relay();
}

test.each([
  ['cancelled', 'CANCELLED', () => handle().cancel()],
  ['terminated', 'TERMINATED', () => handle().terminate()],
])(
  'an erasure that was %s starts again under its id, and ends as it would have',
  async (_how, status, stop) => {
    await relay();
    const paused = handle().executeUpdate('pause');
    await work();
    await paused;
    await stop();
    await eventually(async () => (await handle().describe()).status.name === status);
    expect(await state()).not.toBe('completed');
    await eventually(async () => {
      await reconcile();
      return (await handle().describe()).status.name !== status;
    });
    await isGone();
  },
);

test(
  'an erasure whose database refuses it starts again when the database does not',
  async () => {
    await rows('revoke delete on knowledge from vouch_app');
    await relay();
    await work();
    await eventually(async () => (await handle().describe()).status.name === 'FAILED');
    expect(await about()).toBe(MANY);
    await rows('grant delete on knowledge to vouch_app');
    await reconcile();
    await isGone();
  },
  SERVERS_MS,
);
