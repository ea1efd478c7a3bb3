/**
 * Postgres and Temporal of different ages: a backup of one restored beside the other, or Temporal begun anew. Whatever
 * Temporal says of a workflow, only the row's own transaction completes a run; so each run of each kind comes to its
 * right end, and what it is there for has happened.
 */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Runtime, type WorkflowBundle } from '@temporalio/worker';
import { v7 as uuid } from 'uuid';
import { RUN_WORKFLOW_KINDS, runWorkflowId, type WorkflowKind } from '../../domain/actors/names.ts';
import { presetRules } from '../../domain/governance/presets.ts';
import { createReconcile } from '../../engine/reconcile/reconcile.ts';
import { createRunStarters } from '../../runtime/actors/run-starters.ts';
import { createWorkflowStates } from '../../runtime/actors/run-states.ts';
import { createSweep } from '../../runtime/actors/sweep.ts';
import { loadWorkflowBundle } from '../../runtime/temporal/prebuilt-bundle.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import { createFolderBlobStore } from '../../stores/blobs/folder.ts';
import { createInAccount } from '../../stores/postgres/in-account.ts';
import { ReconcileStore } from '../../stores/postgres/reconcile/reconcile.store.ts';
import { UndispatchedRunsStore } from '../../stores/postgres/runs/runs.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { request } from '../integration/erasure/erase.ts';
import { eventually, SERVERS_MS } from '../support/patience.ts';
import { backUp } from '../support/restored-rows.ts';
import { createProcessor, openHarness, silentLog, type Harness } from './harness.ts';

const TRACE = '0'.repeat(32);
const TEXT = 'The old mill grinds rye.';

let bundle: WorkflowBundle;
let harness: Harness;
let runs: Readonly<Record<WorkflowKind, string>>;
/** The person who is erased, and the statement that is contested. */
let erased: string;
let contested: string;
let decided: string;

beforeAll(() => {
  installRuntime(silentLog);
  bundle = loadWorkflowBundle();
});
afterAll(() => Runtime.instance().shutdown());
beforeEach(async () => {
  harness = await openHarness(bundle);
  runs = await enterRuns();
});
afterEach(() => harness.close());

async function rows(query: string, values: readonly unknown[] = []) {
  return (await harness.database.admin.query(query, [...values])).rows;
}

const inAccount = <T>(work: (stores: Stores) => Promise<T>) =>
  createInAccount(harness.db)(harness.account.accountId, work);

/** A statement about the peer; answers its id. */
async function stated(
  peerId: string,
  state: 'provisional' | 'contested' | 'stale',
): Promise<string> {
  const { accountId, scopeId } = harness.account;
  const id = uuid();
  const before = state === 'contested' ? 'active' : null;
  await rows(
    `insert into knowledge (account_id, id, scope_id, subject_peer_id, statement, statement_hash, kind, confidence,
       evidence_level, sensitivity, target_level, state, state_before_contest, verification, text_occurred_at,
       text_source_hash, extracting_provider, pipeline_version)
     select $1, $2, $3, $4, $5, sha256(convert_to($5::text, 'UTF8')), 'fact', 1, 'direct', 'internal', 'peer', $6,
       $7, 'pending_human', now(), sha256(convert_to($5::text, 'UTF8')),
       'deterministic', 'test'`,
    [accountId, id, scopeId, peerId, `statement ${id}`, state, before],
  );
  return id;
}

/** A contest that was escalated, and that nobody has answered in time. */
async function enterContest(): Promise<string> {
  const { accountId, peerId, scopeId } = harness.account;
  contested = await stated(peerId, 'contested');
  const item = uuid();
  await rows(
    `insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, subject_peer_id, kind, state, reason, target_level,
       due_at, escalated_at)
     values (false, $1, $2, $3, $4, $5, 'contest', 'escalated', 'subject_contested', 'peer', now(), now() - interval '1 day')`,
    [accountId, item, contested, scopeId, peerId],
  );
  return inAccount((stores) =>
    stores.runs.enter({ kind: 'contest', traceId: TRACE, targetId: item }),
  );
}

/** A curator's yes to a question about a statement, which nobody took back in time. */
async function enterDecision(): Promise<string> {
  const { accountId, credentialId, scopeId } = harness.account;
  const [curator, item, runId] = [uuid(), uuid(), uuid()];
  await rows(
    `insert into peers (account_id, id, key, name, kind) values ($1, $2, 'cura', 'Cura', 'human')`,
    [accountId, curator],
  );
  await rows(
    `insert into logins (account_id, id, peer_id, email, password_hash) values ($1, $2, $3, $4, 'x')`,
    [accountId, uuid(), curator, `${curator}@example.org`],
  );
  await rows(
    `insert into grants (account_id, id, peer_id, scope_path, role) values ($1, $2, $3, '/', 'curator')`,
    [accountId, uuid(), curator],
  );
  decided = await stated(curator, 'stale');
  await rows(
    `insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, subject_peer_id, kind, reason, due_at)
     values (false, $1, $2, $3, $4, $5, 'revalidation', 'revalidation_due', now() + interval '1 day')`,
    [accountId, item, decided, scopeId, curator],
  );
  await rows(
    `insert into scheduled_decisions (account_id, review_item_id, run_id, action, version, decided_by, credential_id, due_at)
     values ($1, $2, $3, 'approve', 1, $4, $5, now())`,
    [accountId, item, runId, curator, credentialId],
  );
  return inAccount((stores) =>
    stores.runs.enter({ kind: 'decision', traceId: TRACE, targetId: item, id: runId }),
  );
}

/** A document whose bytes lie where the harness reads them. */
async function enterDocument(): Promise<string> {
  const { accountId, credentialId, peerId, scopeId } = harness.account;
  const bytes = Buffer.from(TEXT);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const blobs = createFolderBlobStore(join(tmpdir(), `vouch-blobs-${harness.queuePrefix}`));
  await blobs.put({ accountId, sha256 }, bytes, uuid());
  return inAccount(async (stores) => {
    const documentId = await stores.documents.create(scopeId, {
      ownerPeerId: peerId,
      scopePath: '/',
      externalId: 'handbook',
      sha256,
    });
    const versionId = uuid();
    await stores.documents.addVersion(
      { documentId, versionId, version: 1 },
      {
        credentialId,
        uploaderPeerId: peerId,
        title: null,
        audience: null,
        mediaType: 'text/plain',
        sha256,
        byteSize: bytes.length,
        occurredAt: new Date().toISOString(),
        occurredOffsetMinutes: 0,
        traceId: TRACE,
      },
    );
    return stores.runs.enter({ kind: 'document', traceId: TRACE, targetId: versionId });
  });
}

/** One run of each kind, not handed over yet. */
async function enterRuns(): Promise<Readonly<Record<WorkflowKind, string>>> {
  const { accountId, peerId } = harness.account;
  erased = uuid();
  await rows(
    `insert into peers (account_id, id, key, name, kind) values ($1, $2, 'gone', 'gone', 'human')`,
    [accountId, erased],
  );
  for (const about of [peerId, erased]) await stated(about, 'provisional');
  const enter = (kind: WorkflowKind) =>
    inAccount((stores) => stores.runs.enter({ kind, traceId: TRACE }));
  await inAccount((stores) =>
    stores.gateRules.replaceAccountWide(presetRules('assisted'), new Date()),
  );
  return {
    contest: await enterContest(),
    decision: await enterDecision(),
    document: await enterDocument(),
    import_rebuild: await enter('import_rebuild'),
    forgetting: await enter('forgetting'),
    regate: await enter('regate'),
    reconcile: await enter('reconcile'),
    erasure: await request({ pool: harness.db }, accountId, erased, 'proportionate'),
  };
}

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

/** A pass of the reconcile, six minutes later, and the sweep after it. */
async function reconcile(): Promise<void> {
  for (const [table, column] of [
    ['pipeline_runs', 'dispatched_at'],
    ['extraction_anchors', 'available_at'],
    ['dirty_marks', 'available_at'],
  ]) {
    await rows(`update ${table} set ${column} = ${column} - interval '6 minutes'`);
  }
  const { actors, client, db } = harness;
  const rung: Promise<unknown>[] = [];
  await createReconcile({
    store: new ReconcileStore(db),
    workflowState: createWorkflowStates(client),
    ring: (mailbox) => void rung.push(actors.ring(mailbox, SERVERS_MS)),
    markMessages: async () => ({ messages: 0, mailboxes: [] }),
    markScopes: async () => ({ scopes: 0, mailboxes: [] }),
    blobs: { delete: async () => {}, deleteDraft: async () => {} },
  }).account(harness.account.accountId, new AbortController().signal);
  await Promise.all(rung);
  await relay();
}

const work = () => harness.startWorker(createProcessor(harness.db));

async function statuses(): Promise<Readonly<Record<string, unknown>>> {
  const found = await rows('select kind, status from pipeline_runs');
  return Object.fromEntries(found.map(({ kind, status }) => [kind, status]));
}

const EVERY = (status: string) =>
  Object.fromEntries(RUN_WORKFLOW_KINDS.map((kind) => [kind, status]));

async function isDone(): Promise<boolean> {
  const now = await statuses();
  return RUN_WORKFLOW_KINDS.every((kind) => now[kind] === 'completed');
}

/** What the runs are there for: each of them has happened. */
async function expectDone(): Promise<void> {
  expect(await statuses()).toEqual(EVERY('completed'));
  const { peerId } = harness.account;
  expect(await rows('select state::text from erasure_requests')).toEqual([{ state: 'completed' }]);
  expect(await rows('select from knowledge where subject_peer_id = $1', [erased])).toEqual([]);
  const about = `select state::text from knowledge where subject_peer_id = $1 and id <> $2`;
  expect(await rows(about, [peerId, contested])).toEqual([{ state: 'active' }]);
  expect(await rows('select state::text from knowledge where id = $1', [contested])).toEqual([
    { state: 'rejected' },
  ]);
  expect(await rows('select state::text from knowledge where id = $1', [decided])).toEqual([
    { state: 'active' },
  ]);
  expect(await rows('select content from messages')).toEqual([{ content: TEXT }]);
}

/** All runs are carried out, and their worker has gone. */
async function carryOut(): Promise<void> {
  const worker = await work();
  await eventually(isDone);
  await worker.close();
  await expectDone();
}

/** Temporal forgets every workflow, as after a start with an empty database of its own. */
async function emptyTemporal(): Promise<void> {
  const { client } = harness;
  for (const kind of RUN_WORKFLOW_KINDS) {
    const workflowId = runWorkflowId(kind, runs[kind]);
    await client.workflowService.deleteWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId },
    });
  }
  const states = createWorkflowStates(client);
  await eventually(async () => {
    const found = await Promise.all(RUN_WORKFLOW_KINDS.map((kind) => states(kind, runs[kind])));
    return found.every((state) => state === 'unknown');
  });
}

/** Passes of the reconcile beside a worker, until every run has ended. */
async function recover(): Promise<void> {
  await work();
  await eventually(async () => {
    if (await isDone()) return true;
    await reconcile();
    return isDone();
  });
  await expectDone();
}

test.each([
  ['they were handed over', relay],
  ['anybody had heard of them', async () => undefined],
])(
  'Postgres as it was before the runs ended, when %s, and Temporal that knows their end: they are carried out again',
  async (_when, before) => {
    await before();
    const restore = await backUp(harness.database.admin);
    await relay();
    await carryOut();
    await restore();
    expect(await statuses()).toEqual(EVERY('pending'));
    await recover();
  },
);

test('Temporal that has lost workflows under way, and Postgres of today: they begin again', async () => {
  await relay();
  await emptyTemporal();
  expect(await statuses()).toEqual(EVERY('pending'));
  await recover();
});

test('Postgres of an hour ago and an empty Temporal: the runs are carried out again', async () => {
  await relay();
  const restore = await backUp(harness.database.admin);
  await carryOut();
  await emptyTemporal();
  await restore();
  await recover();
});

/** Temporal forgets what came of every workflow after its first task, as a backup of an hour ago does. */
async function rewindTemporal(): Promise<void> {
  const { client } = harness;
  for (const kind of RUN_WORKFLOW_KINDS) {
    const workflowId = runWorkflowId(kind, runs[kind]);
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const first = events?.find((event) => event.workflowTaskCompletedEventAttributes != null);
    await client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId },
      reason: 'restored',
      requestId: uuid(),
      workflowTaskFinishEventId: first?.eventId ?? null,
    });
  }
}

/** Workflows go on from where they stand, until none is under way. */
async function goOn(): Promise<void> {
  await work();
  const states = createWorkflowStates(harness.client);
  await eventually(async () => {
    const found = await Promise.all(RUN_WORKFLOW_KINDS.map((kind) => states(kind, runs[kind])));
    return found.every((state) => state !== 'open');
  });
}

test('Temporal of an hour ago, and Postgres of today: workflows go on where nothing is left to do, and change nothing', async () => {
  await relay();
  await carryOut();
  await rewindTemporal();
  await goOn();
  await expectDone();
});

test('Temporal of an hour ago, and Postgres of the hour before: each run is carried out all the same', async () => {
  await relay();
  const restore = await backUp(harness.database.admin);
  await carryOut();
  await rewindTemporal();
  await restore();
  await recover();
});
