/** Dedupe in other words on the whole service, with the embedder that is built in. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsOf, startService, type Service } from '../support/service.ts';

let service: Service;
let agent: string;

beforeAll(async () => {
  service = await startService();
  agent = (await service.home.agent('agent')).token;
});
afterAll(() => service.close());

const say = (content: string, occurred_at: string) =>
  service.ingestAndWait(agent, { peer_key: 'Ann', peer_name: 'Ann', content, occurred_at });

test('a paraphrase by the same speaker adds its source to the earlier statement, which keeps its words', async () => {
  const later = await say('I have been learning Dutch.', '2024-05-02T09:00:00Z');
  const earlier = await say('I am learning Dutch.', '2024-05-01T09:00:00Z');
  const rows = rowsOf(await service.knowledge(agent, { state: 'provisional' }));
  expect(rows).toMatchObject([{ statement: 'Ann is learning Dutch.', corroboration_count: 1 }]);
  expect(rows[0]?.['source_message_ids']).toEqual([earlier.messageId, later.messageId]);
  expect(earlier.knowledge.map(({ id }) => id)).toEqual(later.knowledge.map(({ id }) => id));
});
