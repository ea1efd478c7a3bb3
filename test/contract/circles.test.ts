/** Circles over HTTP: made, changed, shown and deleted, by whom and for whom. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestAccount } from '../support/account.ts';
import { dataOf, startService, type Body, type Service } from '../support/service.ts';
import { exactly, refusal } from './answers.ts';

const PATH = '/api/v1/governance/circles';
const NOWHERE = '01990000-0000-7000-8000-000000000000';

let service: Service;
let account: TestAccount;
/** Curator of `/team` alone. */
let curator: string;
let curatorKey: string;
/** Members, whom nobody made curators. */
let ana: string;
let anaKey: string;
let ben: string;
let benKey: string;

beforeAll(async () => {
  service = await startService();
  account = await service.account('circles');
  curator = await account.person('curator', { role: 'curator', scope: '/team' });
  ana = await account.person('ana', { role: 'reader' });
  ben = await account.person('ben', { role: 'reader' });
  [curatorKey, anaKey, benKey] = ['curator', 'ana', 'ben'].map((name) => account.emailOf(name)) as [
    string,
    string,
    string,
  ];
});
afterAll(() => service.close());

const put = (json: Body, token = curator) =>
  service.call({ method: 'PUT', path: PATH, token, json: { scope_path: '/team', ...json } });
const made = async (json: Body, token = curator): Promise<Body> => dataOf(await put(json, token));
const remove = (name: string, token = curator, scope = '/team') =>
  service.call({
    method: 'DELETE',
    path: `${PATH}?${new URLSearchParams({ scope_path: scope, name }).toString()}`,
    token,
  });
const read = (id: unknown, token: string) => service.call({ path: `${PATH}/${String(id)}`, token });
const list = (query: string, token: string) => service.call({ path: `${PATH}?${query}`, token });
const rowsIn = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? value.map((row): Body => Object(row)) : [];
const namesFor = async (token: string, scope = '/team'): Promise<unknown[]> =>
  rowsIn(dataOf(await list(`limit=100&scope_path=${scope}`, token))['items']).map(
    ({ name }) => name,
  );
const keysIn = (circle: Body): unknown[] =>
  rowsIn(circle['members']).map(({ peer_key: key }) => key);
const events = async (id: unknown) =>
  service.rows(
    `select action, metadata, actor_peer_id from audit_events
     where account_id = $1 and resource_type = 'circle' and resource_id = $2 order by id`,
    [account.id, id],
  );

describe('putting', () => {
  test('makes a circle with its scope, replaces its members, and says whether it changed anything', async () => {
    const asked = { scope_path: '/team/new', name: ' care team ', members: [anaKey, benKey] };
    const circle = await made(asked);
    expect(circle).toMatchObject({ scope_path: '/team/new', name: 'care team', changed: true });
    expect(keysIn(circle)).toEqual([anaKey, benKey]);
    expect(await made(asked)).toEqual({ ...circle, changed: false });
    const next = await made({ ...asked, members: [benKey] });
    expect(next).toMatchObject({ id: circle['id'], changed: true });
    expect(keysIn(next)).toEqual([benKey]);
  });

  test('refuses a circle that exists where only a new one is wanted', async () => {
    const asked = { name: 'once', members: [anaKey], only_new: true };
    await made(asked);
    expect(refusal(await put({ ...asked, members: [] }))).toEqual([409, 'conflict', 'name']);
    expect(keysIn(await made({ name: 'once', add: [anaKey] }))).toEqual([anaKey]);
  });

  test('adds and removes single members of a circle that exists, and leaves the others as they are', async () => {
    const { id, members } = await made({ name: 'single', members: [anaKey] });
    const more = await made({ name: 'single', add: [benKey, anaKey] });
    expect(rowsIn(more['members'])[0]).toEqual(rowsIn(members)[0]);
    expect(keysIn(more)).toEqual([anaKey, benKey]);
    const less = await made({ name: 'single', remove: [anaKey] });
    expect([less['id'], keysIn(less)]).toEqual([id, [benKey]]);
    expect(refusal(await put({ name: 'not there', add: [anaKey] }))).toEqual([404, 'not_found']);
    expect(await namesFor(curator)).not.toContain('not there');
  });

  test('of one name in two cases, or at two scopes, makes two circles', async () => {
    const ids = [
      (await made({ name: 'Desk', members: [] }))['id'],
      (await made({ name: 'desk', members: [] }))['id'],
      (await made({ scope_path: '/team/sub', name: 'desk', members: [] }))['id'],
    ];
    expect(new Set(ids).size).toBe(3);
  });

  test('names all unknown peers at once, and makes nothing', async () => {
    const answer = await put({ name: 'strangers', members: [anaKey, 'nobody', 'no one'] });
    expect(refusal(answer)).toEqual([422, 'unknown_peer', 'members.1', 'members.2']);
    expect(await namesFor(curator)).not.toContain('strangers');
  });

  test.each([
    [{ name: 'x' }, ['members']],
    [{ name: 'x', members: [], add: ['a'] }, ['members']],
    [{ name: 'x', add: ['a', 'b'], remove: ['c', 'b'] }, ['remove.1']],
    [{ name: ' ', members: [] }, ['name']],
    [{ name: 'a\u0000b', members: [] }, ['name']],
    [{ name: 'a\u200Bb', members: [] }, ['name']],
    [{ name: 'x'.repeat(257), members: [] }, ['name']],
    [{ name: 'x', members: Array.from({ length: 1_001 }, (_, n) => `p${n}`) }, ['members']],
    [{ name: 'x', members: 'ana' }, ['members']],
  ])('refuses %#', async (json, fields) => {
    expect(refusal(await put(json))).toEqual([422, 'invalid_request', ...fields]);
  });

  test('is for people who curate the scope, whether or not it exists', async () => {
    const { token } = await account.agent('agent', { role: 'account_admin' });
    expect(refusal(await put({ name: 'x', members: [] }, token))).toEqual([
      403,
      'human_identity_required',
    ]);
    expect(refusal(await put({ name: 'x', members: [] }, ana))).toEqual([403, 'forbidden']);
    for (const scope_path of ['/', '/elsewhere']) {
      const answer = await put({ scope_path, name: 'x', members: [] });
      expect(refusal(answer)).toEqual([403, 'forbidden']);
    }
    expect(await service.rows(`select from scopes where path = '/elsewhere'`, [])).toEqual([]);
  });

  test('twice at once makes one circle', async () => {
    const asked = { name: 'twins', members: [anaKey, benKey] };
    const answers = await Promise.all([put(asked), put(asked), put(asked)]);
    expect(new Set(answers.map((answer) => dataOf(answer)['id'])).size).toBe(1);
    expect(answers.map((answer) => dataOf(answer)['changed']).toSorted()).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('is recorded with ids alone: who was added and removed, and who added himself', async () => {
    const name = 'quince orchard';
    const { id } = await made({ name, members: [anaKey] });
    await made({ name, add: [curatorKey], remove: [anaKey] });
    await remove(name);
    const recorded = await events(id);
    expect(recorded.map(({ action, metadata }) => [action, Object(metadata).themself])).toEqual([
      ['circle.created', undefined],
      ['circle.member_added', false],
      ['circle.member_removed', undefined],
      ['circle.member_added', true],
      ['circle.deleted', undefined],
    ]);
    const text = JSON.stringify(recorded);
    expect([text.includes('uince'), text.includes('@')]).toEqual([false, false]);
  });
});

describe('showing', () => {
  test('lists for a curator every circle of the scopes that it curates, page by page', async () => {
    for (const name of ['one', 'two', 'three']) {
      await made({ scope_path: '/team/paged', name, members: [anaKey] });
    }
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const page = dataOf(await list(`scope_path=/team/paged&limit=2${cursor}`, curator));
      seen.push(...rowsIn(page['items']));
      const { next_cursor: next } = page;
      cursor = typeof next === 'string' ? `&cursor=${next}` : '';
    } while (cursor !== '');
    const here = seen
      .map((row): Body => Object(row))
      .filter((row) => row['scope_path'] === '/team/paged');
    expect(here.map((row) => [row['name'], row['member_count']])).toEqual([
      ['one', 1],
      ['two', 1],
      ['three', 1],
    ]);
    const above = await namesFor(curator);
    expect(seen).toHaveLength(here.length + above.length);
  });

  test('lists for a member its own circles of the chain, and reads them with who added whom', async () => {
    const mine = await made({ scope_path: '/team/shown', name: 'mine', members: [anaKey] });
    await made({ scope_path: '/team/shown', name: 'mine', add: [curatorKey] });
    await made({ scope_path: '/team/shown', name: 'not mine', members: [benKey] });
    const names = await namesFor(ana, '/team/shown');
    expect([names.includes('mine'), names.includes('not mine')]).toEqual([true, false]);
    const shown = dataOf(await read(mine['id'], ana));
    expect(
      rowsIn(shown['members']).map((row) => [
        row['peer_key'],
        row['added_by_peer_key'],
        row['added_themself'],
      ]),
    ).toEqual([
      [anaKey, curatorKey, false],
      [curatorKey, curatorKey, true],
    ]);
  });

  test('says of a circle that the reader is no member of what it says of none', async () => {
    const { id } = await made({ scope_path: '/team/hid', name: 'hidden', members: [benKey] });
    await made({ scope_path: '/team/bare', name: 'gone', members: [] });
    await remove('gone', curator, '/team/bare');
    expect(exactly(await read(id, ana))).toEqual(exactly(await read(NOWHERE, ana)));
    expect(exactly(await list('scope_path=/team/hid', ana))).toEqual(
      exactly(await list('scope_path=/team/bare', ana)),
    );
    expect(exactly(await list('scope_path=/team/hid', ana))).toEqual(
      exactly(await list('scope_path=/team/never', ana)),
    );
  });

  test('ends with the membership', async () => {
    const circle = { scope_path: '/team/ends', name: 'ends' };
    const { id } = await made({ ...circle, members: [anaKey, benKey] });
    expect((await read(id, ana)).status).toBe(200);
    await made({ ...circle, remove: [anaKey] });
    expect(refusal(await read(id, ana))).toEqual([404, 'not_found']);
    expect((await read(id, ben)).status).toBe(200);
  });

  test('is not for a member who may not read the scope', async () => {
    const away = await account.person('away', { role: 'reader', scope: '/else' });
    const { id } = await made({ name: 'afar', members: [account.emailOf('away')] });
    expect(refusal(await read(id, away))).toEqual([404, 'not_found']);
    expect(await namesFor(away)).toEqual([]);
  });
});

describe('deleting', () => {
  test('takes the circle away, once, and a new one of that name has another id', async () => {
    const { id } = await made({ name: 'goes', members: [anaKey] });
    expect(dataOf(await remove('goes'))).toEqual({ id });
    expect(refusal(await read(id, ana))).toEqual([404, 'not_found']);
    expect(refusal(await remove('goes'))).toEqual([404, 'not_found']);
    const again = await made({ name: 'goes', members: [] });
    expect(again['id']).not.toBe(id);
    expect(keysIn(again)).toEqual([]);
  });

  test('is for the curators of the scope', async () => {
    await made({ name: 'stays', members: [anaKey] });
    expect(refusal(await remove('stays', ana))).toEqual([403, 'forbidden']);
    expect(refusal(await remove('stays', curator, '/'))).toEqual([403, 'forbidden']);
    expect(await namesFor(ana)).toContain('stays');
  });
});

describe('the bounds', () => {
  const scopeId = async (path: string): Promise<unknown> =>
    (
      await service.rows('select id from scopes where account_id = $1 and path = $2', [
        account.id,
        path,
      ])
    )[0]?.['id'];
  /** Circles of the scope, put there row by row; each has the peer as its member if one is named. */
  const fill = async (path: string, count: number, key: string | null): Promise<void> => {
    await service.rows(
      `with made as (
         insert into circles (account_id, id, scope_id, name)
         select $1, gen_random_uuid(), $2, 'filler ' || n from generate_series(1, $3) n returning id)
       insert into circle_members (account_id, circle_id, peer_id)
       select $1, made.id, p.id from made join peers p on p.account_id = $1 and p.key = $4`,
      [account.id, await scopeId(path), count, key],
    );
  };

  test('a scope has a thousand circles; those that there are can still be changed', async () => {
    await made({ scope_path: '/team/full', name: 'last', members: [] });
    await fill('/team/full', 999, null);
    const over = await put({ scope_path: '/team/full', name: 'over', members: [] });
    expect(refusal(over)).toEqual([422, 'invalid_request', 'name']);
    const last = await made({ scope_path: '/team/full', name: 'last', add: [anaKey] });
    expect(keysIn(last)).toEqual([anaKey]);
  });

  test('a peer is a member of so many circles of a scope, whatever circles other scopes have', async () => {
    await made({ scope_path: '/team/deep/a/b', name: 'other', members: [] });
    await made({ scope_path: '/team/deep', name: 'own', members: [] });
    await fill(
      '/team',
      64 -
        rowsIn(
          await service.rows(
            `select from circle_members m join circles c using (account_id) join peers p using (account_id)
       where m.circle_id = c.id and p.id = m.peer_id and p.key = $1 and c.scope_id = $2`,
            [benKey, await scopeId('/team')],
          ),
        ).length,
      benKey,
    );
    const over = await put({ name: 'one more', members: [anaKey, benKey] });
    expect(refusal(over)).toEqual([422, 'invalid_request', 'members.1']);
    expect(await namesFor(curator)).not.toContain('one more');
    expect(keysIn(await made({ scope_path: '/team/deep', name: 'own', add: [benKey] }))).toEqual([
      benKey,
    ]);
    await fill('/team/deep/a/b', 8, benKey);
    const deep = await put({ scope_path: '/team/deep/a/b', name: 'other', add: [anaKey, benKey] });
    expect(refusal(deep)).toEqual([422, 'invalid_request', 'add.1']);
  });

  test('a circle has a thousand members', async () => {
    const { id } = await made({ name: 'crowd', members: [anaKey] });
    await service.rows(
      `with made as (
         insert into peers (account_id, id, key, name, kind)
         select $1, gen_random_uuid(), 'crowd-' || n, 'x', 'human' from generate_series(1, 999) n returning id)
       insert into circle_members (account_id, circle_id, peer_id) select $1, $2, id from made`,
      [account.id, id],
    );
    expect(refusal(await put({ name: 'crowd', add: [curatorKey] }))).toEqual([
      422,
      'invalid_request',
      'add',
    ]);
    const swapped = await made({ name: 'crowd', add: [curatorKey], remove: [anaKey] });
    expect(rowsIn(swapped['members'])).toHaveLength(1_000);
  });
});

test('an account sees no circle of another, and names none of its peers', async () => {
  const other = await service.account('apart');
  const token = await other.person('boss', { role: 'account-admin' });
  const { id } = await made({ name: 'ours', members: [anaKey] });
  expect(exactly(await read(id, token))).toEqual(exactly(await read(NOWHERE, token)));
  expect(refusal(await put({ name: 'ours', add: [anaKey] }, token))).toEqual([
    422,
    'unknown_peer',
    'add.0',
  ]);
  expect(refusal(await remove('ours', token))).toEqual([404, 'not_found']);
});
