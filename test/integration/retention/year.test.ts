/** What a pass leaves of the rows of more than a year, and of eleven: what is spared is there, what is due is gone. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { TRANSIENT_CLASSES } from '../../../domain/error-class.ts';
import { execute } from '../../../operations/execute.ts';
import { readExtractionEvidence } from '../../../operations/extraction/evidence.ts';
import { Scene } from '../observations/scene.ts';
import {
  addBudget,
  addCalls,
  addHistory,
  addRuns,
  addScope,
  addStatement,
  left,
  prune,
  range,
  retentionOf,
  told,
} from './world.ts';

/** Half days, so that no row stands at the very end of its time. */
const YEAR = range(0.5, 449.5);
const upTo = (days: readonly number[], kept: number) => days.filter((day) => day < kept);

let scene: Scene;
let account: string;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
});

describe('calls of the ledger', () => {
  const extractor = { role: 'ingest_extractor', days: YEAR };
  let scopes: Record<'free' | 'young' | 'open' | 'shut' | 'past' | 'deep' | 'late', string>;
  let pruned: Awaited<ReturnType<typeof prune>>;

  beforeEach(async () => {
    const paths = ['free', 'young', 'open', 'shut', 'past', 'late'] as const;
    const made: string[] = [];
    for (const path of paths) made.push(await addScope(scene, account, `/${path}`));
    const [free = '', young = '', open = '', shut = '', past = '', late = ''] = made;
    scopes = { free, young, open, shut, past, late, deep: '' };
    scopes.deep = await addScope(scene, account, '/open/a/b');
    const governed = await addBudget(scene, account, '/open', { closed: null, deadline: -9 });
    await addBudget(scene, account, '/shut', { closed: 401, deadline: -9 });
    await addBudget(scene, account, '/past', { closed: null, deadline: 401 });
    await addBudget(scene, account, '/late', { closed: 399, deadline: 500 });
    const add = (calls: Parameters<typeof addCalls>[2]) => addCalls(scene, account, calls);
    await add({ what: 'embedder', days: YEAR });
    await add({ what: 'failed', state: 'error', days: YEAR });
    await add({ what: 'never sent', state: 'cancelled', days: YEAR });
    await add({ what: 'reserved', state: 'reserved', days: YEAR });
    await add({ what: 'dispatched', state: 'dispatched', days: YEAR });
    await add({ what: 'campaign', campaign: true, scope: free, ...extractor });
    await add({ what: 'dream', role: 'dream_reasoner', scope: young, days: [401.5, 1.5] });
    await add({ what: 'free', scope: free, ...extractor });
    await add({ what: 'young', scope: young, role: 'ingest_extractor', days: upTo(YEAR, 390) });
    await add({ what: 'open', scope: open, ...extractor });
    await add({ what: 'deep', scope: scopes.deep, ...extractor });
    await add({ what: 'governed', budget: governed, ...extractor });
    await add({ what: 'shut', scope: shut, ...extractor });
    await add({ what: 'past', scope: past, ...extractor });
    await add({ what: 'late', scope: late, ...extractor });
    pruned = await prune(retentionOf(scene), account);
  });

  test('go after 400 days, but for open ones, those of campaigns, and those below a budget that is not closed for as long', async () => {
    const kept = upTo(YEAR, 400);
    expect(await left(scene, account, 'provider_attempts')).toEqual({
      embedder: kept,
      failed: kept,
      'never sent': kept,
      reserved: YEAR,
      dispatched: YEAR,
      campaign: YEAR,
      dream: [1.5],
      free: kept,
      young: upTo(YEAR, 390),
      open: YEAR,
      deep: YEAR,
      governed: YEAR,
      shut: kept,
      past: kept,
      late: YEAR,
    });
    // Six kinds of calls went for 50 days, and one call of a dream; days of use went with them.
    expect(pruned).toMatchObject({ attempts: 6 * 50 + 1 });
    expect(await told(scene, account)).toEqual([pruned]);
  });

  test('leave their mark on the scopes whose extraction they were, and on no other', async () => {
    const rows = await scene.rows('select scope_id from pruned_scopes where account_id = $1', [
      account,
    ]);
    const marked = new Set(rows.map((row) => row['scope_id']));
    expect(marked).toEqual(new Set([scopes.free, scopes.shut, scopes.past]));
  });

  test('are missed by the evidence of exactly these scopes and of those above them', async () => {
    const admin = await scene.caller(account, { key: 'boss', role: 'account_admin' });
    const reasonsAt = async (root: string) => {
      const { accounting } = await execute(readExtractionEvidence, scene.context(admin), {
        scope_root: root,
      });
      return accounting;
    };
    for (const root of ['/free', '/shut', '/past', '/']) {
      const { complete, reasons, requests_complete, tokens_complete } = await reasonsAt(root);
      expect([root, complete, requests_complete, tokens_complete]).toEqual([
        root,
        false,
        false,
        false,
      ]);
      expect(reasons).toContain('retention_pruned');
    }
    for (const root of ['/young', '/open', '/open/a/b', '/late']) {
      expect((await reasonsAt(root)).reasons).not.toContain('retention_pruned');
    }
  });
});

describe('runs', () => {
  test('go 30 days after their end, but for open ones and those that come back', async () => {
    const days = range(0.5, 364.5);
    const kept = upTo(days, 30);
    const add = (runs: Parameters<typeof addRuns>[2]) => addRuns(scene, account, runs);
    const regate = { kind: 'regate', days };
    for (const status of ['completed', 'cancelled', 'discarded', 'pending', 'running']) {
      await add({ ...regate, what: status, status });
    }
    await add({ ...regate, what: 'poison', status: 'failed', error: 'provider_content_filtered' });
    await add({ ...regate, what: 'unsaid', status: 'failed' });
    for (const error of TRANSIENT_CLASSES) {
      await add({ ...regate, what: error, status: 'failed', error });
    }
    await add({ ...regate, what: 'earlier build', status: 'cancelled', endIsUnsaid: true });
    await add({ what: 'campaign', kind: 'campaign', status: 'completed', days });
    for (const kind of ['contest', 'erasure', 'import_rebuild']) {
      await add({ what: `${kind} done`, kind, status: 'completed', days });
      for (const status of ['cancelled', 'discarded']) {
        await add({ what: `${kind} ${status}`, kind, status, days });
      }
      await add({
        what: `${kind} failed`,
        kind,
        status: 'failed',
        error: 'source_too_large',
        days,
      });
    }
    expect(await prune(retentionOf(scene), account)).toEqual({ runs: 9 * 335 });
    const comesBack = ['contest', 'erasure', 'import_rebuild'].flatMap((kind) => [
      [`${kind} done`, kept],
      ...['cancelled', 'discarded', 'failed'].map((status) => [`${kind} ${status}`, days]),
    ]);
    expect(await left(scene, account, 'pipeline_runs')).toEqual({
      ...Object.fromEntries(comesBack),
      ...Object.fromEntries([...TRANSIENT_CLASSES, 'pending', 'running'].map((one) => [one, days])),
      completed: kept,
      cancelled: kept,
      discarded: kept,
      poison: kept,
      unsaid: kept,
      'earlier build': kept,
      campaign: days,
    });
  });

  test('of a decision that is still to be carried out stay', async () => {
    const { peerId } = await scene.caller(account, { key: 'ada', kind: 'human' });
    const statement = await addStatement(scene, account, peerId ?? '', 'held');
    const item = uuidv7();
    await scene.rows(
      `insert into review_items (account_id, id, knowledge_id, scope_id, subject_peer_id, has_audience, kind, reason, target_level, due_at)
       select $1, $2, $3, id, $4, false, 'gate_a_b', 'rule', 'peer', now() from scopes where account_id = $1 and path = '/'`,
      [account, item, statement, peerId],
    );
    await addRuns(scene, account, {
      what: 'decision',
      kind: 'decision',
      status: 'cancelled',
      target: item,
      days: [40, 41],
    });
    await scene.rows(
      `insert into scheduled_decisions (account_id, review_item_id, run_id, action, version, decided_by, credential_id, due_at)
       select $1, $2, id, 'approve', 1, $3, uuidv7(), now() from pipeline_runs
       where account_id = $1 and trace_id = 'decision/40'`,
      [account, item, peerId],
    );
    expect(await prune(retentionOf(scene), account)).toEqual({ runs: 1 });
    expect(await left(scene, account, 'pipeline_runs')).toEqual({ decision: [40] });
  });
});

test('decisions of gates and changes of state go after ten years, and nothing else of a statement goes', async () => {
  const { peerId } = await scene.caller(account, { key: 'ada', kind: 'human' });
  const statement = await addStatement(scene, account, peerId ?? '');
  const revised = await addStatement(scene, account, peerId ?? '', 'superseded');
  const days = range(0.5, 11 * 365 + 0.5, 10);
  await addHistory(scene, account, statement, days);
  await addHistory(scene, account, revised, [4_000.5], 'document_revised');
  await addHistory(scene, account, statement, [4_001.5], 'document_revised');
  const due = days.length - upTo(days, 3_650).length;
  expect(due).toBeGreaterThan(30);
  expect(await prune(retentionOf(scene), account)).toEqual({
    gate_decisions: due + 2,
    // A document ended the other statement, which is ended: it may come back.
    lifecycle_events: due + 1,
  });
  const counts = await scene.rows(
    `select (select count(*)::int from gate_decisions where account_id = $1) as decisions,
       (select count(*)::int from lifecycle_events where account_id = $1) as events,
       (select count(*)::int from knowledge where account_id = $1) as statements`,
    [account],
  );
  const kept = upTo(days, 3_650).length;
  expect(counts).toEqual([{ decisions: kept, events: kept + 1, statements: 2 }]);
});

describe('tokens and sessions of people', () => {
  interface Token {
    readonly kind: 'password_token' | 'browser_session' | 'bootstrap_token';
    /** Days ago. */
    readonly expired: number;
    readonly revoked?: number;
  }
  let login: string;
  let peer: string;

  beforeEach(async () => {
    const { peerId } = await scene.caller(account, { key: 'ada', kind: 'human' });
    peer = peerId ?? '';
    login = uuidv7();
    await scene.rows(
      `insert into logins (account_id, id, peer_id, email, password_hash) values ($1, $2::uuid, $3, $2::uuid || '@x', 'h')`,
      [account, login, peer],
    );
  });

  async function token({ expired, kind, revoked }: Token): Promise<string> {
    const [row] = await scene.rows(
      `with made as (
         insert into credentials (account_id, id, kind, secret_hash, peer_id, login_id, login_epoch, expires_at, revoked_at,
           created_at)
         select $1, uuidv7(make_interval(hours => -24 * $5 - 12)), $2::credential_kind, $3, $4, $6, 0,
           now() - make_interval(days => $7), now() - make_interval(days => $8), now() - make_interval(hours => 24 * $5 + 12)
         returning account_id, id, kind)
       , opened as (
         insert into browser_sessions (account_id, credential_id, last_seen_at)
         select account_id, id, now() from made where kind = 'browser_session')
       select id from made`,
      [
        account,
        kind,
        randomBytes(32),
        peer,
        Math.max(expired, revoked ?? 0),
        login,
        expired,
        revoked ?? null,
      ],
    );
    return String(row?.['id']);
  }

  const tokensLeft = async () => {
    const rows = await scene.rows('select id from credentials where account_id = $1', [account]);
    return rows.map((row) => String(row['id']));
  };

  test('go 30 days after their end, however they ended; keys stay', async () => {
    const [key] = await tokensLeft();
    const kept = [
      await token({ kind: 'password_token', expired: 29 }),
      await token({ kind: 'browser_session', expired: -1, revoked: 29 }),
      await token({ kind: 'browser_session', expired: -1 }),
    ];
    await token({ kind: 'password_token', expired: 31 });
    await token({ kind: 'bootstrap_token', expired: 31 });
    await token({ kind: 'browser_session', expired: 31 });
    await token({ kind: 'password_token', expired: -1, revoked: 31 });
    await scene.rows(
      `update credentials set revoked_at = now() - interval '2 years' where account_id = $1 and kind = 'api_key'`,
      [account],
    );
    expect(await prune(retentionOf(scene), account)).toEqual({ tokens: 4 });
    expect(new Set(await tokensLeft())).toEqual(new Set([key, ...kept]));
  });

  test('stay while a row needs them', async () => {
    const granted = await token({ kind: 'password_token', expired: 31 });
    const repeated = await token({ kind: 'password_token', expired: 31 });
    await scene.rows(
      `insert into grants (account_id, id, credential_id, scope_path, role, effect, propagate)
       values ($1, uuidv7(), $2, '/', 'reader', 'allow', true)`,
      [account, granted],
    );
    await scene.rows(
      `insert into idempotency_records (account_id, id, credential_id, method, path, key, request_hash, status, resource_id)
       values ($1, uuidv7(), $2, 'POST', '/x', 'k', sha256('x'), 202, uuidv7())`,
      [account, repeated],
    );
    expect(await prune(retentionOf(scene), account)).toEqual({});
    expect(await told(scene, account)).toEqual([]);
    await scene.rows('delete from grants where credential_id = $1', [granted]);
    expect(await prune(retentionOf(scene), account)).toEqual({ tokens: 1 });
    expect(await tokensLeft()).toContain(repeated);
  });

  test('stay while a question that was put to them is open', async () => {
    const asked = await token({ kind: 'browser_session', expired: 31 });
    const statement = await addStatement(scene, account, peer);
    const [session, question] = [uuidv7(), uuidv7()];
    await scene.rows(
      "insert into sessions (account_id, id, external_id, shard) values ($1, $2, 's', 0)",
      [account, session],
    );
    await scene.rows(
      `insert into questions (account_id, id, knowledge_id, scope_id, peer_id, kind, statement_hash, opened_at, deadline_at)
       select $1, $2, $3, id, $4, 'confirm', sha256('x'), now(), now() from scopes where account_id = $1 and path = '/'`,
      [account, question, statement, peer],
    );
    await scene.rows(
      `insert into question_deliveries (account_id, id, question_id, session_id, peer_id, credential_id, operation,
         delivered_at)
       select account_id, uuidv7(), $2, $3, $4, id, 'search', created_at + interval '1 minute'
       from credentials where id = $1`,
      [asked, question, session, peer],
    );
    expect(await prune(retentionOf(scene), account)).toEqual({});
    await scene.rows(
      "update questions set ended_at = now(), end_reason = 'answered' where id = $1",
      [question],
    );
    expect(await prune(retentionOf(scene), account)).toEqual({ tokens: 1 });
  });
});

test('for ever is for ever', async () => {
  await addCalls(scene, account, { what: 'embedder', days: [3_000] });
  await addRuns(scene, account, {
    what: 'run',
    kind: 'regate',
    status: 'completed',
    days: [3_000],
  });
  const { peerId } = await scene.caller(account, { key: 'ada', kind: 'human' });
  await addHistory(scene, account, await addStatement(scene, account, peerId ?? ''), [9_000]);
  const forEver = { runs: null, usage: null, decisions: null, tokens: null };
  expect(await prune(retentionOf(scene, forEver), account)).toEqual({});
  expect(await prune(retentionOf(scene), account)).toMatchObject({
    attempts: 1,
    runs: 1,
    gate_decisions: 1,
    lifecycle_events: 1,
  });
});
