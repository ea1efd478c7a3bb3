/** Who guesses what somebody said must not be able to find out by the audit log, once that person is erased. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { Scene } from '../observations/scene.ts';
import { request, takeAll } from './erase.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const CONTENT = 'I voted for the green list.';
const sha256 = (...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const bytesOf = (uuid: unknown): Buffer => Buffer.from(String(uuid).replaceAll('-', ''), 'hex');

async function saltOf(peerId: unknown): Promise<unknown> {
  const [row] = await scene.rows('select audit_salt from peers where id = $1', [peerId]);
  return row?.['audit_salt'];
}

test('the hash of what a person said is taken with a salt of hers, which goes with her', async () => {
  const accountId = await scene.account();
  const relay = await scene.caller(accountId, { key: 'relay' });
  const { message_id: messageId } = await scene.ingest(relay, {
    peer_key: 'alice',
    content: CONTENT,
  });
  const [event] = await scene.rows(
    `select encode(content_hash, 'hex') as hash from audit_events where resource_id = $1`,
    [messageId],
  );
  const [alice] = await scene.rows('select id from peers where account_id = $1 and key = $2', [
    accountId,
    'alice',
  ]);
  const salt = bytesOf(await saltOf(alice?.['id']));
  // Who has the salt, which is who may read her row, can hold the log to the message.
  expect(event?.['hash']).toBe(sha256(salt, createHash('sha256').update(CONTENT).digest()));
  expect(event?.['hash']).not.toBe(sha256(CONTENT));

  const peerId = String(alice?.['id']);
  const runId = await request(scene, accountId, peerId, 'strict');
  await takeAll(scene, { accountId, runId });
  await createInAccount(scene.pool)(accountId, ({ erasures }) =>
    erasures.complete(runId, peerId, '{}'),
  );
  expect(await saltOf(peerId)).toBeNull();
});

test('two people who say the same have different hashes', async () => {
  const accountId = await scene.account();
  const relay = await scene.caller(accountId, { key: 'relay' });
  for (const peer_key of ['alice', 'bob'])
    await scene.ingest(relay, { peer_key, content: CONTENT });
  const hashes = await scene.rows(
    `select distinct content_hash from audit_events where account_id = $1 and action = 'message.accepted'`,
    [accountId],
  );
  expect(hashes).toHaveLength(2);
});
