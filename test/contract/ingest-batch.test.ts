/** `POST /api/v1/ingest/batch`: many observations, each answered as `POST /api/v1/ingest` would answer it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setSecretPolicy } from '../../operations/governance/secrets.ts';
import { eventually } from '../support/patience.ts';
import {
  closeWithoutErrors,
  dataOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { refusal } from './answers.ts';

let service: Service;
let relay: string;

beforeAll(async () => {
  service = await startService();
  relay = (await service.home.agent('relay')).token;
});

afterAll(() => closeWithoutErrors(service));

/** In two parts, so that this file holds no credential. */
const KEY = ['AKIA', 'QJ4ZXWV7T2HN5K3M'].join('');

const batch = (observations: unknown, headers: Readonly<Record<string, string>> = {}) =>
  service.call({ path: '/api/v1/ingest/batch', token: relay, json: { observations }, headers });

const said = (body: Body): Body => ({
  session_id: 'batch',
  scope_path: '/team',
  peer_key: 'alice',
  content: 'I like tea.',
  ...body,
});

async function resultsOf(answer: ReturnType<typeof batch>): Promise<readonly Body[]> {
  const answered = await answer;
  expect(answered.status).toBe(202);
  return Object(answered.json()).data.results;
}

const ACCEPTED = {
  status: 'accepted',
  message_id: expect.any(String),
  occurred_at: expect.any(String),
  code: null,
  fields: null,
};
const refused = (code: string, ...paths: readonly string[]) => ({
  status: 'refused',
  message_id: null,
  occurred_at: null,
  code,
  fields: paths.length === 0 ? null : paths.map((path) => expect.objectContaining({ path })),
});

test('each has its own outcome, in its place', async () => {
  const results = await resultsOf(
    batch([
      said({ occurred_at: '2024-05-01T10:00:00+02:00' }),
      said({ content: ' ' }),
      said({ session_id: undefined }),
      'I like tea.',
      null,
      said({ content: 'x'.repeat(1_048_577) }),
      said({ scope_path: '/a/../b' }),
      said({ content: 'I keep two goats.' }),
    ]),
  );
  expect(results).toEqual([
    { ...ACCEPTED, occurred_at: '2024-05-01T08:00:00.000Z' },
    refused('invalid_request', 'content'),
    refused('invalid_request', 'session_id'),
    refused('invalid_request', ''),
    refused('invalid_request', ''),
    refused('payload_too_large', 'content'),
    refused('invalid_request', 'scope_path'),
    ACCEPTED,
  ]);
});

test('where the caller may not write, that observation alone is refused', async () => {
  const { token } = await service.home.agent('narrow', { scope: '/team' });
  const observations = [said({}), said({ scope_path: '/elsewhere' })];
  const answer = service.call({ path: '/api/v1/ingest/batch', token, json: { observations } });
  expect(await resultsOf(answer)).toEqual([ACCEPTED, refused('forbidden')]);
});

test('observations keep their order, and become statements', async () => {
  const session_id = randomUUID();
  const contents = Array.from({ length: 200 }, (_, n) => `My locker has the number ${n}.`);
  const results = await resultsOf(batch(contents.map((content) => said({ session_id, content }))));
  expect(results).toEqual(contents.map(() => ACCEPTED));
  const rows = await service.rows(
    `select m.content from messages m join sessions s on s.account_id = m.account_id and s.id = m.session_id
     where s.external_id = $1 order by m.occurred_at, m.recorded_at, m.id`,
    [session_id],
  );
  expect(rows.map(({ content }) => content)).toEqual(contents);
  const last = String(results.at(-1)?.['message_id']);
  await eventually(async () => {
    const status = dataOf(await service.status(relay, last, '?wait_ms=10000'));
    return status['status'] === 'completed';
  });
});

test('a request that is sent again with its key stores nothing twice', async () => {
  const session_id = randomUUID();
  const observations = ['tea', 'coffee'].map((drink) =>
    said({ session_id, content: `I like ${drink}.` }),
  );
  const headers = { 'idempotency-key': randomUUID() };
  const first = await resultsOf(batch(observations, headers));
  const changed = [observations[0], said({ session_id, content: 'I like milk.' })];
  expect(await resultsOf(batch(observations, headers))).toEqual(first);
  expect(await resultsOf(batch(changed, headers))).toEqual([first[0], refused('conflict')]);
  // The same observation twice in one request is said twice.
  const twice = await resultsOf(
    batch([observations[0], observations[0]], { 'idempotency-key': randomUUID() }),
  );
  expect(new Set(twice.map(({ message_id: id }) => id)).size).toBe(2);
});

test('an account that refuses credentials refuses the observation that holds one', async () => {
  const strict = await service.account(`strict-${randomUUID().slice(0, 8)}`);
  await service.operate(setSecretPolicy, { account: strict.key, policy: 'refuse' });
  const { token } = await strict.agent('relay');
  const observations = [said({ content: `My key is ${KEY}.` }), said({ content: 'I like tea.' })];
  const answer = service.call({ path: '/api/v1/ingest/batch', token, json: { observations } });
  expect(await resultsOf(answer)).toEqual([refused('invalid_request', 'content'), ACCEPTED]);
});

test.each([
  ['no list', {}, 'observations'],
  ['an empty list', { observations: [] }, 'observations'],
  ['more than 500', { observations: Array.from({ length: 501 }, () => said({})) }, 'observations'],
])('%s is 422', async (_, json, field) => {
  const answer = await service.call({ path: '/api/v1/ingest/batch', token: relay, json });
  expect(refusal(answer)).toEqual([422, 'invalid_request', field]);
});
