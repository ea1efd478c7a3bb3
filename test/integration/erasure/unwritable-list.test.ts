/** A worker whose list of promises cannot be written erases nothing, and goes on once it can be. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listInMemory } from '../../support/database.ts';
import { Scene } from '../observations/scene.ts';
import { request, takeAll } from './erase.ts';

let scene: Scene;
let isFull = false;

beforeAll(async () => {
  const list = listInMemory([]);
  scene = await Scene.open({
    promises: {
      ...list,
      append: async (given) => {
        if (isFull) throw new Error('ENOSPC');
        await list.append(given);
      },
    },
  });
});
afterAll(() => scene.close());

test('an erasure under a full disk for promises keeps every row, and completes when there is room', async () => {
  const accountId = await scene.account();
  const relay = await scene.caller(accountId, { key: 'relay' });
  const alice = (await scene.caller(accountId, { key: 'alice', kind: 'human' })).peerId ?? '';
  await scene.ingest(relay, { peer_key: 'alice', content: 'I like tea.' });
  const said = () =>
    scene.count('select from messages where account_id = $1 and speaker_peer_id = $2', [
      accountId,
      alice,
    ]);
  const runId = await request(scene, accountId, alice, 'proportionate');
  isFull = true;
  await expect(takeAll(scene, { accountId, runId })).rejects.toThrow('ENOSPC');
  expect(await said()).toBe(1);
  expect(await scene.rows('select state from erasure_requests where id = $1', [runId])).toEqual([
    { state: 'accepted' },
  ]);
  isFull = false;
  await takeAll(scene, { accountId, runId });
  expect(await said()).toBe(0);
});
