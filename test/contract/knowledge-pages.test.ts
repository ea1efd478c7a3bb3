/** `GET /api/v1/knowledge`, page by page: all rows, each once, in the order of the list, and nothing hidden shows. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsOf, startService, type Service } from '../support/service.ts';
import { refusal } from './answers.ts';

const MANY = 23;

let service: Service;
let agent: string;
let stranger: string;

beforeAll(async () => {
  service = await startService();
  agent = (await service.home.agent('agent')).token;
  stranger = (await service.home.agent('stranger')).token;
  await service.home.preset('unattended');
  await Promise.all(
    Array.from({ length: MANY }, (_, at) =>
      service.ingestAndWait(agent, {
        session_id: `pages-${at}`,
        peer_key: 'ann',
        peer_name: 'Ann',
        content: `I keep ${at + 2} geese in pen number ${at + 2}.`,
      }),
    ),
  );
  // Ties of confidence and of time, as commits of many statements have them, to the microsecond.
  await service.rows(
    `update knowledge set confidence = case when statement ~ '[02468] geese' then 0.5 else 0.75 end,
       recorded_at = date_trunc('hour', recorded_at) + interval '123456 microseconds'
     where account_id = $1`,
    [service.home.id],
  );
});
afterAll(() => service.close());

type Query = Readonly<Record<string, string | readonly string[]>>;

/** A page of the list; a parameter with several values is given several times. */
function pageOf(token: string, query: Query) {
  const parameters = new URLSearchParams();
  const usual = 'scope_paths' in query ? {} : { scope_path: '/team' };
  for (const [name, values] of Object.entries({ ...usual, ...query })) {
    for (const value of [values].flat()) parameters.append(name, value);
  }
  return service.call({ path: `/api/v1/knowledge?${parameters.toString()}`, token });
}

async function pages(token: string, limit: number, query: Query = {}) {
  const found: unknown[][] = [];
  let cursor: string | undefined;
  do {
    const asked = { ...query, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) };
    const answer = await pageOf(token, asked);
    found.push(rowsOf(answer).map(({ id }) => id));
    const next = answer.headers['x-next-cursor'];
    cursor = typeof next === 'string' ? next : undefined;
  } while (cursor !== undefined);
  return found;
}

test.each([1, 4, MANY - 1])('pages of %d rows give the whole list in its order', async (limit) => {
  const [all = []] = await pages(agent, 100);
  expect(all).toHaveLength(MANY);
  const found = await pages(agent, limit);
  expect(found.flat()).toEqual(all);
  expect(found.map((page) => page.length)).toEqual([
    ...Array.from({ length: Math.ceil(MANY / limit) - 1 }, () => limit),
    MANY % limit || limit,
  ]);
});

test('the pages of several scopes give what stands in any of them, each once, in the order of one list', async () => {
  const scopes = ['/pages/east', '/pages/west', '/pages/none'];
  for (const [at, scope_path] of [scopes[0], scopes[1], scopes[0], '/pages', scopes[1]].entries()) {
    await service.ingestAndWait(agent, {
      session_id: `scopes-${at}`,
      scope_path,
      peer_key: 'ben',
      peer_name: 'Ben',
      content: `I keep ${at + 2} swans in pond number ${at + 2}.`,
    });
  }
  const several = { scope_paths: scopes };
  const [all = []] = await pages(agent, 100, several);
  expect(all).toHaveLength(5);
  const alone = await Promise.all(
    scopes.map(async (scope_path) => (await pages(agent, 100, { scope_path })).flat()),
  );
  expect(new Set(alone.flat())).toEqual(new Set(all));
  // Each list alone is in the order that they have together.
  for (const one of alone) expect(all.filter((id) => one.includes(id))).toEqual(one);
  expect((await pages(agent, 2, several)).flat()).toEqual(all);
  expect((await pages(agent, 2, { ...several, subject_key: 'ben' })).flat()).toEqual(all);
});

test('scopes are named one by one: a list of them beside one scope, or with a text that is none, is refused', async () => {
  const refused = async (query: Query) => refusal(await pageOf(agent, query));
  expect(await refused({ scope_path: '/pages', scope_paths: ['/pages'] })).toEqual([
    422,
    'invalid_request',
    'scope_paths',
  ]);
  expect(await refused({ scope_paths: ['/pages', '/a/../b'] })).toEqual([
    422,
    'invalid_request',
    'scope_paths.1',
  ]);
  expect(await refused({ scope_paths: Array.from({ length: 17 }, () => '/pages') })).toEqual([
    422,
    'invalid_request',
    'scope_paths',
  ]);
});

test('a filter leaves out what does not fit, page by page, in the same order', async () => {
  await service.rows(
    `update knowledge set sensitivity = 'public' where account_id = $1 and statement ~ '[13579] geese'`,
    [service.home.id],
  );
  const whole = (await pages(agent, 100)).flat();
  const rows = await service.rows(
    `select id from knowledge where account_id = $1 and sensitivity = 'public'`,
    [service.home.id],
  );
  const fitting = new Set(rows.map(({ id }) => id));
  const narrowed = await pages(agent, 4, { sensitivity: 'public' });
  expect(narrowed.flat()).toEqual(whole.filter((id) => fitting.has(id)));
  expect(fitting.size).toBeGreaterThan(4);
  expect((await pages(agent, 100, { subject_key: 'ann' })).flat()).toEqual(whole);
  for (const none of [
    { kind: 'skill' },
    { target_level: 'account' },
    { subject_key: 'agent' },
    { subject_key: 'nobody' },
  ]) {
    expect((await pages(agent, 4, none)).flat()).toEqual([]);
  }
  expect((await pages(stranger, 4, { sensitivity: 'restricted' })).flat()).toEqual([]);
});

test.each([
  { kind: 'guess' },
  { sensitivity: 'secret' },
  { target_level: 'everywhere' },
  { subject_key: 'a\u0000b' },
])('a filter that there is not is refused: %j', async (query) => {
  expect((await service.knowledge(agent, query)).status).toBe(422);
});

test('the last page names no next one', async () => {
  expect(await pages(agent, MANY)).toHaveLength(1);
});

test('a statement that changes between two pages neither repeats nor hides the others', async () => {
  const first = await service.knowledge(agent, { limit: '5' });
  const ids = rowsOf(first).map(({ id }) => id);
  const cursor = String(first.headers['x-next-cursor']);
  await service.rows('update knowledge set state = $2 where id = $1', [ids.at(-1), 'stale']);
  const rest = rowsOf(await service.knowledge(agent, { limit: '100', cursor }));
  expect(rest).toHaveLength(MANY - 5);
  expect(rest.map(({ id }) => id)).not.toEqual(expect.arrayContaining([ids[0]]));
  await service.rows('update knowledge set state = $2 where id = $1', [ids.at(-1), 'active']);
});

test('a cursor shows no reader more than its own list', async () => {
  await service.rows("update knowledge set sensitivity = 'personal' where account_id = $1", [
    service.home.id,
  ]);
  const first = await service.knowledge(agent, { limit: '5' });
  const cursor = String(first.headers['x-next-cursor']);
  const answer = await service.knowledge(stranger, { limit: '100', cursor });
  expect([rowsOf(answer), answer.headers['x-next-cursor']]).toEqual([[], undefined]);
});

test.each([
  ['no base64', '%%%'],
  ['no list', Buffer.from('{}').toString('base64url')],
  [
    'a confidence past one',
    Buffer.from('[2,"2024-01-01T00:00:00.000000Z","x"]').toString('base64url'),
  ],
  ['no id', Buffer.from('[1,"2024-01-01T00:00:00.000000Z","x"]').toString('base64url')],
  [
    'a time of milliseconds',
    Buffer.from('[1,"2024-01-01T00:00:00.000Z","x"]').toString('base64url'),
  ],
  ['a time that is none', Buffer.from('[1,"yesterday","x"]').toString('base64url')],
  [
    'a year that Postgres does not know',
    Buffer.from(
      '[1,"0000-01-01T00:00:00.000000Z","00000000-0000-4000-8000-000000000000"]',
    ).toString('base64url'),
  ],
  ['very long', 'A'.repeat(5_000)],
])('a cursor that is or holds %s is 422', async (_name, cursor) => {
  const answer = await service.knowledge(agent, { cursor });
  expect(refusal(answer)).toEqual([422, 'invalid_request', 'cursor']);
});
