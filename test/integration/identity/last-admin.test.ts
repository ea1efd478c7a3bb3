/** Nobody can take the last administrator from an account, in one step or in several at once. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Operation } from '../../../operations/operation.ts';
import { erasePeer } from '../../../operations/erasure/erase-peer.ts';
import {
  addGrant,
  changeGrant,
  listGrants,
  removeGrant,
} from '../../../operations/identity/grants.ts';
import { createKey } from '../../../operations/identity/keys.ts';
import { disableUser, removeUser } from '../../../operations/identity/user-access.ts';
import { createUser } from '../../../operations/identity/users.ts';
import { createScene, PASSWORD, type Scene } from './scene.ts';

const FIRST = 'admin@example.org';
const SECOND = 'second@example.org';
let scene: Scene;

beforeEach(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterEach(() => scene.close());

const makeSecond = (scope = '/') =>
  scene.run(createUser, {
    email: SECOND,
    name: 'Second',
    role: 'account-admin',
    scope,
    password: PASSWORD,
  });

async function grantOf(peer: string): Promise<string> {
  const { grants } = await scene.run(listGrants, { peer });
  const [grant] = grants.filter(
    ({ effect, role }) => effect === 'allow' && role === 'account-admin',
  );
  if (grant === undefined) throw new Error('no grant');
  return grant.id;
}

/** Every way to take the administrator `email` away: an operation and its input. */
const WAYS: readonly (readonly [string, (email: string) => Promise<[Operation, object]>])[] = [
  ['disabling the login', async (email) => [disableUser, { email }]],
  ['removing the login', async (email) => [removeUser, { email }]],
  ['removing the grant', async (email) => [removeGrant, { id: await grantOf(email) }]],
  [
    'changing the role',
    async (email) => [changeGrant, { id: await grantOf(email), role: 'curator' }],
  ],
  [
    'denying a role at the root',
    async (peer) => [addGrant, { peer, scope: '/', role: 'reader', effect: 'deny' }],
  ],
  [
    'denying a role at the root alone',
    async (peer) => [
      addGrant,
      { peer, scope: '/', role: 'reader', effect: 'deny', propagate: false },
    ],
  ],
];

const run = ([operation, input]: [Operation, object]) =>
  scene.run(operation, input).then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

/** All that could have changed, and what was recorded of it. */
const state = () =>
  scene.rows(`select
    (select jsonb_agg(to_jsonb(g) order by id) from grants g) as grants,
    (select jsonb_agg(to_jsonb(l) order by id) from logins l) as logins,
    (select count(*) from audit_events) as events`);

describe.each(WAYS)('%s', (_name, way) => {
  test('of the last administrator is refused and changes nothing', async () => {
    const before = await state();
    const [operation, input] = await way(FIRST);
    await expect(scene.run(operation, input)).rejects.toMatchObject({
      code: 'conflict',
      fields: [{ message: expect.stringContaining('last administrator') }],
    });
    expect(await state()).toEqual(before);
  });

  test('of one of two administrators is done, and of two at once only one is', async () => {
    await makeSecond();
    const both = [await way(FIRST), await way(SECOND)];
    const outcomes = await Promise.all(both.map(run));
    expect(outcomes.toSorted()).toEqual(['conflict', 'done']);
  });
});

test('two different ways at once leave one administrator', async () => {
  await makeSecond();
  const ways = [
    ...(await Promise.all(WAYS.map(async ([, way]) => way(FIRST)))),
    ...(await Promise.all(WAYS.map(async ([, way]) => way(SECOND)))),
  ];
  await Promise.all(ways.map(run));
  const left = await scene.rows(`
    select distinct l.email from grants g join logins l on l.peer_id = g.peer_id
    where g.role = 'account_admin' and g.effect = 'allow' and g.scope_path = '/' and l.closed_at is null
      and not exists (select from grants d
        where d.peer_id = g.peer_id and d.effect = 'deny' and d.scope_path = '/')`);
  expect(left).toHaveLength(1);
});

test('an erasure and a removal at once leave one administrator', async () => {
  await makeSecond();
  const sweep = { soon: () => undefined };
  const outcomes = await Promise.all([
    scene.run(erasePeer, { peer: FIRST }, { sweep }).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    ),
    run([disableUser, { email: SECOND }]),
  ]);
  expect(outcomes.toSorted()).toEqual(['conflict', 'done']);
});

test.each([
  ['a key', () => scene.run(createKey, { peer: 'bot', scope: '/', role: 'account-admin' })],
  ['an administrator of a scope below', () => makeSecond('/team')],
  [
    'an administrator who is disabled',
    async () => {
      await makeSecond();
      await scene.run(disableUser, { email: SECOND });
    },
  ],
  [
    'an administrator to whom the root is denied',
    async () => {
      await makeSecond();
      await scene.run(addGrant, { peer: SECOND, scope: '/', role: 'reader', effect: 'deny' });
    },
  ],
])('%s does not stand in for the last administrator', async (_name, prepare) => {
  await prepare();
  expect(await run([disableUser, { email: FIRST }])).toBe('conflict');
});

test('a grant that gives the same once more may go, and one that is none of an administrator', async () => {
  await scene.run(addGrant, { peer: FIRST, scope: '/', role: 'account-admin', propagate: false });
  expect(await run([removeGrant, { id: await grantOf(FIRST) }])).toBe('done');
  expect(await run([removeGrant, { id: await grantOf(FIRST) }])).toBe('conflict');
  const reader = await scene.run(addGrant, { peer: FIRST, scope: '/x', role: 'reader' });
  expect(await run([removeGrant, { id: reader.id }])).toBe('done');
});
