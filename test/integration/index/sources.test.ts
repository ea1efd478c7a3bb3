/** Sources and submitters: what indexes are not told of, Postgres answers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { statementPointId } from '../../../stores/qdrant/point-id.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { openSearchScene, texts, type SearchScene } from '../search/scene.ts';

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

/** The payload of a statement's point. */
async function payloadOf(accountId: string, statementId: string): Promise<unknown> {
  const qdrant = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
  const { collections } = await qdrant.getCollections();
  const name = collections.find((one) => one.name.startsWith(`${scene.prefix}_`))?.name ?? '';
  const [point] = await qdrant.retrieve(name, {
    ids: [statementPointId(accountId, statementId)],
  });
  return point?.payload;
}

describe('a source', () => {
  test('that a statement gained after it was indexed matches as a source filter', async () => {
    const account = await scene.account();
    const id = await account.statement({ text: 'Slate roofs last' });
    await account.statement({ text: 'Slate is grey' });
    await account.refresh();
    const messageId = await account.message({ speaker: 'anna', text: 'Slate roofs last' });
    await scene.sql(
      `insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key)
       select m.account_id, $2, m.id, m.speaker_peer_id, gen_random_uuid() from messages m
       where m.account_id = $1 and m.id = $3`,
      [account.id, id, messageId],
    );
    const body = { query: 'slate', source_filters: { source_message_id: messageId } };
    const speaker = await account.caller({ peer: 'anna' });
    expect(texts(await scene.search(speaker, body))).toEqual(['Slate roofs last']);
    const stranger = await account.caller({ peer: 'carol' });
    expect(texts(await scene.search(stranger, body))).toEqual([]);
  });

  test('is not part of a point, and more than 64 submitters are one mark in it', async () => {
    const account = await scene.account();
    const submitters = Array.from({ length: 65 }, (_, index) => `peer-${index}`);
    const said = { state: 'provisional', submitters } as const;
    const id = await account.statement({ text: 'Flint strikes sparks', ...said });
    await account.refresh();
    const payload = await payloadOf(account.id, id);
    expect(payload).toMatchObject({ submitters: ['*'] });
    expect(payload).not.toHaveProperty('source_messages');
    const one = await account.caller({ peer: 'peer-64' });
    expect(texts(await scene.search(one, { query: 'flint' }))).toHaveLength(1);
    expect(texts(await scene.search(one, { query: '"flint strikes"' }))).toHaveLength(1);
    const stranger = await account.caller({ peer: 'carol' });
    expect(texts(await scene.search(stranger, { query: 'flint' }))).toEqual([]);
  });
});
