/**
 * What is promised through every door stands in the list, and a database of the day before is held to it: its rows are put
 * back while the service runs, and the list is repeated.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  rmdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { PROMISE_KINDS, type GivenPromise } from '../../domain/promises/kinds.ts';
import { readErasureAsOperator } from '../../operations/erasure/read-as-operator.ts';
import { addGrant, changeGrant, removeGrant } from '../../operations/identity/grants.ts';
import { revokeKey } from '../../operations/identity/keys.ts';
import { rotateKey } from '../../operations/identity/rotate-key.ts';
import {
  changePassword,
  disableUser,
  enableUser,
  removeUser,
} from '../../operations/identity/user-access.ts';
import { repeatPromises } from '../../operations/promises/repeat.ts';
import { readPromiseFiles } from '../../stores/promises/read-file.ts';
import { eventually } from '../support/patience.ts';
import { backUp } from '../support/restored-rows.ts';
import {
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type Body,
  type OwnService,
} from '../support/service.ts';

/** Words that people chose. */
const CANARIES = ['xylorimba', 'zanzibar', 'quokka'] as const;
const folder = mkdtempSync(join(tmpdir(), 'vouch-promises-'));
const file = join(folder, 'promises.jsonl');

let service: OwnService;
let admin: Client;
let restore: () => Promise<void>;
const tokens: Record<string, string> = {};
const ids: Record<string, string> = {};
let given: readonly GivenPromise[] = [];

const post = (token: string, path: string, json: Body = {}, method = 'POST') =>
  service.call({ path, token, method, json });

async function lines(): Promise<readonly GivenPromise[]> {
  const found: GivenPromise[] = [];
  for await (const { read } of readPromiseFiles([file])) {
    if (read.state !== 'promise') throw new Error(`a line that is ${read.state}`);
    found.push(read.promise);
  }
  return found;
}
const repeat = (since?: string) =>
  service.operate(repeatPromises, {
    lines: readPromiseFiles([file]),
    ...(since === undefined ? {} : { since }),
  });

async function said(peer: string, content: string): Promise<string> {
  const told = await service.ingestAndWait(String(tokens['relay']), {
    peer_key: peer,
    session_id: `said-${peer}-${content.length}`,
    content,
  });
  return String(told.knowledge[0]?.['id']);
}

/** What the promises are about, as rows. */
async function standing(): Promise<Record<string, unknown>> {
  const one = async (query: string, ...values: unknown[]) =>
    Object.values((await service.rows(query, values))[0] ?? {})[0] ?? null;
  const state = (name: string) =>
    one(
      `select state || case when is_withheld then ', withheld' else '' end from knowledge where id = $1`,
      ids[name],
    );
  return {
    redacted: await state('redacted'),
    contested: await state('contested'),
    withheld: await state('withheld'),
    rejected: await state('rejected'),
    unshared: await one('select status from consents where knowledge_id = $1', ids['shared']),
    document: await one(
      'select is_withdrawal from document_versions where document_id = $1 order by version desc limit 1',
      ids['document'],
    ),
    denied: await one(
      `select scope_path from grants g join peers p on p.id = g.peer_id where p.key = 'denied' and effect = 'deny'`,
    ),
    removedGrant: await one('select id from grants where id = $1', ids['removed grant']),
    loweredGrant: await one('select role from grants where id = $1', ids['lowered grant']),
    members: await one(
      'select count(*)::integer from circle_members where circle_id = $1',
      ids['circle'],
    ),
    deletedCircle: await one('select id from circles where id = $1', ids['deleted circle']),
    revokedKey: await one(
      'select revoked_at is not null from credentials where id = $1',
      ids['key'],
    ),
    rotatedKey: await one(
      'select revoked_at is not null or expires_at is not null from credentials where id = $1',
      ids['rotated key'],
    ),
    disabled: await one('select closed_at is not null from logins where id = $1', ids['disabled']),
    removed: await one('select email from logins where id = $1', ids['removed']),
    erasing: await one('select erasing_at is not null from peers where id = $1', ids['alice']),
  };
}

const idOf = async (query: string, ...values: unknown[]) =>
  String((await service.rows(query, values))[0]?.['id']);

async function grantOf(peer: string): Promise<string> {
  return idOf('select g.id from grants g join peers p on p.id = g.peer_id where p.key = $1', peer);
}

async function circle(name: string): Promise<string> {
  const members = ['bob', 'carl'];
  const body = { scope_path: '/team', name, members };
  const made = await post(String(tokens['curator']), '/api/v1/governance/circles', body, 'PUT');
  return String(dataOf(made)['id']);
}

/** People and what they said, before the backup. */
async function makeWorld(): Promise<void> {
  const { home } = service;
  await home.preset('unattended');
  tokens['relay'] = (await home.agent('relay')).token;
  for (const name of ['redacted', 'contested', 'withheld', 'rejected', 'shared'])
    ids[name] = await said('bob', `I collect ${name} ${CANARIES[2]} stamps.`);
  await said('alice', `I play the ${CANARIES[0]}.`);
  await said('carl', 'I like tea.');
  tokens['bob'] = await home.person('bob', { peer: 'bob' });
  tokens['alice'] = await home.person('alice', { peer: 'alice' });
  tokens['curator'] = await home.person('curator', { role: 'curator' });
  for (const name of ['disabled', 'removed', 'password', 'denied', 'lowered'])
    tokens[name] = await home.person(name, { role: 'curator' });
  for (const name of ['disabled', 'removed', 'password'])
    ids[name] = await idOf('select id from logins where email = $1', home.emailOf(name));
  ids['alice'] = await idOf(`select id from peers where key = 'alice'`);
  await service.rows(`update peers set key = 'denied' where key = $1`, [home.emailOf('denied')]);
  ids['key'] = (await home.agent('keyed')).id;
  ids['rotated key'] = (await home.agent('rotated')).id;
  ids['removed grant'] = await grantOf('keyed');
  ids['lowered grant'] = await grantOf(home.emailOf('lowered'));
  ids['circle'] = await circle('small');
  ids['deleted circle'] = await circle(`a-${CANARIES[0]}`);
  const uploaded = await post(String(tokens['bob']), '/api/v1/documents', {
    scope_path: '/team',
    media_type: 'text/plain',
    external_id: `${CANARIES[0]}.txt`,
    content_base64: Buffer.from('Carl repairs canoes.').toString('base64'),
  });
  ids['document'] = String(dataOf(uploaded)['document_id']);
  const version = String(dataOf(uploaded)['document_version_id']);
  await eventually(async () => {
    const path = `/api/v1/documents/${version}`;
    return (
      dataOf(await service.call({ path, token: String(tokens['bob']) }))['status'] === 'completed'
    );
  });
  // A question to the subject that only an approval by policy would spare.
  await service.rows(
    `insert into consents (account_id, id, knowledge_id, subject_peer_id, target_scope_id, channel)
     select account_id, $2, id, subject_peer_id, scope_id, 'api' from knowledge where id = $1`,
    [ids['shared'], (ids['consent'] = '01990000-0000-7000-8000-0000000000c0')],
  );
  await service.quiet();
}

/** One act of each kind, by its own door. */
async function promiseAll(): Promise<void> {
  const { home, operate } = service;
  const own = (name: string, action: string) =>
    post(String(tokens['bob']), `/api/v1/self/knowledge/${String(ids[name])}/${action}`);
  const answers = [
    await own('redacted', 'redact'),
    await own('contested', 'contest'),
    await own('rejected', 'contest'),
    await post(String(tokens['curator']), '/api/v1/governance/reviews', {
      knowledge_id: ids['withheld'],
      reason: `${CANARIES[1]} says otherwise`,
      withhold: true,
    }),
    await post(String(tokens['bob']), `/api/v1/self/consents/${String(ids['consent'])}`, {
      decision: 'deny',
    }),
    await service.call({
      method: 'DELETE',
      path: `/api/v1/documents/${String(ids['document'])}`,
      token: String(tokens['bob']),
    }),
    await post(
      String(tokens['curator']),
      '/api/v1/governance/circles',
      { scope_path: '/team', name: 'small', remove: ['carl'] },
      'PUT',
    ),
    await service.call({
      method: 'DELETE',
      path: `/api/v1/governance/circles?scope_path=/team&name=a-${CANARIES[0]}`,
      token: String(tokens['curator']),
    }),
  ];
  const item = await idOf(
    `select id from review_items where knowledge_id = $1 and kind = 'contest'`,
    ids['rejected'],
  );
  const [row] = await service.rows('select version from review_items where id = $1', [item]);
  answers.push(
    await post(String(tokens['curator']), `/api/v1/governance/reviews/${item}/reject`, {
      version: row?.['version'],
    }),
  );
  expect(answers.map(({ status, text }) => (status < 300 ? 'ok' : text))).toEqual(
    answers.map(() => 'ok'),
  );
  const account = home.key;
  await operate(addGrant, {
    account,
    peer: 'denied',
    scope: `/team/${CANARIES[1]}`,
    role: 'reader',
    effect: 'deny',
  });
  await operate(removeGrant, { account, id: ids['removed grant'] });
  await operate(changeGrant, { account, id: ids['lowered grant'], role: 'reader' });
  await operate(revokeKey, { account, id: ids['key'] });
  await operate(rotateKey, { account, id: ids['rotated key'], grace_seconds: 3600 });
  await operate(disableUser, { account, email: home.emailOf('disabled') });
  await operate(removeUser, { account, email: home.emailOf('removed') });
  await operate(changePassword, {
    account,
    email: home.emailOf('password'),
    password: 'another horse battery',
  });
  const erasure = await post(String(tokens['alice']), '/api/v1/self/erasure', { mode: 'strict' });
  ids['erasure'] = String(dataOf(erasure)['id']);
}

const erased = () =>
  eventually(async () => {
    const found = await service.operate(readErasureAsOperator, {
      account: service.home.key,
      id: ids['erasure'],
    });
    return found.state === 'completed' && found;
  });

beforeAll(async () => {
  service = await startOwnService({
    SERVICE_ERASURE_SETTLE_SECONDS: '0',
    SERVICE_PROMISES_FILE: file,
    SERVICE_RECEIPT_KEY_FILE: join(folder, 'receipt-key.pem'),
  });
  const [{ name } = {}] = await service.rows('select current_database() as name');
  const { postgresAdminUrl } = (await import('../support/environment.ts')).testServers();
  admin = new Client({ connectionString: `${postgresAdminUrl}/${String(name)}` });
  await admin.connect();
  await makeWorld();
  expect(existsSync(file)).toBe(false);
  restore = await backUp(admin);
  await promiseAll();
  given = await lines();
});
afterAll(async () => {
  await admin.end();
  await closeWithoutErrors(service);
  rmSync(folder, { recursive: true, force: true });
});

const KEPT = {
  redacted: 'redacted',
  contested: 'contested',
  withheld: 'held, withheld',
  rejected: 'rejected',
  unshared: 'denied',
  document: true,
  denied: `/team/${CANARIES[1]}`,
  removedGrant: null,
  loweredGrant: 'reader',
  members: 1,
  deletedCircle: null,
  revokedKey: true,
  rotatedKey: true,
  disabled: true,
  removed: null,
  erasing: true,
};

describe('the list of promises', () => {
  test('has every kind, in ids, times and words of closed lists', async () => {
    expect(new Set(given.map(({ kind }) => kind))).toEqual(new Set(PROMISE_KINDS));
    expect(await standing()).toEqual(KEPT);
    const text = readFileSync(file, 'utf8');
    for (const canary of CANARIES) expect(text).not.toContain(canary);
    expect(text).not.toContain('@');
  });

  test('names an event of the same transaction, which the database that did it knows', async () => {
    const report = await repeat();
    const done = Object.values(report.kinds).map((kind) => kind.done + kind.unknown);
    expect(done.every((number) => number === 0)).toBe(true);
  });

  test('begins an erasure again where its run begins, in the same words', async () => {
    await erased();
    const again = (await lines()).filter(({ kind }) => kind === 'erasure');
    expect(again.length).toBeGreaterThan(1);
    expect(new Set(again.map(({ event_id, given_at }) => `${event_id} ${given_at}`)).size).toBe(1);
  });

  test('does not name what was refused', async () => {
    const before = await lines();
    await expect(
      service.operate(disableUser, { account: service.home.key, email: service.home.adminEmail }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await lines()).toEqual(before);
  });
});

describe('an act that cannot be promised', () => {
  test('is refused as unavailable and changes nothing, until it can', async () => {
    const { home, operate } = service;
    renameSync(file, `${file}.aside`);
    mkdirSync(file);
    chmodSync(file, 0o700);
    const email = home.emailOf('curator');
    await expect(operate(disableUser, { account: home.key, email })).rejects.toMatchObject({
      code: 'unavailable',
    });
    const closed = async () =>
      (await service.rows('select closed_at from logins where email = $1', [email]))[0]?.[
        'closed_at'
      ];
    expect(await closed()).toBeNull();
    expect(await service.forgiveErrors()).toEqual([
      expect.stringContaining('promises.write_failed'),
    ]);
    rmdirSync(file);
    renameSync(`${file}.aside`, file);
    await operate(disableUser, { account: home.key, email });
    expect(await closed()).not.toBeNull();
    await operate(enableUser, { account: home.key, email });
  });
});

describe('a database of the day before', () => {
  test('is held to all of it, and as often as the list is repeated', async () => {
    await restore();
    expect(await standing()).not.toEqual(KEPT);
    const report = await repeat();
    expect(report).toMatchObject({ cut: 0, other_accounts: 0, not_understood: { lines: 0 } });
    // The path of the denied place is in no row of that day: nobody could say which place it was.
    expect(report.denied_everywhere).toHaveLength(1);
    expect(report.accounts_without_admin).toEqual([]);
    for (const kind of PROMISE_KINDS)
      expect([kind, report.kinds[kind]?.done]).toEqual([kind, expect.any(Number)]);
    for (const kind of PROMISE_KINDS) expect(report.kinds[kind]?.done).toBeGreaterThan(0);
    expect(await standing()).toEqual({ ...KEPT, denied: '/' });
    const again = await repeat();
    expect(Object.values(again.kinds).every(({ done }) => done === 0)).toBe(true);
    expect(await standing()).toEqual({ ...KEPT, denied: '/' });
  });

  test('has the repetition on the record, under the events of the list', async () => {
    const events = await service.rows(
      `select id from audit_events where action = 'promise.repeated' and id = any($1)`,
      [given.map(({ event_id: id }) => id)],
    );
    expect(events.length).toBe(new Set(given.map(({ event_id: id }) => id)).size);
  });

  test('lets nobody in with the password before, and ends the erasure with the same request', async () => {
    const email = service.home.emailOf('password');
    const answer = await service.call({
      path: '/api/auth/password',
      json: { email, password: 'correct horse battery' },
    });
    expect(answer.status).toBe(401);
    const { receipt } = await erased();
    expect(receipt?.body).toMatchObject({ erasure_id: ids['erasure'], mode: 'strict' });
    const asked = given.find(({ kind }) => kind === 'erasure');
    expect(receipt?.body.requested_at).toBe(asked?.given_at);
  });

  test('keeps what was decided after the repetition, however often the list is repeated', async () => {
    const { home, operate } = service;
    await operate(enableUser, { account: home.key, email: home.emailOf('disabled') });
    await repeat();
    expect((await standing())['disabled']).toBe(false);
  });

  test('is not asked for what was promised before a time', async () => {
    const report = await repeat('2099-01-01T00:00:00.000Z');
    expect(report.before_since).toBeGreaterThan(PROMISE_KINDS.length);
    expect(Object.values(report.kinds).every(({ already }) => already === 0)).toBe(true);
  });
});
