/** Update at write time, as a reader meets it: what was believed when, and what a newer statement ends. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { candidatesOf, rowsOf, startService, type Body, type Service } from '../support/service.ts';

let service: Service;
let agent: string;

beforeAll(async () => {
  service = await startService();
  agent = (await service.home.agent('agent')).token;
});
afterAll(() => service.close());
afterEach(() => service.home.preset('strict'));

/** Says it for `peer` in a session in which all named peers take part. */
async function say(peer: string, content: string, body: Body = {}): Promise<string> {
  const { messageId } = await service.ingestAndWait(agent, {
    peer_key: peer,
    session_id: `about-${peer}`,
    content,
    ...body,
  });
  return messageId;
}

async function found(query: string, asOf?: string): Promise<readonly Body[]> {
  await service.quiet();
  const answer = await service.search(agent, {
    query,
    limit: 10,
    ...(asOf === undefined ? {} : { as_of: asOf }),
  });
  expect(answer.status).toBe(200);
  return candidatesOf(answer);
}

const windowOf = (row: Body | undefined) => [
  row?.['statement'],
  row?.['relevant_from'],
  row?.['relevant_until'],
  row?.['relevant_until_precision'],
];

const now = async (): Promise<string> => {
  const [row] = await service.rows(
    `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  );
  return String(row?.['at']);
};

describe.each(['strict', 'assisted'] as const)('under %s, a move', (preset) => {
  test.each([
    ['said now', {}, {}, '-03-01T00:00:00.000Z'],
    [
      'said long ago',
      { occurred_at: '2024-02-10T09:00:00Z' },
      { occurred_at: '2024-04-20T09:00:00Z' },
      '2024-03-01T00:00:00.000Z',
    ],
  ] as const)(
    '%s ends the earlier home from then on, and a search of the past still finds it as it was',
    async (_when, first, second, march) => {
      await service.home.preset(preset);
      const peer = `ada-${preset}-${Object.keys(first).length}`;
      const name = `Ada${preset.length}${Object.keys(first).length}`;
      const who = { peer_name: name };
      const query = `Where does ${name} live?`;
      const before = await now();
      await say(peer, 'I live in Bergen.', { ...who, ...first });
      const learned = await now();
      await say(peer, 'I moved to Oslo in March.', { ...who, ...second });

      const today = await found(query);
      const mine = today.filter(({ statement }) => String(statement).startsWith(`${name} `));
      expect(mine.map(windowOf)).toEqual([
        [
          `${name} moved to Oslo in March.`,
          expect.stringContaining(march),
          expect.any(String),
          'month',
        ],
        [`${name} lives in Bergen.`, null, expect.stringContaining(march), 'month'],
      ]);
      const then = await found(query, learned);
      const mineThen = then.filter(({ statement }) => String(statement).startsWith(`${name} `));
      expect(mineThen.map(windowOf)).toEqual([[`${name} lives in Bergen.`, null, null, null]]);
      const earlier = await found(query, before);
      expect(earlier.filter(({ statement }) => String(statement).startsWith(`${name} `))).toEqual(
        [],
      );
    },
  );
});

test('a saying from a clock that runs decades ahead is no newer than its receipt', async () => {
  await service.home.preset('assisted');
  await say('max', 'I live in Bergen.', { peer_name: 'Max', occurred_at: '2099-01-01T00:00:00Z' });
  await say('max', 'I live in Oslo.');
  const statements = (await found('Where does Max live?')).map(({ statement }) => statement);
  expect(statements[0]).toBe('Max lives in Oslo.');
  expect(statements).not.toContain('Max lives in Bergen.');
});

test('a country ends no town', async () => {
  await service.home.preset('assisted');
  await say('ida', 'I live in Bergen.', { peer_name: 'Ida' });
  await say('ida', 'I live in Norway.');
  const statements = (await found('Where does Ida live?')).map(({ statement }) => statement);
  expect(statements).toContain('Ida lives in Bergen.');
});

test('a superseded statement is not found today, and is found as of the time it was believed', async () => {
  await service.home.preset('assisted');
  await say('sue', 'I live in Bergen.', { peer_name: 'Sue' });
  const learned = await now();
  await say('sue', 'I live in Oslo.');
  const query = 'Where does Sue live?';
  // Others live somewhere too, as their messages say.
  const ofSue = async (asOf?: string): Promise<readonly Body[]> =>
    (await found(query, asOf)).filter(({ statement }) => String(statement).startsWith('Sue '));
  expect((await found(query))[0]?.['statement']).toBe('Sue lives in Oslo.');
  expect((await ofSue()).map(({ statement }) => statement)).toEqual(['Sue lives in Oslo.']);
  const [oldest] = await ofSue(learned);
  const sinceWhen = String(oldest?.['recorded_at']);
  expect((await ofSue(sinceWhen)).map(({ id }) => id)).toEqual([oldest?.['id']]);
  expect((await ofSue(learned)).map(({ statement, state }) => [statement, state])).toEqual([
    ['Sue lives in Bergen.', 'active'],
  ]);
  const superseded = await service.knowledge(agent, { scope_path: '/team', state: 'superseded' });
  const rows = rowsOf(superseded).filter(({ statement }) => statement === 'Sue lives in Bergen.');
  const current = await service.knowledge(agent, { scope_path: '/team' });
  const [newer] = rowsOf(current).filter(({ statement }) => statement === 'Sue lives in Oslo.');
  expect(rows).toHaveLength(1);
  expect(newer?.['supersedes_id']).toBe(rows[0]?.['id']);
});

test('a search as of a time before a statement was recorded misses it, whatever its occurred_at', async () => {
  await say('early', 'I live in Tromso.', {
    peer_name: 'Early',
    occurred_at: '2019-05-01T00:00:00Z',
  });
  expect(await found('Where does Early live?', '2020-01-01T00:00:00Z')).toEqual([]);
});
