/** `POST /api/v1/operations/ingest/<message_id>/requeue`, for administrators and for other callers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../support/http.ts';
import { eventually } from '../support/patience.ts';
import { closeWithoutErrors, dataOf, type Body, type OwnService } from '../support/service.ts';
import type { StubOpenAi } from '../support/stub-openai.ts';
import { startStubbedService } from '../support/stubbed-service.ts';
import { exactly, refusal } from './answers.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let stub: StubOpenAi;
let service: OwnService;
let boss: string;
let teller: string;

beforeAll(async () => {
  ({ service, stub } = await startStubbedService());
  boss = (await service.home.agent('boss', { role: 'account_admin' })).token;
  teller = (await service.home.agent('teller')).token;
});
afterAll(() => closeWithoutErrors(service));

function requeue(
  messageId: string,
  token: string | null = boss,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const path = `/api/v1/operations/ingest/${messageId}/requeue`;
  return service.call({ method: 'POST', path, headers, ...(token === null ? {} : { token }) });
}

const runOf = (answer: HttpAnswer) => String(dataOf(answer)['run_id']);
const statusOf = async (messageId: string): Promise<Body> =>
  dataOf(await service.status(boss, messageId));
const until = (messageId: string, status: string): Promise<Body> =>
  eventually(async () => {
    const found = await statusOf(messageId);
    return found['status'] === status && found;
  });

let told = 0;
/** Sends an observation of new content, and waits until it is settled. */
async function tell(changes: Body = {}): Promise<string> {
  told += 1;
  const body = { session_id: `s${told}`, content: `I own boat ${told}.`, peer_key: 'ines' };
  return (await service.ingestAndWait(teller, { ...body, ...changes })).messageId;
}

/** An observation that is terminal. */
async function givenUp(changes: Body = {}): Promise<string> {
  stub.script({ kind: 'filtered' });
  const messageId = await tell(changes);
  expect(await statusOf(messageId)).toMatchObject({ status: 'terminal' });
  return messageId;
}

describe('an administrator', () => {
  test.each([
    ['terminal', 'provider_content_filtered', { kind: 'filtered' }],
    ['repairable', 'credentials_rejected', { kind: 'status', status: 401 }],
  ] as const)(
    'has a %s observation extracted again, its attempts counted anew',
    async (status, errorClass, behaviour) => {
      stub.script(behaviour);
      const messageId = await tell();
      const before = { status, last_error_class: errorClass, attempt_count: 1 };
      expect(await statusOf(messageId)).toMatchObject(before);
      const answer = await requeue(messageId);
      expect([answer.status, answer.json()]).toEqual([
        202,
        { data: { run_id: expect.stringMatching(UUID), status: 'accepted' } },
      ]);
      expect(await until(messageId, 'completed')).toMatchObject({
        attempt_count: 1,
        last_error_class: null,
      });
      const audited = await service.rows(
        `select actor_kind, metadata from audit_events
         where action = 'extraction.requeued' and resource_id = $1`,
        [messageId],
      );
      expect(audited).toEqual([
        { actor_kind: 'credential', metadata: { run_id: runOf(answer), from: status } },
      ]);
    },
  );

  test('may be a person, and may send a body with unknown fields', async () => {
    const messageId = await givenUp();
    const path = `/api/v1/operations/ingest/${messageId}/requeue`;
    const { token } = service.bootstrapToken;
    expect((await service.call({ path, token, json: { force: true } })).status).toBe(202);
  });

  test('gets 409 for an observation that is completed or being extracted', async () => {
    expect(refusal(await requeue(await tell()))).toEqual([409, 'conflict']);
    const released = Promise.withResolvers<void>();
    stub.script({ kind: 'held', until: released.promise });
    const before = stub.requests.length;
    const body = { session_id: 'held', content: 'I own a held boat.', peer_key: 'ines' };
    const messageId = String(dataOf(await service.ingest(teller, body))['message_id']);
    await eventually(() => stub.requests.length > before);
    expect(refusal(await requeue(messageId))).toEqual([409, 'conflict']);
    released.resolve();
    await until(messageId, 'completed');
  });

  test('gets another run for an observation that failed again, and 409 once it is completed', async () => {
    const messageId = await givenUp();
    stub.script({ kind: 'filtered' });
    const first = await requeue(messageId);
    expect(first.status).toBe(202);
    await until(messageId, 'terminal');
    const second = await requeue(messageId);
    expect(second.status).toBe(202);
    expect(runOf(second)).not.toBe(runOf(first));
    await until(messageId, 'completed');
    expect(refusal(await requeue(messageId))).toEqual([409, 'conflict']);
  });

  test('gets the same 404 for an observation that is missing, foreign, denied to him or has a malformed id', async () => {
    const { token: stranger } = await service.other.agent('stranger');
    const theirs = await service.ingestAndWait(stranger, { content: 'I own a ship.' });
    const hidden = await givenUp({ scope_path: '/hidden/part' });
    const warden = await service.home.agent('warden', { role: 'account_admin' });
    await service.home.grant('warden', { scope: '/hidden', effect: 'deny' });
    const ids = [randomUUID(), theirs.messageId, hidden, 'no-uuid', `${hidden}0`];
    const answers = await Promise.all(ids.map((id) => requeue(id, warden.token)));
    const [first] = answers;
    expect(first?.status).toBe(404);
    for (const answer of answers) {
      expect(exactly(answer)).toEqual(exactly(first as HttpAnswer));
    }
    expect(await statusOf(hidden)).toMatchObject({ status: 'terminal' });
  });
});

describe('a caller that is not an administrator', () => {
  test('is 401 without a credential and 403 with a lesser role, whether the observation exists or not', async () => {
    const messageId = await givenUp();
    expect(refusal(await requeue(messageId, null))).toEqual([401, 'unauthorized']);
    const curator = await service.home.person('curator', { role: 'curator' });
    for (const token of [teller, curator]) {
      for (const id of [messageId, randomUUID()]) {
        expect(refusal(await requeue(id, token))).toEqual([403, 'forbidden']);
      }
    }
    expect(await statusOf(messageId)).toMatchObject({ status: 'terminal', attempt_count: 1 });
  });
});

describe('an idempotency key', () => {
  test('gives the first run again, also to concurrent requests, also when the run has ended', async () => {
    const messageId = await givenUp();
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => requeue(messageId, boss, headers)),
    );
    await until(messageId, 'completed');
    answers.push(await requeue(messageId, boss, headers));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const audited = await service.rows(
      `select id from audit_events where action = 'extraction.requeued' and resource_id = $1`,
      [messageId],
    );
    expect(audited).toHaveLength(1);
  });

  test('is not kept for a refusal', async () => {
    const messageId = await tell();
    const headers = { 'idempotency-key': randomUUID() };
    expect((await requeue(messageId, boss, headers)).status).toBe(409);
    expect((await requeue(randomUUID(), boss, headers)).status).toBe(404);
    const kept = await service.rows('select from idempotency_records where key = $1', [
      headers['idempotency-key'],
    ]);
    expect(kept).toEqual([]);
  });
});
