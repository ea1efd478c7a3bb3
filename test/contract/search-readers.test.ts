/** The reader of a search: the own peer, a named one, or none; and which callers may name which peers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../support/http.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';
import { signIn } from '../support/account.ts';
import {
  closeWithoutErrors,
  candidatesOf,
  dataOf,
  rowsOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { exactly, refusal, withoutTimes } from './answers.ts';

let service: Service;
let relay: string;
let stranger: string;
let machine: string;

const QUERY = { query: 'garden', profile: 'thorough' };
const search = (token: string, body: Body = {}) => service.search(token, { ...QUERY, ...body });

function seen(answer: HttpAnswer): unknown {
  const statements = candidatesOf(answer).map(({ statement }) => statement);
  return { posture: dataOf(answer)['reader_posture'], statements: statements.toSorted() };
}

/** What is personal waits for a person under this preset; what is internal does not. */
const PROVISIONAL = 'Alice keeps a garden and takes medicine for gastritis.';
const INTERNAL = 'Alice planted a garden of roses.';
const PUBLIC = 'Alice opened the botanical garden.';
const PERSONAL = 'Alice has a garden and a diagnosis of asthma.';

beforeAll(async () => {
  service = await startService();
  const { home } = service;
  await home.preset('assisted');
  relay = (await home.agent('relay')).token;
  stranger = (await home.agent('stranger')).token;
  machine = (await home.agent(null)).token;
  const tell = (content: string) =>
    service.ingestAndWait(relay, { peer_key: 'alice', peer_name: 'Alice', content });
  const provisional = await tell('I keep a garden and take medicine for gastritis.');
  expect(provisional.knowledge.map(({ state }) => state)).toEqual(['provisional']);
  await tell('I planted a garden of roses.');
  const opened = await tell('I opened the botanical garden.');
  await home.rewrite(opened.knowledge[0]?.['id'], { sensitivity: 'public' });
  const personal = await tell('I have a garden and a diagnosis of asthma.');
  expect(personal.knowledge.map(({ sensitivity }) => sensitivity)).toEqual(['personal']);
  await home.rewrite(personal.knowledge[0]?.['id'], { state: 'active' });
  await home.reindex();
});

afterAll(() => closeWithoutErrors(service));

describe('a credential that names no reader', () => {
  test('reads as its own peer, its own provisional statements included', async () => {
    expect(seen(await search(relay))).toEqual({
      posture: 'peer',
      statements: [PERSONAL, PROVISIONAL, PUBLIC, INTERNAL].toSorted(),
    });
  });

  test('of a peer that took no part in the session reads public and internal statements', async () => {
    expect(seen(await search(stranger))).toEqual({
      posture: 'peer',
      statements: [PUBLIC, INTERNAL].toSorted(),
    });
  });

  test('without a peer reads public statements only', async () => {
    expect(seen(await search(machine))).toEqual({ posture: 'public_only', statements: [PUBLIC] });
  });

  test('treats a null or blank peer_key as none', async () => {
    for (const peer_key of [null, '', '  ']) {
      expect(seen(await search(machine, { peer_key }))).toMatchObject({ posture: 'public_only' });
    }
  });
});

describe('a machine', () => {
  test('may name any peer of its account, and reads as that peer', async () => {
    for (const token of [relay, stranger, machine]) {
      expect(seen(await search(token, { peer_key: 'alice' }))).toEqual({
        posture: 'peer',
        statements: [PERSONAL, PROVISIONAL, PUBLIC, INTERNAL].toSorted(),
      });
    }
  });

  test('that names another peer does not read what it could read as itself', async () => {
    expect(seen(await search(relay, { peer_key: 'stranger' }))).toEqual({
      posture: 'peer',
      statements: [PUBLIC, INTERNAL].toSorted(),
    });
  });

  test('that names a peer the account does not have gets an error, not an empty result', async () => {
    expect(refusal(await search(relay, { peer_key: 'nobody' }))).toEqual([422, 'unknown_peer']);
    const listing = await service.knowledge(relay, { peer_key: 'nobody' });
    expect(refusal(listing)).toEqual([422, 'unknown_peer']);
  });

  test('gains no scope of the peer that it names', async () => {
    const elsewhere = (await service.home.agent('elsewhere', { scope: '/else' })).token;
    const answer = await search(elsewhere, { peer_key: 'alice' });
    expect(seen(answer)).toEqual({ posture: 'peer', statements: [] });
  });

  test('that names another reader leaves an audit event: who, whom, in which operation and scope', async () => {
    await search(stranger, { peer_key: 'alice' });
    await service.knowledge(stranger, { peer_key: 'alice' });
    const events = await service.rows(
      `select named.key as reader, e.category, e.action, e.metadata->>'operation' as operation,
         (select path from scopes s where s.account_id = e.account_id and s.id = (e.metadata->>'scope_id')::uuid) as path
       from audit_events e
       join peers p on p.account_id = e.account_id and p.id = e.actor_peer_id
       join peers named on named.account_id = e.account_id and named.id = e.resource_id
       where e.account_id = $1 and p.key = 'stranger' and e.category = 'access' order by e.occurred_at desc limit 2`,
      [service.home.id],
    );
    const event = { reader: 'alice', category: 'access', action: 'reader.named', path: '/team' };
    expect(events).toEqual([
      { ...event, operation: 'knowledge.query' },
      { ...event, operation: 'memory.search' },
    ]);
  });
});

describe('a person', () => {
  test('without the role of curator may name no other peer, known or unknown', async () => {
    const token = await service.home.person('member');
    const known = await search(token, { peer_key: 'alice' });
    const unknown = await search(token, { peer_key: 'nobody' });
    expect(refusal(known)).toEqual([403, 'forbidden']);
    expect(unknown.text).toBe(known.text);
    const listing = await service.knowledge(token, { peer_key: 'alice' });
    expect(listing.text).toBe(known.text);
  });

  test('may name itself', async () => {
    const token = await service.home.person('self');
    expect(seen(await search(token, { peer_key: service.home.emailOf('self') }))).toMatchObject({
      posture: 'peer',
    });
  });

  test('as curator of the scope may name any peer of the account, and no unknown one', async () => {
    const token = await service.home.person('curator', { role: 'curator', scope: '/team' });
    expect(seen(await search(token, { peer_key: 'alice' }))).toMatchObject({
      statements: [PERSONAL, PROVISIONAL, PUBLIC, INTERNAL].toSorted(),
    });
    expect(refusal(await search(token, { peer_key: 'nobody' }))).toEqual([422, 'unknown_peer']);
  });

  test('as curator of another scope may name no other peer', async () => {
    const token = await service.home.person('faraway', { role: 'curator', scope: '/else' });
    expect(refusal(await search(token, { peer_key: 'alice' }))).toEqual([403, 'forbidden']);
  });

  test('with a login attached to an existing peer reads as that peer', async () => {
    const token = await service.home.person('alice-at-home', { peer: 'alice' });
    expect(seen(await search(token))).toMatchObject({
      statements: [PERSONAL, PROVISIONAL, PUBLIC, INTERNAL].toSorted(),
    });
  });
});

describe('a person who curates a scope and only reads those above it', () => {
  const SCOPE = '/team/deep';
  const naming = { scope_path: SCOPE, peer_key: 'alice' };
  let half: string;

  const tell = (token: string, scope_path: string, content: string, body: Body = {}) =>
    service.ingestAndWait(token, { scope_path, session_id: `at-${scope_path}`, content, ...body });
  const alice = { peer_key: 'alice', peer_name: 'Alice' };
  const listed = async (state: string) =>
    rowsOf(await service.knowledge(half, { ...naming, state })).map(({ statement, scope_path }) => [
      statement,
      scope_path,
    ]);

  beforeAll(async () => {
    await service.home.person('half', { role: 'reader' });
    await service.home.grant(service.home.emailOf('half'), { scope: SCOPE, role: 'curator' });
    // A token that was asked nothing yet: what it may do is not remembered from before the grant.
    half = await signIn((call) => service.call(call), service.home.emailOf('half'));
    await tell(relay, SCOPE, 'I have a garden and take medicine for migraine.', alice);
  });

  test('reads as the named peer in that scope, and as himself in the scopes above', async () => {
    // Above, he reads those of her statements that are public or internal.
    expect(seen(await search(half, naming))).toEqual({
      posture: 'peer',
      statements: [
        PUBLIC,
        INTERNAL,
        'Alice has a garden and takes medicine for migraine.',
      ].toSorted(),
    });
    expect(await listed('provisional')).toEqual([
      ['Alice has a garden and takes medicine for migraine.', SCOPE],
    ]);
    expect(refusal(await search(half, { ...naming, scope_path: '/team' }))).toEqual([
      403,
      'forbidden',
    ]);
  });

  test('gets unchanged answers when the named peer says something above that scope', async () => {
    const ask = async () => [
      ...(await Promise.all(
        KNOWLEDGE_STATES.map(async (state) =>
          exactly(await service.knowledge(half, { ...naming, state })),
        ),
      )),
      withoutTimes(await search(half, naming)),
      withoutTimes(await search(half, { ...naming, query: 'hedgehog' })),
    ];
    const before = await ask();
    await tell(relay, '/team', 'I keep a hedgehog and take medicine for insomnia.', alice);
    await service.quiet();
    expect(await ask()).toEqual(before);
  });

  test('gets sources that the named peer may read in that scope, and only sources of his own above', async () => {
    const rows = candidatesOf(await search(half, naming));
    const sources = rows.map(({ statement, source_message_ids: ids }) => [
      statement,
      Array.isArray(ids) ? ids.length : null,
    ]);
    expect(sources.toSorted()).toEqual(
      [
        ['Alice has a garden and takes medicine for migraine.', 1],
        [PUBLIC, 0],
        [INTERNAL, 0],
      ].toSorted(),
    );
  });
});
