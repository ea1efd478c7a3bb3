/**
 * A whole conversation through the service, from outside: nothing is lost, nothing is learnt twice, and what
 * has just been learnt is found at once.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, type Client } from '../../measure/bench/client.ts';
import {
  measureConversation,
  promisesKept,
  type Measurement,
} from '../../measure/bench/measure.ts';
import { syntheticConversation } from '../support/conversation.ts';
import { startOwnService, type OwnService } from '../support/service.ts';
import { SERVERS_MS } from '../support/patience.ts';

const MESSAGES = 120;
const FRESH = 50;
const FOUND = 10;

let service: OwnService;
let client: Client;
let measured: Measurement;

beforeAll(async () => {
  service = await startOwnService();
  const { token } = await service.home.agent('relay');
  client = createClient({ baseUrl: service.url, apiKey: token });
  measured = await measureConversation(client, syntheticConversation(MESSAGES), {
    run: 'ci',
    freshCount: FRESH,
    foundCount: FOUND,
    concurrency: 4,
    patienceMs: 40_000,
  });
});

afterAll(() => service?.close(), SERVERS_MS);

describe('a conversation of two people', () => {
  test('is extracted to its last message', () => {
    expect(measured.messages).toBe(MESSAGES);
    expect(measured.first.completed).toBe(MESSAGES);
  });

  test('becomes statements that cite most of its messages', () => {
    expect(measured.first.statements).toBeGreaterThanOrEqual(MESSAGES * 0.7);
    expect(measured.first.cited).toBeGreaterThanOrEqual(MESSAGES * 0.7);
    expect(measured.first.cited).toBeLessThan(MESSAGES);
  });

  test('sent again with the same times adds no statement and corroborates nothing', () => {
    expect(measured.resent).toMatchObject({
      completed: MESSAGES,
      added: 0,
      corroborationChanged: 0,
    });
  });

  test('sent again with the same keys adds no message', async () => {
    expect(measured.repeated.messagesAdded).toBe(0);
    const [stored] = await service.rows('select count(*)::int as messages from messages');
    expect(stored?.['messages']).toBe(2 * MESSAGES + FRESH + FOUND + measured.fresh.passedOver);
  });

  test('is found by a phrase of a message as soon as that is completed, every time', () => {
    expect(measured.fresh).toMatchObject({ tried: FRESH, found: FRESH });
  });

  test('is not returned when a query excludes a word of it, although its other words match', () => {
    expect(measured.fresh).toMatchObject({ foundByOthers: FRESH, leaked: 0 });
  });

  test('passes every check of the measurement, and the service logs no error', async () => {
    expect(promisesKept(measured)).toBe(true);
    expect(await service.errors()).toEqual([]);
  });
});

test('a phrase of stop words finds the statement that holds it', async () => {
  const scope = '/phrases';
  const said = {
    session_id: 'phrases',
    scope_path: scope,
    peer_key: 'nora',
    occurred_at: '2021-05-01T10:00:00Z',
  };
  const other = await client.ingest({ ...said, content: 'I keep bees behind the old station.' });
  await client.settled(other);
  const id = await client.ingest({
    ...said,
    content: "They've been there for me since I opened the bakery in Tartu.",
  });
  const { status, knowledge } = await client.settled(id);
  expect(status).toBe('completed');
  const found = await client.search(`"they've been there"`, scope);
  expect(found.map((candidate) => candidate.id)).toEqual(knowledge.map((row) => row.id));
  expect(await client.search(`"they were there"`, scope)).toEqual([]);
});
