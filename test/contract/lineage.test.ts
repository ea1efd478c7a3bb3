/** `POST /api/v1/lineage`: what something was made from, as far as the reader may see it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dataOf, startService, type Body, type Service } from '../support/service.ts';
import { exactly, refusal } from './answers.ts';

const PATH = '/api/v1/lineage';

let service: Service;
let agent: string;
let stranger: string;
let told = 0;

beforeAll(async () => {
  service = await startService();
  await service.home.preset('unattended');
  agent = (await service.home.agent('agent')).token;
  stranger = (await service.home.agent('stranger')).token;
});
afterAll(() => service.close());

/** A statement of a session of its own; answers the ids of the statement and of its message. */
async function say(content: string, changes: Body = {}) {
  told += 1;
  const body = { session_id: `s${told}`, peer_key: 'ines', peer_name: 'Ines', content };
  const { knowledge, messageId } = await service.ingestAndWait(agent, { ...body, ...changes });
  return { id: String(knowledge[0]?.['id']), messageId };
}

const ask = (body: Body, token = agent) =>
  service.call({ path: PATH, token, json: { scope_path: '/team', ...body } });
interface Change {
  readonly state?: string;
  readonly sensitivity?: string;
  readonly expires?: boolean;
}
const NONE = {
  cycle: 0,
  depth: 0,
  fan_out: 0,
  total_nodes: 0,
  missing_source: 0,
  lifecycle_hidden: 0,
  authorization_hidden: 0,
};

test('goes from a statement to the messages that it was drawn from', async () => {
  const { id, messageId } = await say('I own a red kayak.');
  expect(dataOf(await ask({ target_id: id }))).toEqual({
    target: { type: 'knowledge', id },
    nodes: [
      {
        id,
        type: 'knowledge',
        derivation_level: 1,
        operation: 'extracted',
        traversal_depth: 0,
        source_references: [{ type: 'message', visibility: 'visible', id: messageId }],
      },
      {
        id: messageId,
        type: 'message',
        derivation_level: 0,
        operation: 'observed',
        traversal_depth: 1,
        source_references: [],
      },
    ],
    terminations: NONE,
    truncated: false,
  });
});

test('names no message to a reader that was not there', async () => {
  const { id, messageId } = await say('I own a blue kayak.');
  const answer = await ask({ target_id: id }, stranger);
  expect(dataOf(answer)).toMatchObject({
    nodes: [{ id, source_references: [{ type: 'message', visibility: 'authorization_hidden' }] }],
    terminations: { ...NONE, authorization_hidden: 1 },
    truncated: false,
  });
  expect(answer.text).not.toContain(messageId);
});

test('shows a message as itself', async () => {
  const { messageId } = await say('I own a green kayak.');
  const { nodes } = dataOf(await ask({ target_id: messageId, target_type: 'message' }));
  expect(nodes).toEqual([
    expect.objectContaining({ id: messageId, operation: 'observed', source_references: [] }),
  ]);
});

test('goes from a passage to the version of its document', async () => {
  const submitted = await service.call({
    path: '/api/v1/documents',
    token: agent,
    json: {
      scope_path: '/team',
      media_type: 'text/plain',
      content_base64: Buffer.from('The ferry leaves at noon.').toString('base64'),
    },
  });
  const versionId = String(dataOf(submitted)['document_version_id']);
  const path = `/api/v1/documents/${versionId}?wait_ms=20000`;
  const status = dataOf(await service.call({ path, token: agent }));
  expect(status['status']).toBe('completed');
  const [passage] = await service.rows('select id from messages where document_version_id = $1', [
    versionId,
  ]);
  const target = { target_id: passage?.['id'], target_type: 'message' };
  expect(dataOf(await ask(target))).toMatchObject({
    nodes: [
      {
        operation: 'imported',
        source_references: [{ type: 'document_version', visibility: 'visible', id: versionId }],
      },
      { id: versionId, type: 'document_version', operation: 'imported', derivation_level: 0 },
    ],
  });
  const version = { target_id: versionId, target_type: 'document_version' };
  expect((await ask(version)).status).toBe(200);
  expect((await ask(version, stranger)).status).toBe(404);
});

describe('the budget', () => {
  test('stops at the depth, the fan-out and the number of nodes, and says so', async () => {
    const { id } = await say('I own a yellow kayak.');
    await say('I own a yellow kayak.');
    await say('I own a yellow kayak.');
    const stopped = async (body: Body) => {
      const { terminations, truncated } = dataOf(await ask({ target_id: id, ...body }));
      return [terminations, truncated];
    };
    expect(await stopped({})).toEqual([NONE, false]);
    expect(await stopped({ max_depth: 0 })).toEqual([{ ...NONE, depth: 3 }, true]);
    expect(await stopped({ max_fan_out: 1 })).toEqual([{ ...NONE, fan_out: 2 }, true]);
    expect(await stopped({ max_nodes: 2 })).toEqual([{ ...NONE, total_nodes: 2 }, true]);
  });
});

describe('the same 404, byte for byte, answers for a statement that', () => {
  const missing = async () => exactly(await ask({ target_id: randomUUID() }));

  test.each([
    ['is about somebody else and personal', { sensitivity: 'personal' }],
    ['waits for a decision', { state: 'held' }],
    ['was rejected', { state: 'rejected' }],
    ['was redacted', { state: 'redacted' }],
    ['was retracted', { state: 'retracted' }],
    ['has expired', { expires: true }],
  ])('%s', async (_, { expires = false, ...values }: Change) => {
    const { id } = await say(`I own the kayak number ${told}.`);
    if (!expires) await service.home.rewrite(id, values);
    else await service.rows('update knowledge set expires_at = now() where id = $1', [id]);
    const answer = exactly(await ask({ target_id: id }, stranger));
    expect(answer).toEqual(await missing());
  });

  test('lies in another scope', async () => {
    const { id } = await say('I own a black kayak.', { scope_path: '/elsewhere' });
    expect(exactly(await ask({ target_id: id }))).toEqual(await missing());
    expect((await ask({ target_id: id, scope_path: '/elsewhere' })).status).toBe(200);
  });
});

test('the same 404, byte for byte, answers for a message and a version that are missing or hidden', async () => {
  const { messageId } = await say('I own a silver kayak.');
  const submitted = await service.call({
    path: '/api/v1/documents',
    token: agent,
    json: {
      scope_path: '/team',
      media_type: 'text/plain',
      content_base64: Buffer.from('The kayak is silver.').toString('base64'),
    },
  });
  const versionId = String(dataOf(submitted)['document_version_id']);
  const missing = exactly(await ask({ target_id: randomUUID() }, stranger));
  for (const [target_type, id] of [
    ['message', messageId],
    ['document_version', versionId],
    // The id is one of another sort.
    ['knowledge', messageId],
  ]) {
    const hidden = await ask({ target_type, target_id: id }, stranger);
    const none = await ask({ target_type, target_id: randomUUID() }, stranger);
    expect([exactly(hidden), exactly(none)]).toEqual([missing, missing]);
  }
});

test('a statement that was superseded is shown to those who could read it', async () => {
  const { id } = await say('I live in Bergen.');
  await say('I live in Oslo.');
  const [row] = await service.rows('select state from knowledge where id = $1', [id]);
  expect(row).toEqual({ state: 'superseded' });
  expect((await ask({ target_id: id }, stranger)).status).toBe(200);
});

test('a target that is no id is not found, and one of another kind is refused', async () => {
  const missing = exactly(await ask({ target_id: randomUUID() }));
  expect(exactly(await ask({ target_id: 'kayak' }))).toEqual(missing);
  expect(refusal(await ask({}))).toEqual([422, 'invalid_request', 'target_id']);
  const other = { target_id: randomUUID(), target_type: 'scope' };
  expect(refusal(await ask(other))).toEqual([422, 'invalid_request', 'target_type']);
});
