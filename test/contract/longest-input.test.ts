/**
 * The longest texts that the interface allows, of the widest characters: every one of them is stored, found again and
 * compared, and none of them is more than an entry of an index holds.
 */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addGrant } from '../../operations/identity/grants.ts';
import { createKey } from '../../operations/identity/keys.ts';
import { createUser } from '../../operations/identity/users.ts';
import { PASSWORD } from '../support/account.ts';
import { closeWithoutErrors, dataOf, startService, type Service } from '../support/service.ts';

let service: Service;
let relay: string;

beforeAll(async () => {
  service = await startService();
  relay = (await service.home.agent('relay')).token;
});
afterAll(() => closeWithoutErrors(service));

/** Characters of four bytes in no order, so that nothing makes them shorter. */
function wide(characters: number): string {
  return Array.from({ length: characters }, () =>
    String.fromCodePoint(randomInt(0x20000, 0x2a000)),
  ).join('');
}

const SEGMENTS = 32;
const SEGMENT_CHARACTERS = 128;
const longestPath = () =>
  `/${Array.from({ length: SEGMENTS }, () => wide(SEGMENT_CHARACTERS)).join('/')}`;

describe('the longest path of a scope', () => {
  const path = longestPath();

  test('takes an observation twice, and a search of that scope is answered', async () => {
    const body = { scope_path: path, peer_key: 'alice', content: 'I like tea.' };
    const { messageId } = await service.ingestAndWait(relay, body);
    expect((await service.ingest(relay, body)).status).toBe(202);
    expect((await service.status(relay, messageId)).status).toBe(200);
    const found = await service.search(relay, {
      query: 'tea',
      scope_path: path,
      peer_key: 'alice',
    });
    expect([found.status, dataOf(found)['scope_path']]).toEqual([200, path]);
  });

  test('is distinguished from one that differs at its end', async () => {
    const other = `${path.slice(0, -2)}${wide(1)}`;
    await service.ingest(relay, { scope_path: other, content: 'x', peer_key: 'alice' });
    const known = await service.rows(
      'select path from scopes where account_id = $1 and path = any($2)',
      [service.home.id, [path, other]],
    );
    expect(known).toHaveLength(new Set([path, other]).size);
  });

  test('takes grants, keys and budgets, and a document request is answered without a defect', async () => {
    const json = {
      scope_path: path,
      external_id: wide(256),
      title: wide(256),
      text: 'We met in Oslo.',
    };
    const answer = await service.call({ path: '/api/v1/documents', token: relay, json });
    expect(answer.status).toBeLessThan(500);
    const grant = { account: service.home.key, peer: 'alice', scope: path, role: 'reader' };
    await service.operate(addGrant, grant);
    await service.operate(addGrant, grant);
    await service.operate(createKey, {
      account: service.home.key,
      peer: 'alice',
      scope: path,
      role: 'member',
      pin: path,
    });
    const boss = (await service.home.agent('boss', { role: 'account_admin' })).token;
    const budget = {
      scope_root: path,
      request_cap: 10,
      token_cap: 10,
      usd_micros_cap: 10,
      deadline_at: '2090-01-01T00:00:00Z',
      input_usd_micros_per_million: 1,
      output_usd_micros_per_million: 1,
    };
    const put = {
      method: 'PUT',
      path: '/api/v1/operations/extraction-budget',
      token: boss,
      json: budget,
    };
    expect([(await service.call(put)).status, (await service.call(put)).status]).toEqual([
      200, 200,
    ]);
  });
});

test('the longest names of peers, sessions, roles and requests are accepted, also the second time', async () => {
  const body = {
    session_id: wide(256),
    peer_key: wide(256),
    peer_name: wide(256),
    role: wide(256),
    content: 'I like tea.',
  };
  const headers = { 'idempotency-key': 'k'.repeat(255) };
  const first = await service.ingest(relay, body, headers);
  const second = await service.ingest(relay, body, headers);
  expect([first.status, second.status, second.json()]).toEqual([202, 202, first.json()]);
  const listed = await service.search(relay, { query: '', peer_key: body.peer_key });
  expect(listed.status).toBe(200);
});

test('the longest path of a request with a key is answered without a defect', async () => {
  for (const [length, id] of [255, 4_000, 12_000].entries()) {
    const answer = await service.call({
      method: 'POST',
      path: `/api/v1/ingest/${'a'.repeat(id)}/requeue`,
      token: relay,
      headers: { 'idempotency-key': `long-${length}` },
    });
    expect(answer.status).toBeLessThan(500);
  }
});

test('the longest e-mail address is a login', async () => {
  const email = `${'ü'.repeat(240)}@example.org`;
  const made = {
    account: service.home.key,
    email,
    name: wide(256),
    role: 'member',
    scope: '/',
    password: PASSWORD,
  };
  await service.operate(createUser, made);
  const signedIn = await service.call({
    path: '/api/auth/password',
    json: { email, password: PASSWORD },
  });
  expect(signedIn.status).toBeLessThan(300);
});
