/** `POST /api/v1/self/erasure` and what follows: the person is gone, others are not, and the receipt says so. */
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { verifyReceipt } from '../../engine/erasure/receipts.ts';
import { eventually } from '../support/patience.ts';
import { dataOf, rowsOf, startOwnService, type Body, type OwnService } from '../support/service.ts';
import { refusal } from './answers.ts';

/** A word that only Alice says. */
const CANARY = 'xylorimba';
const SETTLE_SECONDS = 2;
const ERASURE = '/api/v1/self/erasure';

const keys = mkdtempSync(join(tmpdir(), 'vouch-keys-'));
const keyFile = join(keys, 'receipt-key.pem');

let service: OwnService;
let relay: string;
let bob: string;
beforeAll(async () => {
  service = await startOwnService({
    SERVICE_ERASURE_SETTLE_SECONDS: String(SETTLE_SECONDS),
    SERVICE_RECEIPT_KEY_FILE: keyFile,
  });
  await service.home.preset('unattended');
  relay = (await service.home.agent('relay')).token;
  await said('bob', 'I like tea.');
  bob = await service.home.person('bob', { peer: 'bob' });
});
afterAll(async () => {
  await service.close();
  rmSync(keys, { recursive: true, force: true });
});

let sessions = 0;
function said(peer: string, content: string, session = `said-${(sessions += 1)}`) {
  return service.ingestAndWait(relay, {
    peer_key: peer,
    peer_name: peer.replace(/^./, (letter) => letter.toUpperCase()),
    session_id: session,
    content,
  });
}

const post = (token: string, path: string, json: Body) =>
  service.call({ path, token, method: 'POST', json });
const get = (token: string, path: string) => service.call({ path, token });

async function completed(token: string, id: string): Promise<Body> {
  return eventually(async () => {
    const erasure = dataOf(await get(token, `${ERASURE}/${id}`));
    return erasure['state'] === 'completed' && erasure;
  });
}

/** Every text of every row of the account, and of every table without accounts. */
async function everythingStored(): Promise<string> {
  const tables = await service.rows(
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  let text = '';
  for (const { relname } of tables) {
    const rows = await service.rows(`select to_jsonb(t)::text as row from ${String(relname)} t`);
    text += rows.map(({ row }) => String(row)).join('\n');
  }
  return text;
}

describe('a person who has itself erased', () => {
  let alice: string;
  let id: string;
  let peerId: string;
  const asked = z.object({ id: z.uuid(), mode: z.string(), state: z.string() }).strict();

  beforeAll(async () => {
    await said('alice', `I play the ${CANARY}.`, `${CANARY}-lessons`);
    await said('alice', 'I like tea.', 'shared');
    await said('bob', 'I collect stamps.', 'shared');
    alice = await service.home.person('alice', { peer: 'alice' });
    const uploaded = await post(alice, '/api/v1/documents', {
      scope_path: '/team',
      media_type: 'text/plain',
      title: `On the ${CANARY}`,
      external_id: `${CANARY}.txt`,
      content_base64: Buffer.from(`Bob repairs the ${CANARY}.`).toString('base64'),
    });
    const version = String(dataOf(uploaded)['document_version_id']);
    await eventually(async () => {
      const status = dataOf(await get(alice, `/api/v1/documents/${version}`));
      return status['status'] === 'completed';
    });
    await service.quiet();
    const [row] = await service.rows("select id from peers where key = 'alice'");
    peerId = String(row?.['id']);
    expect(await everythingStored()).toContain(CANARY);
  });

  test('gets the id, the mode and the state, and nothing else', async () => {
    const answer = await post(alice, ERASURE, {});
    expect(answer.status).toBe(202);
    const data = asked.parse(dataOf(answer));
    expect(data).toMatchObject({ mode: 'proportionate', state: 'accepted' });
    id = data.id;
  });

  test('may not be named until it is complete', async () => {
    const late = { peer_key: 'alice', session_id: 'late', content: 'I am here.' };
    expect(refusal(await service.ingest(relay, late))).toEqual([409, 'conflict', 'peer_key']);
  });

  test('may read how it stands with the credential that asked, and nothing else', async () => {
    expect((await get(alice, `${ERASURE}/${id}`)).status).toBe(200);
    const others = [
      await get(alice, '/api/v1/self/knowledge'),
      await post(alice, ERASURE, {}),
      await service.search(alice, { query: 'tea' }),
    ];
    // What a process remembers of the credential ends within five seconds.
    await eventually(async () => (await get(alice, '/api/v1/self/knowledge')).status === 401);
    expect(
      others.map(({ status }) => status).every((status) => [200, 202, 401].includes(status)),
    ).toBe(true);
    expect(refusal(await get(alice, `${ERASURE}/${crypto.randomUUID()}`))).toEqual([
      404,
      'not_found',
    ]);
  });

  test('is gone from the database, the indexes and the document store', async () => {
    const erasure = await completed(alice, id);
    expect(erasure).toMatchObject({ id, mode: 'proportionate', state: 'completed' });
    const text = await everythingStored();
    expect(text).not.toContain(CANARY);
    expect(text).not.toMatch(/"alice|Alice/);
    await service.quiet();
    for (const token of [bob, relay]) {
      const found = dataOf(await service.search(token, { query: CANARY, limit: 50 }));
      expect(JSON.stringify(found['candidates'])).not.toContain(CANARY);
    }
    const held = await service.rows(
      'select from indexed_units u where not exists (select from messages m where m.id = u.unit_id) and not exists (select from knowledge k where k.id = u.unit_id)',
    );
    expect(held).toEqual([]);
    expect(await service.errors()).toEqual([]);
  });

  test('leaves what others attest about others', async () => {
    const listed = rowsOf(await service.knowledge(relay, { limit: '100' }));
    expect(listed.map(({ statement }) => statement).toSorted()).toEqual([
      'Bob collects stamps.',
      'Bob likes tea.',
    ]);
  });

  test('has a receipt that anybody can check with the public key, and that no change survives', async () => {
    const { receipt } = await completed(alice, id);
    const key = createPublicKey(readFileSync(keyFile));
    const text = JSON.stringify(receipt);
    expect(verifyReceipt(text, key)).toBe('valid');
    expect(text).not.toContain(peerId);
    expect(text).not.toMatch(new RegExp(`alice|${CANARY}`, 'i'));
    const changed = text.replace(
      /"messages_deleted":(\d+)/,
      (_all, n) => `"messages_deleted":${Number(n) + 1}`,
    );
    expect(changed).not.toBe(text);
    expect(verifyReceipt(changed, key)).toBe('changed');
  });

  test('is a new peer when its key is named again', async () => {
    await said('alice', 'I am new here.');
    const rows = await service.rows("select id from peers where key = 'alice'");
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['id']).not.toBe(peerId);
  });
});
