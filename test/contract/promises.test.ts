/**
 * What is promised through every door stands in the list, and a database of the day before is held to it: its rows are put
 * back while the service runs, and the list is repeated.
 */
import {
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
import { disableUser, enableUser } from '../../operations/identity/user-access.ts';
import { repeatPromises } from '../../operations/promises/repeat.ts';
import { readPromiseFiles } from '../../stores/promises/read-file.ts';
import { testServers } from '../support/environment.ts';
import { eventually } from '../support/patience.ts';
import { backUp } from '../support/restored-rows.ts';
import { closeWithoutErrors, startOwnService, type OwnService } from '../support/service.ts';
import {
  CANARIES,
  makePromisedWorld,
  type PromisedIds,
  type PromisedWorld,
} from './promised-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-promises-'));
const file = join(folder, 'promises.jsonl');

let service: OwnService;
let admin: Client;
let restore: () => Promise<void>;
let ids: PromisedIds;
let standing: PromisedWorld['standing'];
let given: readonly GivenPromise[] = [];

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
  admin = new Client({ connectionString: `${testServers().postgresAdminUrl}/${String(name)}` });
  await admin.connect();
  const world = await makePromisedWorld(service);
  ids = world.ids;
  standing = () => world.standing();
  expect(existsSync(file)).toBe(false);
  restore = await backUp(admin);
  await world.promiseAll();
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
  takenBack: 'held, withheld',
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
    const { home } = service;
    renameSync(file, `${file}.aside`);
    mkdirSync(file);
    const email = home.emailOf('curator');
    await expect(service.operate(disableUser, { account: home.key, email })).rejects.toMatchObject({
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
    await service.operate(disableUser, { account: home.key, email });
    expect(await closed()).not.toBeNull();
    await service.operate(enableUser, { account: home.key, email });
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
    const { home } = service;
    await service.operate(enableUser, { account: home.key, email: home.emailOf('disabled') });
    await repeat();
    expect((await standing())['disabled']).toBe(false);
  });

  test('is not asked for what was promised before a time', async () => {
    const report = await repeat('2099-01-01T00:00:00.000Z');
    expect(report.before_since).toBeGreaterThan(PROMISE_KINDS.length);
    expect(Object.values(report.kinds).every(({ already }) => already === 0)).toBe(true);
  });
});
