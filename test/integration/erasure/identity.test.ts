/** What a person is known by, when she is erased: a row in each place before, none afterwards, and all of another's. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { Scene } from '../observations/scene.ts';
import { request, takeAll } from './erase.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const idOf = ({ peerId, credentialId }: Caller, column: string): string =>
  column === 'peer_id' ? String(peerId) : credentialId;

/** The columns and values of a row beside its account and the person, by the place that is read back. */
const PLACES: Readonly<Record<string, (id: string) => Readonly<Record<string, unknown>>>> = {
  'ask_preferences.peer_id': () => ({ max_per_session: 1, max_per_day: 1 }),
  'browser_sessions.credential_id': () => ({ last_seen_at: new Date() }),
  'grants.peer_id': (id) => ({ id, scope_path: '/', role: 'member' }),
  'idempotency_records.credential_id': (id) => ({
    id,
    method: 'POST',
    path: '/api/v1/ingest',
    key: 'once',
    request_hash: Buffer.alloc(32),
    status: 202,
    resource_id: id,
  }),
  'logins.peer_id': (id) => ({ id, email: `${id}@example.org`, password_hash: 'hash' }),
};

async function introduce(who: Caller): Promise<void> {
  for (const [place, others] of Object.entries(PLACES)) {
    const [table = '', column = ''] = place.split('.');
    const row = { account_id: who.accountId, [column]: idOf(who, column), ...others(uuidv7()) };
    const numbers = Object.keys(row).map((_, at) => `$${at + 1}`);
    await scene.rows(
      `insert into ${table} (${Object.keys(row).join(', ')}) values (${numbers.join(', ')})`,
      Object.values(row),
    );
  }
}

async function placesOf(who: Caller): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of Object.keys(PLACES)) {
    const [table = '', column = ''] = place.split('.');
    const rows = await scene.rows(`select from ${table} where account_id = $1 and ${column} = $2`, [
      who.accountId,
      idOf(who, column),
    ]);
    if (rows.length > 0) found.push(place);
  }
  return found;
}

test('what an erased person was known by goes, also keys of requests and what the browser kept, and that of others stays', async () => {
  const accountId = await scene.account();
  const alice = await scene.caller(accountId, { key: 'alice', kind: 'human' });
  const bob = await scene.caller(accountId, { key: 'bob', kind: 'human' });
  for (const who of [alice, bob]) await introduce(who);
  const runId = await request(scene, accountId, String(alice.peerId), 'proportionate');
  const left = () => new ErasurePagesStore(scene.pool).placesLeft({ accountId, runId });
  const all = Object.keys(PLACES);
  expect(await left()).toEqual(expect.arrayContaining(all));
  await takeAll(scene, { accountId, runId });
  expect(await placesOf(alice)).toEqual([]);
  expect((await left()).filter((place) => all.includes(place))).toEqual([]);
  expect(await placesOf(bob)).toEqual(all);
});
