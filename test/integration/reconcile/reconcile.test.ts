/** One pass over one account. Real: Postgres. Faked: what Temporal says of a workflow. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Mailbox, WorkflowKind } from '../../../domain/actors/names.ts';
import { NOTHING_RECONCILED, type WorkflowState } from '../../../domain/pipeline/reconcile.ts';
import { createReconcile } from '../../../engine/reconcile/reconcile.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { ReconcileStore } from '../../../stores/postgres/reconcile/reconcile.store.ts';
import { UndispatchedRunsStore } from '../../../stores/postgres/runs/runs.store.ts';
import { Scene } from '../observations/scene.ts';

const NOTHING = NOTHING_RECONCILED;
const never = new AbortController().signal;
const nothingToMark = async () => ({ messages: 0, mailboxes: [] });

let scene: Scene;
let account: string;
let rung: Mailbox[];
let states: Map<string, WorkflowState>;
let asked: string[];

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  rung = [];
  states = new Map();
  asked = [];
});

const noScopes = async () => ({ scopes: 0, mailboxes: [] });
const nothingKept = { delete: async () => {}, deleteDraft: async () => {} };

function reconcile() {
  return createReconcile({
    store: new ReconcileStore(scene.pool),
    workflowState: async (_: WorkflowKind, runId) => {
      asked.push(runId);
      return states.get(runId) ?? 'open';
    },
    ring: (mailbox) => void rung.push(mailbox),
    markMessages: nothingToMark,
    markScopes: noScopes,
    blobs: nothingKept,
  });
}

const pass = (accountId = account) => reconcile().account(accountId, never);

/** Observations of one account in one mailbox, all of them `seconds` old. */
async function observed(accountId: string, count: number, seconds: number): Promise<number> {
  const agent = await scene.caller(accountId, { key: `agent-${uuidv7()}` });
  for (let n = 0; n < count; n += 1) {
    await scene.ingest(agent, { session_id: 'one', content: `I have ${n} boats.` });
  }
  for (const table of ['extraction_anchors', 'dirty_marks']) {
    await scene.rows(
      `update ${table} set available_at = now() - make_interval(secs => $2) where account_id = $1`,
      [accountId, seconds],
    );
  }
  const [row] = await scene.rows('select shard from sessions where account_id = $1', [accountId]);
  return Number(row?.['shard']);
}

function change(table: string, values: string): Promise<unknown> {
  return scene.rows(`update ${table} set ${values} where account_id = $1`, [account]);
}

interface RunValues {
  readonly kind?: string;
  readonly status?: string;
  readonly dispatchedSecondsAgo?: number | null;
  readonly errorClass?: string;
}

async function run(values: RunValues = {}): Promise<string> {
  const id = uuidv7();
  const { dispatchedSecondsAgo: seconds = 400 } = values;
  await scene.rows(
    `insert into pipeline_runs (account_id, id, kind, status, last_error_class, dispatched_at)
     values ($1, $2, $3::run_kind, $4::run_status, $5::error_class, now() - make_interval(secs => $6))`,
    [
      account,
      id,
      values.kind ?? 'regate',
      values.status ?? 'running',
      values.errorClass ?? null,
      seconds,
    ],
  );
  return id;
}

async function runRow(id: string) {
  const [row] = await scene.rows(
    `select status, last_error_class, dispatched_at is not null as dispatched,
       processed_at is not null as processed from pipeline_runs where id = $1`,
    [id],
  );
  return row;
}

describe('overdue observations and dirty marks', () => {
  test('are counted, and their mailboxes rung once', async () => {
    const shard = await observed(account, 3, 301);
    expect(await pass()).toEqual({ ...NOTHING, anchors: 3, marks: 6 });
    expect(rung).toEqual([
      { accountId: account, kind: 'ingest', shard },
      { accountId: account, kind: 'projection', shard },
    ]);
  });

  test('are left alone while they are younger than five minutes', async () => {
    await observed(account, 2, 290);
    expect(await pass()).toEqual(NOTHING);
    expect(rung).toEqual([]);
  });

  test('are left alone while a drain is awake, and while an operator has paused the mailbox', async () => {
    await observed(account, 2, 400);
    await change('mailboxes', "awake_until = now() + interval '5 s'");
    expect(await pass()).toEqual(NOTHING);
    await change('mailboxes', "awake_until = '-infinity', paused = true");
    expect(await pass()).toEqual(NOTHING);
    expect(rung).toEqual([]);
  });

  test.each([
    "status = 'repairable', last_error_class = 'credentials_rejected'",
    "status = 'terminal', last_error_class = 'missing_text_response'",
    "status = 'completed', completed_at = now()",
  ])('are left alone where %s', async (values) => {
    await observed(account, 1, 400);
    await change('extraction_anchors', values);
    expect(await pass()).toMatchObject({ anchors: 0 });
    expect(rung.map(({ kind }) => kind)).toEqual(['projection']);
  });

  test('that failed and wait for their next attempt are left alone until it is overdue', async () => {
    await observed(account, 1, -30);
    await change('extraction_anchors', "status = 'failed', last_error_class = 'transport_error'");
    expect(await pass()).toEqual(NOTHING);
    await change('extraction_anchors', "available_at = now() - interval '301 s'");
    expect(await pass()).toMatchObject({ anchors: 1 });
  });

  test('may be rung by the sweep at once, however often it has tried', async () => {
    const shard = await observed(account, 1, 400);
    await change('mailboxes', 'last_rung_at = now(), ring_attempts = 9');
    const mailboxes = new MailboxesStore(scene.pool);
    const mine = async () =>
      (await mailboxes.neglected(2_000, 500)).filter(({ accountId }) => accountId === account);
    expect(await mine()).toEqual([]);
    await pass();
    expect(await mine()).toContainEqual({ accountId: account, kind: 'ingest', shard });
  });

  test('are found although their mailbox is gone', async () => {
    const shard = await observed(account, 1, 400);
    await scene.rows('delete from mailboxes where account_id = $1', [account]);
    await pass();
    expect(rung).toContainEqual({ accountId: account, kind: 'ingest', shard });
    expect(await new MailboxesStore(scene.pool).withWork(rung)).toHaveLength(2);
  });

  test('are counted up to a hundred of each kind, without those of other accounts', async () => {
    const other = await scene.account();
    await observed(other, 1, 400);
    await observed(account, 101, 400);
    expect(await pass()).toEqual({ ...NOTHING, anchors: 100, marks: 100 });
    expect(rung.every(({ accountId }) => accountId === account)).toBe(true);
  });
});

describe('a run that was dispatched and does not report', () => {
  test.each([
    ['completed', { status: 'discarded', last_error_class: null, processed: true }],
    ['cancelled', { status: 'cancelled', last_error_class: null, processed: true }],
    ['failed', { status: 'failed', last_error_class: 'internal_error', processed: true }],
    ['timed_out', { status: 'failed', last_error_class: 'request_timeout', processed: true }],
    ['terminated', { status: 'discarded', last_error_class: null, processed: true }],
    ['unknown', { status: 'discarded', last_error_class: null, processed: true }],
  ] as const)('ends as its workflow did: %s', async (state, row) => {
    const id = await run();
    states.set(id, state);
    expect(await pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(await runRow(id)).toEqual({ ...row, dispatched: true });
  });

  test('stays open while its workflow runs', async () => {
    const id = await run({ status: 'pending' });
    expect(await pass()).toEqual(NOTHING);
    expect(asked).toEqual([id]);
    expect(await runRow(id)).toMatchObject({ status: 'pending', dispatched: true });
  });

  test('is not asked about when it is young, not dispatched, ended, or of another kind', async () => {
    await run({ dispatchedSecondsAgo: 290 });
    await run({ status: 'pending', dispatchedSecondsAgo: null });
    await run({ status: 'completed' });
    await run({ kind: 'campaign' });
    expect(await pass()).toEqual(NOTHING);
    expect(asked).toEqual([]);
  });

  test('keeps what its workflow wrote while Temporal was asked', async () => {
    const id = await run();
    const slow = createReconcile({
      store: new ReconcileStore(scene.pool),
      async workflowState() {
        await change('pipeline_runs', "status = 'completed', processed_at = now()");
        return 'unknown';
      },
      ring() {},
      markMessages: nothingToMark,
      markScopes: noScopes,
      blobs: nothingKept,
    });
    expect(await slow.account(account, never)).toEqual(NOTHING);
    expect(await runRow(id)).toMatchObject({ status: 'completed' });
  });

  test('is checked with at most ninety-nine others in a pass, and none is skipped for ever', async () => {
    for (let n = 0; n < 150; n += 1) await run();
    const lost = await run({ dispatchedSecondsAgo: 310 });
    states.set(lost, 'unknown');
    let passes = 0;
    while ((await runRow(lost))?.['status'] === 'running' && passes < 60) {
      asked = [];
      await pass();
      expect(asked.length).toBe(100);
      passes += 1;
    }
    expect(await runRow(lost)).toMatchObject({ status: 'discarded' });
  });

  test('of a document is checked in the same pass as a hundred others, and counted by itself', async () => {
    for (let n = 0; n < 100; n += 1) await run();
    const [lost, discarded] = [
      await run({ kind: 'document', dispatchedSecondsAgo: 310 }),
      await run({ kind: 'document', status: 'discarded' }),
    ];
    states.set(lost, 'unknown');
    expect(await pass()).toEqual({ ...NOTHING, versions: 2 });
    expect(asked.length).toBe(101);
    expect(await runRow(lost)).toMatchObject({ status: 'discarded' });
    expect(await runRow(discarded)).toMatchObject({ status: 'pending', dispatched: false });
  });

  test('stays as it is when Temporal does not answer, and the pass fails', async () => {
    const id = await run();
    const away = createReconcile({
      store: new ReconcileStore(scene.pool),
      workflowState: () => Promise.reject(new Error('away')),
      ring() {},
      markMessages: nothingToMark,
      markScopes: noScopes,
      blobs: nothingKept,
    });
    await expect(away.account(account, never)).rejects.toThrow('away');
    expect(await runRow(id)).toMatchObject({ status: 'running' });
  });
});

describe('a call to a provider whose row was left open', () => {
  const attempt = async (state: string, seconds: number): Promise<string> => {
    const id = uuidv7();
    await scene.rows(
      `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, trace_id,
         reserved_at, dispatched_at)
       values ($1, $2, 'embedder', 'openai-compatible', 'm', '1', $3::attempt_state, $4,
         now() - make_interval(secs => $5), case $3 when 'dispatched' then now() end)`,
      [account, id, state, 'a'.repeat(32), seconds],
    );
    return id;
  };
  const ended = (id: string) =>
    scene.rows('select state, metered, error_class from provider_attempts where id = $1', [id]);

  test('is closed after an hour: as cancelled when it was never sent, else as an error', async () => {
    const reserved = await attempt('reserved', 3_700);
    const dispatched = await attempt('dispatched', 3_700);
    const underWay = await attempt('dispatched', 3_000);
    expect(await pass()).toEqual({ ...NOTHING, attempts: 2 });
    expect(await ended(reserved)).toEqual([
      { state: 'cancelled', metered: false, error_class: null },
    ]);
    expect(await ended(dispatched)).toEqual([
      { state: 'error', metered: false, error_class: 'internal_error' },
    ]);
    expect(await ended(underWay)).toMatchObject([{ state: 'dispatched' }]);
    expect(await pass()).toEqual(NOTHING);
  });
});

describe('a run that did not complete', () => {
  const undispatched = async (): Promise<string[]> =>
    (await new UndispatchedRunsStore(scene.pool).undispatched(1_000))
      .filter(({ accountId }) => accountId === account)
      .map(({ runId }) => runId);

  test('and was discarded starts again at the next pass, under its own id', async () => {
    const id = await run();
    states.set(id, 'terminated');
    expect(await pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(await undispatched()).toEqual([]);
    expect(await pass()).toEqual({ ...NOTHING, replayed: 1 });
    expect(await undispatched()).toEqual([id]);
    expect(await runRow(id)).toMatchObject({ status: 'pending', processed: false });
  });

  test.each(['request_timeout', 'transport_error', 'internal_error'])(
    'and failed with %s starts again',
    async (errorClass) => {
      const id = await run({ status: 'failed', errorClass });
      expect(await pass()).toEqual({ ...NOTHING, replayed: 1 });
      expect(await undispatched()).toEqual([id]);
    },
  );

  test.each(['model_not_configured', 'structured_validation_failed'])(
    'and failed with %s waits for a person',
    async (errorClass) => {
      const id = await run({ status: 'failed', errorClass });
      expect(await pass()).toEqual(NOTHING);
      expect(await runRow(id)).toMatchObject({ status: 'failed', dispatched: true });
    },
  );

  test('because it was cancelled stays cancelled', async () => {
    const id = await run({ status: 'cancelled' });
    expect(await pass()).toEqual(NOTHING);
    expect(await runRow(id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('idempotency keys', () => {
  async function remember(accountId: string, hoursAgo: number, count: number): Promise<void> {
    const caller = await scene.caller(accountId, { key: `agent-${uuidv7()}` });
    await scene.rows(
      `insert into idempotency_records (account_id, id, credential_id, method, path, key, request_hash, status,
         resource_id, created_at)
       select $1, gen_random_uuid(), $2, 'POST', '/x', 'key' || n, $3, 202, gen_random_uuid(),
         now() - make_interval(hours => $4)
       from generate_series(1, $5) as n`,
      [accountId, caller.credentialId, randomBytes(32), hoursAgo, count],
    );
  }

  test('are deleted after a day, in every account, whatever their number', async () => {
    const other = await scene.account();
    await remember(account, 25, 1_200);
    await remember(other, 25, 3);
    await remember(account, 23, 2);
    expect(await reconcile().forgetIdempotencyKeys(never)).toBe(1_203);
    const left = await scene.rows(
      'select account_id, count(*)::integer as n from idempotency_records group by 1',
    );
    expect(left).toEqual([{ account_id: account, n: 2 }]);
    expect(await reconcile().forgetIdempotencyKeys(never)).toBe(0);
  });
});

test('the walk meets every account once, in order', async () => {
  for (let n = 0; n < 55; n += 1) await scene.account();
  const met: string[] = [];
  let afterId: string | null = null;
  for (;;) {
    const page: readonly string[] = await reconcile().accountsAfter(afterId);
    if (page.length === 0) break;
    met.push(...page);
    afterId = page.at(-1) ?? null;
  }
  const all = await scene.rows('select id from accounts order by id');
  expect(met).toEqual(all.map(({ id }) => id));
});
