/** Dedupe in other words: who says the same again attests a statement that he can read, and never learns of one he cannot. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsOf, startService, type Body, type Service } from '../support/service.ts';

let service: Service;
let agent: string;

beforeAll(async () => {
  service = await startService();
  agent = (await service.home.agent('agent')).token;
});
afterAll(() => service.close());

const FIRST = 'I am learning Dutch.';
const AGAIN = 'I have been learning Dutch.';

const say = (peer: string, content: string, body: Body = {}) =>
  service.ingestAndWait(agent, {
    peer_key: peer,
    peer_name: peer,
    session_id: `about-${peer}`,
    content,
    ...body,
  });

async function listed(state: string): Promise<readonly Body[]> {
  return rowsOf(await service.knowledge(agent, { scope_path: '/team', state }));
}

const about = (rows: readonly Body[], name: string): readonly Body[] =>
  rows.filter(({ statement }) => String(statement).startsWith(`${name} `));

test('a paraphrase by the same speaker adds its source to the earlier statement, which keeps its words', async () => {
  const later = await say('Ann', AGAIN, { occurred_at: '2024-05-02T09:00:00Z' });
  const earlier = await say('Ann', FIRST, { occurred_at: '2024-05-01T09:00:00Z' });
  const rows = about(await listed('provisional'), 'Ann');
  expect(rows).toMatchObject([{ statement: 'Ann is learning Dutch.', corroboration_count: 1 }]);
  expect(rows[0]?.['source_message_ids']).toEqual([earlier.messageId, later.messageId]);
  expect(earlier.knowledge.map(({ id }) => id)).toEqual(later.knowledge.map(({ id }) => id));
});

test('a paraphrase with another time window makes another statement', async () => {
  await say('Eve', 'I am learning Dutch since 2021.');
  await say('Eve', 'I have been learning Dutch since 2022.');
  expect(about(await listed('provisional'), 'Eve')).toHaveLength(2);
});

test('a text that differs by a plan, a negation, a number or a name makes another statement', async () => {
  for (const content of [
    'I am learning Welsh.',
    'I am not learning Welsh.',
    'I plan on learning Welsh.',
    'I own 12 Welsh books.',
    'I own 13 Welsh books.',
    'I play chess with Tom.',
    'I play chess with Tim.',
  ]) {
    await say('Ian', content);
  }
  const texts = about(await listed('provisional'), 'Ian').map(({ statement }) => statement);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeGreaterThanOrEqual(6);
});

test('a second speaker attests a statement that he can read; one that he cannot read stays separate', async () => {
  await say('Uma', FIRST);
  await say('Rob', 'Uma has been learning Dutch.', { session_id: 'about-Uma' });
  expect(
    await service.rows(
      `select count(*)::integer as n from knowledge k where statement like 'Uma %'`,
    ),
  ).toEqual([{ n: 2 }]);
  await service.home.preset('assisted');
  await say('Zoe', FIRST);
  await say('Rob', 'Zoe has been learning Dutch.', { session_id: 'about-Zoe' });
  await service.home.preset('strict');
  expect(about(await listed('active'), 'Zoe')).toMatchObject([
    { statement: 'Zoe is learning Dutch.', corroboration_count: 2 },
  ]);
});
