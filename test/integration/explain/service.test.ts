/** What is explained of messages and statements that a running service took in: what waits, is withheld or gone. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readErasureAsOperator } from '../../../operations/erasure/read-as-operator.ts';
import { erasePeer } from '../../../operations/erasure/erase-peer.ts';
import { explainUnit } from '../../../operations/explain/unit.ts';
import { SHARDS } from '../../../stores/postgres/actors/shards.ts';
import type { TestAccount } from '../../support/account.ts';
import { eventually } from '../../support/patience.ts';
import {
  candidatesOf,
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type OwnService,
} from '../../support/service.ts';
import { causesOf } from './scene.ts';

/** Stands in every text of this file. */
const CANARY = 'xylorimba';

let service: OwnService;
let relay: string;
beforeAll(async () => {
  service = await startOwnService({ SERVICE_ERASURE_SETTLE_SECONDS: '1' });
  relay = (await service.home.agent('relay')).token;
});
afterAll(() => closeWithoutErrors(service));

/** No explanation of this file holds a word of what was said. */
async function explain(
  unit: 'message' | 'statement',
  id: unknown,
  { account = service.home, reader }: { account?: TestAccount; reader?: string } = {},
) {
  const told = await service.operate(explainUnit, { account: account.key, unit, id, reader });
  expect(JSON.stringify(told).toLowerCase()).not.toContain(CANARY);
  return told;
}

const said = (token: string, content: string, values: Readonly<Record<string, unknown>> = {}) => ({
  token,
  body: { peer_key: 'alice', peer_name: 'Alice', content, ...values },
});

describe('a statement at a gate', () => {
  let message: string;
  let statement: unknown;
  beforeAll(async () => {
    const { body, token } = said(relay, `I play the ${CANARY}.`);
    const settled = await service.ingestAndWait(token, body);
    message = settled.messageId;
    statement = settled.knowledge[0]?.['id'];
    await service.quiet();
  });

  test('waits for a person, and only its submitters find it', async () => {
    const told = await explain('statement', statement);
    expect(causesOf(told)).toEqual(['provisional']);
    expect(told.statement).toMatchObject({
      state: 'provisional',
      scope_path: '/team',
      decisions: [
        { gate: 'gate_b', decision: 'provisional', reason: 'person_decides' },
        { gate: 'gate_a', decision: 'defer', reason: 'person_decides' },
      ],
      items: [{ kind: 'gate_a_b', state: 'pending', reason: 'person_decides' }],
      source_message_ids: [message],
    });
    expect(await explain('statement', statement, { reader: 'relay' })).toMatchObject({
      found: true,
      reader: { role: 'member', readable: true },
    });
  });

  test('is listed by its message, which nothing keeps from being found', async () => {
    const told = await explain('message', message);
    expect(told).toMatchObject({
      found: true,
      obstacles: [],
      message: {
        scope_path: '/team',
        speaker_key: 'alice',
        relay_key: 'relay',
        extraction: { status: 'completed', last_error_class: null, held: false },
        statement_counts: [{ state: 'provisional', count: 1 }],
        statements: [{ id: statement, state: 'provisional' }],
      },
      indexes: [
        { index: 'qdrant', presence: 'present' },
        { index: 'meilisearch', presence: 'present' },
      ],
    });
  });

  test('of a scope for which the reader has no grant is kept from the reader by that', async () => {
    await service.home.agent('stranger', { scope: '/elsewhere' });
    const told = await explain('statement', statement, { reader: 'stranger' });
    expect(causesOf(told)).toEqual(['provisional', 'reader_without_scope']);
    expect(told.reader).toMatchObject({ role: null, readable: false });
  });
});

test('a statement that a search returns is found, for that reader', async () => {
  await service.other.preset('unattended');
  const { token } = await service.other.agent('player');
  const settled = await service.ingestAndWait(token, { content: `I tune the ${CANARY}.` });
  const id = settled.knowledge[0]?.['id'];
  const found = await service.search(token, { query: CANARY });
  expect(candidatesOf(found).map((one) => one['id'])).toContain(id);
  const told = await explain('statement', id, { account: service.other, reader: 'player' });
  expect(told).toMatchObject({ found: true, statement: { state: 'active' } });
});

test('a message in a mailbox that is held back waits, and says so until it goes on', async () => {
  const account = await service.account('paused');
  const { token } = await account.agent('player');
  await service.rows(
    `insert into mailboxes (account_id, kind, shard, paused)
     select $1, 'ingest', shard, true from generate_series(0, $2::integer - 1) as s (shard)`,
    [account.id, SHARDS],
  );
  const accepted = dataOf(await service.ingest(token, { content: `I own a ${CANARY}.` }));
  const id = accepted['message_id'];
  const waiting = await explain('message', id, { account });
  expect(causesOf(waiting)[0]).toBe('mailbox_paused');
  expect(waiting).toMatchObject({
    found: false,
    message: { extraction: { status: 'pending', completed_at: null }, mailbox: { paused: true } },
  });
  await service.rows('update mailboxes set paused = false where account_id = $1', [account.id]);
  await eventually(async () => {
    const { message } = await explain('message', id, { account });
    return message?.extraction?.status === 'completed';
  });
});

test('what an erased person said is gone, and an explanation says that nothing has the id', async () => {
  const { body, token } = said(relay, `I miss the ${CANARY}.`, {
    peer_key: 'zoe',
    session_id: 'z',
  });
  const { knowledge, messageId } = await service.ingestAndWait(token, body);
  const { id } = await service.operate(erasePeer, {
    account: service.home.key,
    peer: 'zoe',
    mode: 'proportionate',
  });
  await eventually(async () => {
    const erasure = await service.operate(readErasureAsOperator, {
      account: service.home.key,
      id,
    });
    return erasure.state === 'completed';
  });
  await expect(explain('message', messageId)).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(explain('statement', knowledge[0]?.['id'])).rejects.toMatchObject({
    fields: [{ path: 'id' }],
  });
});
