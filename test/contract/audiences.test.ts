/** Audiences over HTTP: who reads what was said to some, and what was drawn from it, through every door that shows it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestAccount } from '../support/account.ts';
import {
  candidatesOf,
  dataOf,
  rowsOf,
  startService,
  type Body,
  type Service,
  type Settled,
} from '../support/service.ts';
import { refusal } from './answers.ts';

const PEOPLE = ['alice', 'bo', 'cleo', 'dora'] as const;

let service: Service;
let account: TestAccount;
let relay: string;
let admin: string;

const rowsIn = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? value.map((row): Body => Object(row)) : [];

const tell = (speaker: string, content: string, more: Body = {}): Promise<Settled> =>
  service.ingestAndWait(relay, { session_id: 'care', peer_key: speaker, content, ...more });

async function found(peer: string, query: string): Promise<unknown[]> {
  const answer = await service.search(relay, { peer_key: peer, query, limit: 50 });
  return candidatesOf(answer).map(({ statement }) => statement);
}

async function heard(peer: string, query: string, mode = 'exact'): Promise<unknown[]> {
  const answer = await service.call({
    path: '/api/v1/source-search',
    token: relay,
    json: { scope_path: '/team', peer_key: peer, query, mode, limit: 50 },
  });
  return rowsIn(dataOf(answer)['results']).map(({ excerpt }) => excerpt);
}

async function listed(peer: string): Promise<unknown[]> {
  const answer = await service.knowledge(relay, { peer_key: peer, limit: '100' });
  return rowsOf(answer).map(({ statement }) => statement);
}

const circle = (members: readonly string[], name = 'care team') =>
  service.call({
    method: 'PUT',
    path: '/api/v1/governance/circles',
    token: admin,
    json: { scope_path: '/team', name, members },
  });

/** Who of the people reads what `ask` says, in their order. */
async function readersOf(
  text: RegExp | string,
  ask: (peer: string) => Promise<readonly unknown[]>,
): Promise<string[]> {
  const readers: string[] = [];
  for (const peer of PEOPLE) {
    const texts = (await ask(peer)).map(String);
    const is = (one: string) => (typeof text === 'string' ? one === text : text.test(one));
    if (texts.some(is)) readers.push(peer);
  }
  return readers;
}

beforeAll(async () => {
  service = await startService();
  account = await service.account('audiences');
  await account.preset('unattended');
  relay = (await account.agent('relay')).token;
  admin = await account.person('admin-of-care', { role: 'account-admin', scope: '/' });
  for (const person of PEOPLE) await tell(person, 'Good morning everybody.');
});
afterAll(() => service.close());

describe('what is said to one person', () => {
  const SAID = 'I collect old lighthouses.';
  const DRAWN = /collects old lighthouses/u;

  beforeAll(async () => {
    await tell('alice', SAID, { audience: { peers: ['bo'] } });
    await service.quiet();
  });

  test('is found by that person and by who said it, in what was said', async () => {
    expect(await readersOf(SAID, (peer) => heard(peer, 'lighthouses'))).toEqual(['alice', 'bo']);
    expect(await readersOf(SAID, (peer) => heard(peer, 'lighthouses', 'semantic'))).toEqual([
      'alice',
      'bo',
    ]);
  });

  test('is found by them in what was drawn from it', async () => {
    expect(await readersOf(DRAWN, (peer) => found(peer, 'lighthouses'))).toEqual(['alice', 'bo']);
  });

  test('is listed for them alone', async () => {
    expect(await readersOf(DRAWN, listed)).toEqual(['alice', 'bo']);
  });

  test('tells nobody else that there is something', async () => {
    const asked = { query: 'lighthouses', peer_key: 'cleo' };
    const hidden = dataOf(await service.search(relay, asked));
    const missing = dataOf(await service.search(relay, { ...asked, query: 'zeppelins' }));
    const without = ({ latency_ms: _l, query: _q, retrieval_outcomes: _o, ...rest }: Body) => ({
      ...rest,
      pre_rerank_remaining_ms: null,
      reserved_rerank_ms: null,
    });
    const outcomes = (answer: Body) =>
      rowsIn(answer['retrieval_outcomes']).map(({ component, reason_class, status }) => [
        component,
        status,
        reason_class,
      ]);
    expect(without(hidden)).toEqual(without(missing));
    expect(outcomes(hidden)).toEqual(outcomes(missing));
  });
});

describe('the same words to all and to some', () => {
  test('are two statements, and each reader sees those that are for it', async () => {
    await tell('alice', 'I live in Bergen.');
    await tell('alice', 'I live in Bergen.', { audience: { peers: ['bo'] } });
    await service.quiet();
    const rows = await service.rows(
      `select audience_id is null as is_for_all, corroboration_count from knowledge
       where account_id = $1 and statement ilike '%lives in Bergen%' order by 1`,
      [account.id],
    );
    expect(rows).toEqual([
      { is_for_all: false, corroboration_count: 1 },
      { is_for_all: true, corroboration_count: 1 },
    ]);
    const seen = (await found('cleo', 'Bergen')).filter((text) => /Bergen/u.test(String(text)));
    expect(seen).toHaveLength(1);
  });

  test('a newer statement to some leaves the older one to all as it is', async () => {
    await tell('dora', 'I live in Turku.', { occurred_at: '2026-01-01T10:00:00Z' });
    await tell('dora', 'I live in Oulu.', {
      occurred_at: '2026-02-01T10:00:00Z',
      audience: { peers: ['bo'] },
    });
    await service.quiet();
    expect(await readersOf(/Turku/u, listed)).toEqual([...PEOPLE]);
    expect(await readersOf(/Oulu/u, listed)).toEqual(['bo', 'dora']);
  });

  test('a newer statement to all ends the older one to some', async () => {
    await tell('cleo', 'I live in Lund.', {
      occurred_at: '2026-01-01T10:00:00Z',
      audience: { peers: ['bo'] },
    });
    await tell('cleo', 'I live in Malmö.', { occurred_at: '2026-02-01T10:00:00Z' });
    await service.quiet();
    expect(await readersOf(/Malmö/u, listed)).toEqual([...PEOPLE]);
    expect(await readersOf(/Lund/u, listed)).toEqual([]);
  });
});

describe('what is said to a circle', () => {
  const SAID = 'I keep my spare key under the third pot.';

  test('is read by its members, from the moment that they are members', async () => {
    await circle(['bo']);
    await tell('alice', SAID, { audience: { circles: ['care team'] } });
    await service.quiet();
    expect(await readersOf(SAID, (peer) => heard(peer, 'spare key'))).toEqual(['alice', 'bo']);
    await circle(['cleo']);
    expect(await readersOf(SAID, (peer) => heard(peer, 'spare key'))).toEqual(['alice', 'cleo']);
    await circle([]);
    expect(await readersOf(SAID, (peer) => heard(peer, 'spare key'))).toEqual(['alice']);
  });

  test('is refused where the circle does not exist, and where its scope may not be read, alike', async () => {
    const pinned = (await account.agent('narrow', { scope: '/team/inside', role: 'member' })).token;
    const said = { scope_path: '/team/inside', peer_key: 'alice', content: 'Hello.' };
    const missing = await service.ingest(pinned, { ...said, audience: { circles: ['no such'] } });
    const hidden = await service.ingest(pinned, { ...said, audience: { circles: ['care team'] } });
    expect(missing.status).toBe(422);
    expect(refusal(hidden)).toEqual(refusal(missing));
  });
});

describe('what is said to a role', () => {
  test('is read by who has it by a grant of their own, or a higher one', async () => {
    const SAID = 'I think that the budget will not hold.';
    await account.grant('bo', { scope: '/team', role: 'curator' });
    await account.grant('cleo', { scope: '/team', role: 'member' });
    await tell('alice', SAID, { audience: { roles: ['curator'] } });
    await service.quiet();
    expect(await readersOf(SAID, (peer) => heard(peer, 'budget hold'))).toEqual(['alice', 'bo']);
  });
});

describe('a statement for some', () => {
  const curator = () => account.person('outside', { role: 'curator', scope: '/' });
  const queue = async (token: string): Promise<unknown[]> => {
    const answer = await service.call({ path: '/api/v1/governance/reviews?limit=100', token });
    return rowsIn(dataOf(answer)['items']).map(({ knowledge }) => Object(knowledge).statement);
  };
  const promote = (id: unknown, token: string) =>
    service.call({
      path: `/api/v1/governance/knowledge/${String(id)}/promote`,
      token,
      json: { target_scope_path: '/' },
    });
  const isAbout = (word: string) => (text: unknown) => String(text).includes(word);

  test('is shared by a curator whom its audience names, and by no other one, who does not learn of it', async () => {
    const inside = await account.person('inside', { role: 'curator', scope: '/' });
    const outside = await curator();
    const { knowledge } = await tell('alice', 'I restore old accordions.', {
      audience: { peers: ['bo', account.emailOf('inside')] },
    });
    const [drawn] = knowledge;
    expect(drawn).toMatchObject({ has_audience: true, state: 'active', target_level: 'peer' });
    const id = drawn?.['id'];
    const missing = await promote('01990000-0000-7000-8000-000000000000', outside);
    expect(refusal(await promote(id, outside))).toEqual(refusal(missing));
    const { review } = dataOf(await promote(id, inside));
    expect((await queue(inside)).filter(isAbout('accordions'))).toHaveLength(1);
    expect((await queue(outside)).filter(isAbout('accordions'))).toEqual([]);
    const { id: itemId, version } = Object(review);
    const decide = (token: string) =>
      service.call({
        path: `/api/v1/governance/reviews/${String(itemId)}/approve`,
        token,
        json: { version },
      });
    expect((await decide(outside)).status).toBe(404);
    expect(await readersOf(/accordions/u, listed)).toEqual(['alice', 'bo']);
    expect(dataOf(await decide(inside))).toMatchObject({
      knowledge: { has_audience: false, scope_path: '/', target_level: 'account' },
    });
    await service.quiet();
    expect(await readersOf(/accordions/u, listed)).toEqual([...PEOPLE]);
    expect(await readersOf(/accordions/u, (peer) => found(peer, 'accordions'))).toEqual([
      ...PEOPLE,
    ]);
  });

  test('is in no card of its scope and session, and in the context of whom it names', async () => {
    await tell('alice', 'I paint lanterns at night.', { audience: { peers: ['bo'] } });
    await service.quiet();
    const context = async (peer: string) => {
      const answer = await service.call({
        path: '/api/v1/context',
        token: relay,
        json: { scope_path: '/team', session_id: 'care', peer_key: peer, query: 'lanterns' },
      });
      return dataOf(answer);
    };
    const { knowledge, ...cards } = await context('bo');
    expect(JSON.stringify(knowledge)).toContain('lanterns');
    expect(JSON.stringify(cards)).not.toContain('lanterns');
    expect(JSON.stringify(await context('cleo'))).not.toMatch(/paints lanterns/u);
  });
});

describe('an audience', () => {
  test('that names nobody leaves its speaker and its relay', async () => {
    const SAID = 'I hide the presents in the attic.';
    await tell('alice', SAID, { audience: {} });
    await service.quiet();
    expect(await readersOf(SAID, (peer) => heard(peer, 'presents attic'))).toEqual(['alice']);
  });

  test('lets nobody read who could not read without it', async () => {
    const SAID = 'I sold the red bicycle.';
    await tell('alice', SAID, { session_id: 'two', audience: { peers: ['bo'] } });
    await service.quiet();
    expect(await readersOf(SAID, (peer) => heard(peer, 'red bicycle'))).toEqual(['alice']);
  });

  test.each([
    [{ peer: ['bo'] }],
    [{ peers: 'bo' }],
    [{ roles: ['boss'] }],
    [{ peers: Array.from({ length: 21 }, (_, at) => `p${at}`) }],
    ['bo'],
  ])('of a wrong form is refused: %j', async (audience) => {
    expect((await service.ingest(relay, { content: 'Hello.', audience })).status).toBe(422);
  });

  test('of an item of a batch is as one of its own', async () => {
    const items = ['I collect stamps of Peru.', 'I collect coins of Chile.'];
    const answer = await service.call({
      path: '/api/v1/ingest/batch',
      token: relay,
      json: {
        observations: items.map((content, at) => ({
          session_id: 'care',
          scope_path: '/team',
          peer_key: 'alice',
          content,
          ...(at === 0 ? { audience: { peers: ['cleo'] } } : {}),
        })),
      },
    });
    expect(answer.status).toBe(202);
    await service.quiet();
    expect(await readersOf(items[0] ?? '', (peer) => heard(peer, 'collect'))).toEqual([
      'alice',
      'cleo',
    ]);
    expect(await readersOf(items[1] ?? '', (peer) => heard(peer, 'collect'))).toEqual([...PEOPLE]);
  });

  test('hides the state of its message from who may not read it, as if there were none', async () => {
    const { messageId } = await tell('alice', 'I sing in a choir.', {
      audience: { peers: ['bo'] },
    });
    const cleo = (await account.agent('cleo')).token;
    const bo = (await account.agent('bo')).token;
    expect((await service.status(bo, messageId)).status).toBe(200);
    const hidden = await service.status(cleo, messageId);
    const missing = await service.status(cleo, '01990000-0000-7000-8000-000000000000');
    expect(hidden.status).toBe(404);
    expect(refusal(hidden)).toEqual(refusal(missing));
  });
});
