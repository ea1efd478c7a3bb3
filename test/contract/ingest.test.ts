/** `POST /api/v1/ingest` and its status: what is answered, what is remembered, and who may look. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HANGS_MS, eventually } from '../support/patience.ts';
import {
  closeWithoutErrors,
  dataOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { refusal } from './answers.ts';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const MIB = 1_048_576;

let service: Service;
let relay: string;

const ingest = (body: Body, headers: Readonly<Record<string, string>> = {}) =>
  service.ingest(relay, { peer_key: 'alice', content: 'I like tea.', ...body }, headers);

beforeAll(async () => {
  service = await startService();
  relay = (await service.home.agent('relay')).token;
});

afterAll(() => closeWithoutErrors(service));

describe('the answer', () => {
  test.each([
    ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01T10:00:00+02:00', '2024-05-01T08:00:00.000Z'],
    ['2024-05-01T10:00:00', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
  ])('202 echoes occurred_at: %s is %s', async (occurred_at, effective) => {
    const answer = await ingest({ occurred_at });
    expect([answer.status, answer.json()]).toEqual([
      202,
      { data: { message_id: UUID, status: 'accepted', occurred_at: effective } },
    ]);
  });

  test.each([[undefined], [null], ['yesterday'], ['2024-02-30'], [1714557600], [{}]])(
    'an occurred_at of %j is now',
    async (occurred_at) => {
      const before = Date.now();
      const effective = Date.parse(String(dataOf(await ingest({ occurred_at }))['occurred_at']));
      // Two clocks of one machine: Postgres' and this process's.
      expect(effective).toBeGreaterThanOrEqual(before - 1_000);
      expect(effective).toBeLessThanOrEqual(Date.now() + 1_000);
    },
  );
});

test('the account comes from the credential alone: no header and no field changes it', async () => {
  const body = { session_id: randomUUID(), account_key: service.other.key, unknown: { deep: [1] } };
  expect((await ingest(body, { 'x-memhouse-account-key': service.other.key })).status).toBe(202);
  const rows = await service.rows('select account_id from sessions where external_id = $1', [
    body.session_id,
  ]);
  expect(rows).toEqual([{ account_id: service.home.id }]);
});

describe('the size of content', () => {
  const euros = '€'.repeat(Math.floor(MIB / 3));

  test('of 1 MiB in bytes is accepted', async () => {
    const answer = await ingest({ content: `${euros}.`, role: 'tool' });
    expect(answer.status).toBe(202);
  });

  test('of a byte more is 413, whatever its characters', async () => {
    for (const content of [`${euros}€`, 'x'.repeat(MIB + 1)]) {
      expect(refusal(await ingest({ content }))).toEqual([413, 'payload_too_large', 'content']);
    }
  });
});

describe('a field that is missing or cannot be stored', () => {
  test.each([
    ['content', ''],
    ['content', '  '],
    ['content', 'a\u0000b'],
    ['content', 'a\uD800b'],
    ['content', 7],
    ['session_id', undefined],
    ['session_id', ' '],
    ['session_id', 7],
    ['session_id', 'x'.repeat(257)],
    ['session_id', 'a\u0007b'],
    ['scope_path', null],
    ['scope_path', ' '],
    ['scope_path', '/a/../b'],
    ['peer_key', 'x'.repeat(257)],
    ['role', 7],
  ])('%s of %j is 422', async (field, value) => {
    expect(refusal(await ingest({ [field]: value }))).toEqual([422, 'invalid_request', field]);
  });
});

describe('an idempotency key', () => {
  const once = () => ({ 'idempotency-key': randomUUID() });
  const messagesOf = async (session: string): Promise<unknown> =>
    (
      await service.rows(
        `select count(*)::integer as n from messages m join sessions s
           on s.account_id = m.account_id and s.id = m.session_id where s.external_id = $1`,
        [session],
      )
    )[0]?.['n'];

  test('gives the first answer to the same request in another spelling, and stores one message', async () => {
    const headers = once();
    const session_id = randomUUID();
    const first = await ingest({ session_id, occurred_at: null }, headers);
    const spelling = {
      peer_key: ' alice',
      scope_path: 'team',
      role: 'user',
      occurred_at: 'whenever',
    };
    const again = await ingest({ session_id, ...spelling, unknown: 'field' }, headers);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(await messagesOf(session_id)).toBe(1);
  });

  test.each([
    [{ content: 'I like coffee.' }],
    [{ session_id: 'another' }],
    [{ scope_path: '/team/other' }],
    [{ peer_key: 'bob' }],
    [{ peer_name: 'Alice' }],
    [{ role: 'customer' }],
    [{ occurred_at: '2024-05-02' }],
  ])('is 409 to another request: %j', async (other) => {
    const headers = once();
    expect((await ingest({ occurred_at: '2024-05-01' }, headers)).status).toBe(202);
    const answer = await ingest({ occurred_at: '2024-05-01', ...other }, headers);
    expect(refusal(answer)).toEqual([409, 'conflict']);
  });

  test('gives concurrent identical requests the same answer, and stores one message', async () => {
    const headers = once();
    const body = { session_id: randomUUID() };
    const twins = await Promise.all(Array.from({ length: 8 }, () => ingest(body, headers)));
    expect(twins.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1);
    expect(await messagesOf(body.session_id)).toBe(1);
  });

  test('is kept for each credential, even of the same peer', async () => {
    const headers = once();
    const second = (await service.home.agent('relay')).token;
    const first = dataOf(await ingest({}, headers));
    const answer = await service.ingest(second, { content: 'Another.' }, headers);
    expect(answer.status).toBe(202);
    expect(dataOf(answer)['message_id']).not.toBe(first['message_id']);
  });

  test('is not used up by a refusal', async () => {
    const headers = once();
    expect((await ingest({ content: '' }, headers)).status).toBe(422);
    expect((await ingest({ content: 'x'.repeat(MIB + 1) }, headers)).status).toBe(413);
    expect((await ingest({}, headers)).status).toBe(202);
  });
});

describe('the status', () => {
  const said = { session_id: 'a-talk', content: 'I live in Lisbon.' };

  test('has every field of the contract', async () => {
    const { messageId, status } = await service.ingestAndWait(relay, {
      ...said,
      session_id: 'alone',
      peer_key: 'alice',
    });
    expect(status).toEqual({
      message_id: messageId,
      status: 'completed',
      extraction_completed_at: expect.stringMatching(/Z$/),
      knowledge: [
        expect.objectContaining({ state: 'provisional', source_message_ids: [messageId] }),
      ],
      last_error_class: null,
      attempt_count: 1,
      next_attempt_at: null,
    });
    expect(status['knowledge']).not.toHaveProperty('0.scope_path');
  });

  test('is visible to participants of the session and to curators, and is a 404 for all others', async () => {
    const { home } = service;
    const bystander = { ...said, peer_key: 'bob', content: 'Hello.' };
    await service.ingestAndWait(relay, bystander);
    const { messageId } = await service.ingestAndWait(relay, { ...said, peer_key: 'alice' });
    const there = {
      relay,
      speaker: await home.person('alice', { peer: 'alice' }),
      participant: await home.person('bob', { peer: 'bob' }),
      curator: await home.person('curator', { role: 'curator', scope: '/team' }),
      'admin machine': (await home.agent(null, { role: 'account_admin' })).token,
    };
    const late = await home.person('late');
    await service.ingest(late, { ...said, content: 'Hello.' });
    for (const [who, token] of Object.entries(there)) {
      const { status } = await service.status(token, messageId);
      expect([who, status]).toEqual([who, 200]);
    }
    const strangers = {
      'participant who joined later': late,
      member: await home.person('member'),
      agent: (await home.agent('another')).token,
      'machine without a peer': (await home.agent(null)).token,
      'curator elsewhere': await home.person('away', { role: 'curator', scope: '/else' }),
      'member of another account': (await service.other.agent('relay')).token,
    };
    const unknown = await service.status(relay, randomUUID());
    for (const [who, token] of Object.entries(strangers)) {
      const answer = await service.status(token, messageId);
      expect([who, answer.status, answer.text]).toEqual([who, 404, unknown.text]);
    }
    const next = dataOf(await service.ingest(relay, { ...said, peer_key: 'alice' }));
    expect((await service.status(late, String(next['message_id']))).status).toBe(200);
  });

  test('lists provisional rows to their submitter only, and held rows to no caller, not even to curators', async () => {
    const { messageId, knowledge } = await service.ingestAndWait(relay, {
      content: 'I play chess. I keep bees in the garden.',
      peer_key: 'carol',
    });
    expect(knowledge).toHaveLength(2);
    await service.rows(`update knowledge set state = 'held' where account_id = $1 and id = $2`, [
      service.home.id,
      knowledge[0]?.['id'],
    ]);
    const curator = await service.home.person('reviewer', { role: 'curator' });
    const lists = [relay, curator].map(async (token) =>
      dataOf(await service.status(token, messageId)),
    );
    const [own, reviewed] = await Promise.all(lists);
    expect(own?.['knowledge']).toEqual([knowledge[1]]);
    expect(reviewed?.['knowledge']).toEqual([]);
  });
});

describe('waiting for the status', () => {
  /** Sets extraction back as if its provider were away for an hour. */
  async function unfinished(): Promise<string> {
    const { messageId } = await service.ingestAndWait(relay, {
      content: 'Hello.',
      peer_key: 'alice',
      session_id: randomUUID(),
    });
    await service.rows(
      `update extraction_anchors set status = 'failed', completed_at = null, last_error_class = 'transport_error',
         attempt_count = 2, available_at = now() + interval '1 hour' where message_id = $1`,
      [messageId],
    );
    return messageId;
  }

  async function timed(messageId: string, query: string): Promise<[number, Body]> {
    const startedAt = performance.now();
    const data = dataOf(await service.status(relay, messageId, query));
    return [performance.now() - startedAt, data];
  }

  test('shows a failure as it is, with the time of the next attempt and no knowledge', async () => {
    expect(dataOf(await service.status(relay, await unfinished()))).toMatchObject({
      status: 'failed',
      extraction_completed_at: null,
      knowledge: [],
      last_error_class: 'transport_error',
      attempt_count: 2,
      next_attempt_at: expect.stringMatching(/Z$/),
    });
  });

  test('ends when the time is up, and after 10 seconds at most', async () => {
    const messageId = await unfinished();
    const answered: string[] = [];
    const waits = ['?wait_ms=300', '?wait_ms=600000', '?wait_ms=-5'].map(async (query) => {
      const timing = await timed(messageId, query);
      answered.push(query);
      return timing;
    });
    const [short, long] = await Promise.all(waits);
    expect(answered.at(-1)).toBe('?wait_ms=600000');
    expect(short?.[0]).toBeGreaterThanOrEqual(290);
    expect(long?.[0]).toBeGreaterThanOrEqual(9_900);
    expect(long?.[0]).toBeLessThan(HANGS_MS);
    expect(long?.[1]).toMatchObject({ status: 'failed' });
  });

  test('ends early when extraction is completed', async () => {
    // A busy machine may not extract within the time: then it is another message's turn.
    await eventually(async () => {
      const answer = await ingest({ session_id: randomUUID(), content: 'I like rain.' });
      const messageId = String(dataOf(answer)['message_id']);
      const [took, status] = await timed(messageId, '?wait_ms=10000');
      return status['status'] === 'completed' && took < 9_000;
    });
  });

  test('is a whole number of milliseconds', async () => {
    const answer = await service.status(relay, randomUUID(), '?wait_ms=soon');
    expect(refusal(answer)).toEqual([422, 'invalid_request', 'wait_ms']);
  });
});
