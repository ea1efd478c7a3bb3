/** What a person is known by, when she is erased: a row in each place before, none afterwards, and all of another's. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ROOT_PATH } from '../../../domain/scopes/path.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
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

test('an erased person leaves every circle, page by page, and whom she added stays without her name', async () => {
  const accountId = await scene.account();
  const alice = await scene.caller(accountId, { key: 'alice', kind: 'human' });
  const bob = await scene.caller(accountId, { key: 'bob', kind: 'human' });
  await scene.rows(
    `with made as (
       insert into circles (account_id, id, scope_id, name)
       select $1, gen_random_uuid(), s.id, 'circle ' || n
       from scopes s, generate_series(1, 5) n where s.account_id = $1 and s.path = '/' returning id)
     insert into circle_members (account_id, circle_id, peer_id, added_by_peer_id)
     select $1, made.id, peer.id, $2::uuid from made, unnest(array[$2, $3]::uuid[]) as peer (id)`,
    [accountId, alice.peerId, bob.peerId],
  );
  const runId = await request(scene, accountId, String(alice.peerId), 'proportionate');
  const left = async () =>
    (await new ErasurePagesStore(scene.pool).placesLeft({ accountId, runId })).filter((place) =>
      place.startsWith('circle_members.'),
    );
  expect(await left()).toEqual(['circle_members.peer_id', 'circle_members.added_by_peer_id']);
  await takeAll(scene, { accountId, runId }, 2);
  expect(await left()).toEqual([]);
  expect(
    await scene.rows(
      `select peer_id, added_by_peer_id, count(*)::integer as circles from circle_members
       where account_id = $1 group by 1, 2`,
      [accountId],
    ),
  ).toEqual([{ peer_id: bob.peerId, added_by_peer_id: null, circles: 5 }]);
});

test('what an erased person asked to be forgotten stays forgotten, without her name, page by page', async () => {
  const accountId = await scene.account();
  const alice = await scene.caller(accountId, { key: 'alice', kind: 'human' });
  const bob = await scene.caller(accountId, { key: 'bob', kind: 'human' });
  await scene.rows(
    `with made as (
       insert into forget_holds (account_id, id, scope_id, requester_peer_id, credential_id, kind, state, is_acting, sealed_key,
         due_at, decided_at, decided_by)
       select $1, gen_random_uuid(), s.id, asked.by, $4, 'own', 'upheld', true, decode(repeat('00', 32), 'hex'), now(), now(),
         asked.decided
       from scopes s, generate_series(1, 5) n,
         (values ($2::uuid, $3::uuid), ($3::uuid, $2::uuid)) as asked (by, decided)
       where s.account_id = $1 and s.path = '/' returning id)
     insert into masked_values (account_id, hold_id, hash, hint, opens_door, is_specific, is_stated)
     select $1, made.id, sha256('4471'), 7, true, true, false from made`,
    [accountId, alice.peerId, bob.peerId, alice.credentialId],
  );
  const runId = await request(scene, accountId, String(alice.peerId), 'proportionate');
  const left = async () =>
    (await new ErasurePagesStore(scene.pool).placesLeft({ accountId, runId })).filter((place) =>
      place.startsWith('forget_holds.'),
    );
  expect(await left()).toEqual(['forget_holds.requester_peer_id', 'forget_holds.decided_by']);
  await takeAll(scene, { accountId, runId }, 2);
  expect(await left()).toEqual([]);
  expect(
    await scene.rows(
      `select requester_peer_id, decided_by, is_acting, count(*)::integer as holds,
         (select count(*)::integer from masked_values v where v.account_id = $1) as values
       from forget_holds where account_id = $1 group by 1, 2, 3 order by requester_peer_id nulls first`,
      [accountId],
    ),
  ).toEqual([
    { requester_peer_id: null, decided_by: bob.peerId, is_acting: true, holds: 5, values: 10 },
    { requester_peer_id: bob.peerId, decided_by: null, is_acting: true, holds: 5, values: 10 },
  ]);
});

test('nobody becomes a member of a circle while her erasure runs', async () => {
  const accountId = await scene.account();
  const alice = await scene.caller(accountId, { key: 'alice', kind: 'human' });
  const circleId = await createInAccount(scene.pool)(accountId, async ({ circles, scopes }) =>
    circles.insert(await scopes.ensureChain(ROOT_PATH), 'late'),
  );
  await request(scene, accountId, String(alice.peerId), 'proportionate');
  const adding = createInAccount(scene.pool)(accountId, ({ circles }) =>
    circles.addMembers(circleId, [String(alice.peerId)], null),
  );
  await expect(adding).rejects.toMatchObject({ constraint: 'peer_is_not_being_erased' });
});

test('a member whose erasure runs is shown no more, neither as a member nor as who added others', async () => {
  const accountId = await scene.account();
  const alice = await scene.caller(accountId, { key: 'alice', kind: 'human' });
  const bob = await scene.caller(accountId, { key: 'bob', kind: 'human' });
  const inAccount = createInAccount(scene.pool);
  const ids = [String(alice.peerId), String(bob.peerId)];
  const id = await inAccount(accountId, async ({ circles, scopes }) => {
    const made = await circles.insert(await scopes.ensureChain(ROOT_PATH), 'leaving');
    await circles.addMembers(made, ids, alice.peerId);
    return made;
  });
  const shown = () =>
    inAccount(accountId, async ({ circles }) => {
      const page = {
        curatedScopeIds: null,
        otherScopeIds: [],
        peerId: null,
        after: null,
        limit: 9,
      };
      const [listed] = await circles.list(page);
      const members = await circles.members(id);
      return [listed?.member_count, ...members.map((row) => [row.peer_key, row.added_by_peer_key])];
    });
  expect(await shown()).toEqual([2, ['alice', 'alice'], ['bob', 'alice']]);
  await request(scene, accountId, String(alice.peerId), 'proportionate');
  expect(await shown()).toEqual([1, ['bob', null]]);
});

test('an erased person leaves every audience, which stays one, and is no longer meant by the names that are left', async () => {
  const accountId = await scene.account();
  const agent = await scene.caller(accountId, { key: 'agent' });
  const alice = await scene.caller(accountId, { key: 'alice', kind: 'human' });
  const audiences = () =>
    scene.rows(
      `select a.id, array(select p.key from audience_members m join peers p on p.id::text = m.principal
         where m.audience_id = a.id order by 1) as names
       from audiences a where a.account_id = $1 order by a.id`,
      [accountId],
    );
  const said = { peer_key: 'bob', content: 'I keep bees.' };
  for (const peers of [['alice', 'carol'], ['alice'], ['carol', 'dora']]) {
    await scene.ingest(agent, { ...said, audience: { peers } });
  }
  const runId = await request(scene, accountId, String(alice.peerId), 'proportionate');
  const left = () => new ErasurePagesStore(scene.pool).placesLeft({ accountId, runId });
  expect(await left()).toContain('audience_members.principal');
  await takeAll(scene, { accountId, runId }, 1);
  expect(await left()).not.toContain('audience_members.principal');
  const before = await audiences();
  expect(before.map(({ names }) => names)).toEqual([['carol'], [], ['carol', 'dora']]);
  await scene.ingest(agent, { ...said, audience: { peers: ['carol'] } });
  await scene.ingest(agent, { ...said, audience: { peers: ['dora', 'carol'] } });
  await scene.ingest(agent, { ...said, audience: {} });
  const added = (await audiences()).slice(before.length);
  expect(added.map(({ names }) => names)).toEqual([['carol'], []]);
});

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
