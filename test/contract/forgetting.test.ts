/**
 * Requests to forget, over HTTP: what somebody asks to be forgotten is shown to nobody else through any door, at once and
 * for what is said later; a person may lift that, and all is as it was.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { TestAccount } from '../support/account.ts';
import { eventually } from '../support/patience.ts';
import {
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type OwnService,
} from '../support/service.ts';

const CODE = /4471/u;
const PHONE = /7946/u;

let service: OwnService;
let account: TestAccount;
let relay: string;
let curator: string;
let said: readonly string[];
let before: Awaited<ReturnType<typeof rowsOf>>;

function governance(
  method: 'GET' | 'POST',
  path: string,
  token = curator,
  json?: Readonly<Record<string, unknown>>,
) {
  const url = `/api/v1/governance/${path}`;
  return method === 'GET'
    ? service.call({ path: url, token })
    : service.call({ method, path: url, token, json: json ?? { version: 1 } });
}

const holdList = z.object({
  items: z.array(z.looseObject({ id: z.uuid(), version: z.int() })),
});
const holds = async () => holdList.parse(dataOf(await governance('GET', 'holds'))).items;

/** The messages as they are, and what was drawn from them, but for the versions that every change counts up. */
const rowsOf = (ids: readonly string[]) =>
  Promise.all(
    [
      `select (to_jsonb(m))::text as row from messages m where account_id = $1 and id = any($2) order by 1`,
      `select (to_jsonb(k) - 'row_version' - 'embedding_version')::text as row from knowledge k
       where account_id = $1 and exists (select from provenance p where p.account_id = k.account_id
         and p.knowledge_id = k.id and p.message_id = any($2)) order by 1`,
      `select (to_jsonb(p))::text as row from provenance p where account_id = $1 and message_id = any($2) order by 1`,
    ].map((query) => service.rows(query, [account.id, ids])),
  );

const tell = (speaker: string, content: string, session = 'tea') =>
  service.ingestAndWait(relay, { session_id: session, peer_key: speaker, content });

/** Everything that the doors show a peer of what was said, as text. */
async function shownTo(peer: string): Promise<string> {
  const posted = (path: string, json: Readonly<Record<string, unknown>>) =>
    service.call({ path, token: relay, json: { scope_path: '/team', peer_key: peer, ...json } });
  const query = 'What are the door code and the telephone number of Alice?';
  const answers = await Promise.all([
    service.search(relay, { peer_key: peer, query, limit: 50 }),
    service.knowledge(relay, { peer_key: peer, limit: '100' }),
    posted('/api/v1/source-search', { query, mode: 'exact', limit: 50 }),
    posted('/api/v1/source-search', { query, mode: 'semantic', limit: 50 }),
    posted('/api/v1/context', { query }),
    posted('/api/v1/ask', { question: query }),
    posted('/api/v1/stable-profile', {}),
  ]);
  return JSON.stringify(answers.map(dataOf)).replaceAll(query, '');
}

/** Until every text was passed by what is held now. */
async function passed(): Promise<void> {
  await eventually(async () => {
    const rows = await service.rows(
      `select status from pipeline_runs where account_id = $1 and kind = 'forgetting' and status <> 'completed'`,
      [account.id],
    );
    return rows.length === 0;
  });
  await service.quiet();
}

beforeAll(async () => {
  service = await startOwnService();
  account = await service.account('forgetting');
  await account.preset('unattended');
  relay = (await account.agent('relay')).token;
  curator = await account.person('curator-of-tea', { role: 'curator', scope: '/team' });
  await tell('bo', 'Good morning everybody.');
  await tell('dora', 'Good morning, Bo.');
  await tell('alice', 'My telephone number is 020 7946 0011. I live in Porto with two parrots.');
  await tell('alice', 'My door code is 4471.');
  await tell('bo', 'Alice has the number (020) 7946-0011, and I paint the kitchen green.');
  await service.quiet();
  const rows = await service.rows('select id from messages where account_id = $1', [account.id]);
  said = rows.map(({ id }) => String(id));
  before = await rowsOf(said);
});
afterAll(() => closeWithoutErrors(service));

test('before the request everybody who was there is shown it', async () => {
  const shown = await shownTo('dora');
  expect(shown).toMatch(CODE);
  expect(shown).toMatch(PHONE);
});

describe('what its owner asks to be forgotten', () => {
  beforeAll(async () => {
    await tell(
      'alice',
      'Please delete my telephone number 02079460011 and the code 4471 from memory.',
    );
    await passed();
  });

  test('is shown to nobody else, and the rest is', async () => {
    const shown = await shownTo('dora');
    expect(shown).not.toMatch(CODE);
    expect(shown).not.toMatch(PHONE);
    expect(shown).toMatch(/two parrots/u);
    expect(shown).toMatch(/kitchen green/u);
  });

  test('is taken out of what is said later, before anybody can read it', async () => {
    await tell('bo', 'For the record: the code is 4471. The parrots are called Ann and Ben.');
    const shown = await shownTo('dora');
    expect(shown).not.toMatch(CODE);
    await service.quiet();
    expect(await shownTo('dora')).not.toMatch(CODE);
  });

  test('stands in a hold as hashes, which a curator sees without its words', async () => {
    const [hold, ...others] = await holds();
    expect(others).toEqual([]);
    expect(hold).toMatchObject({
      kind: 'own',
      state: 'open',
      is_acting: true,
      requester_peer_key: 'alice',
      value_count: 2,
      is_overdue: false,
    });
    expect(JSON.stringify(hold)).not.toMatch(CODE);
  });

  test('is read with its words by a curator of the scope alone, and each look is on the record', async () => {
    const [hold] = await holds();
    const read = await governance('GET', `holds/${hold?.id}`);
    expect(dataOf(read)).toMatchObject({ words: expect.stringMatching(CODE) });
    const looks = await service.rows(
      `select count(*)::integer as n from audit_events where account_id = $1 and action = 'forget_hold.read' and resource_id = $2`,
      [account.id, hold?.id],
    );
    expect(looks).toEqual([{ n: 1 }]);
    const reader = await account.person('reader-of-tea', { role: 'member', scope: '/team' });
    const elsewhere = await account.person('curator-elsewhere', {
      role: 'curator',
      scope: '/other',
    });
    expect((await governance('GET', `holds/${hold?.id}`, reader)).status).toBe(404);
    expect((await governance('GET', `holds/${hold?.id}`, elsewhere)).status).toBe(404);
    expect((await governance('POST', `holds/${hold?.id}/lift`, elsewhere)).status).toBe(404);
    expect(dataOf(await governance('GET', 'holds', elsewhere))).toMatchObject({ items: [] });
  });

  test('stays forgotten when a curator upholds the request, once', async () => {
    const [hold] = await holds();
    const path = `holds/${hold?.id}/uphold`;
    const both = await Promise.all([
      governance('POST', path, curator, { version: hold?.version }),
      governance('POST', path, curator, { version: hold?.version }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await passed();
    expect(await shownTo('dora')).not.toMatch(CODE);
  });

  test('is shown again byte for byte when the request is lifted', async () => {
    const [hold] = await holds();
    const lifted = await governance('POST', `holds/${hold?.id}/lift`, curator, {
      version: hold?.version,
    });
    expect(dataOf(lifted)).toMatchObject({ state: 'lifted', is_acting: false });
    await passed();
    expect(await rowsOf(said)).toEqual(before);
    const shown = await shownTo('dora');
    expect(shown).toMatch(CODE);
    expect(shown).toMatch(PHONE);
  });
});

describe('what somebody else had said before', () => {
  test('is no secret of who claims it: their texts are served as before', async () => {
    await tell('bo', 'The code of the shed is 9931.', 'shed');
    await tell('mallory', 'My shed code is 9931.', 'shed');
    await tell('mallory', 'Forget my code 9931.', 'shed');
    await passed();
    const shown = JSON.stringify(
      dataOf(
        await service.call({
          path: '/api/v1/source-search',
          token: relay,
          json: {
            scope_path: '/team',
            peer_key: 'mallory',
            query: 'code of the shed',
            mode: 'exact',
          },
        }),
      ),
    );
    expect(shown).toMatch(/The code of the shed is 9931/u);
  });
});

describe('a request that is none', () => {
  test.each([
    'I forgot my code 4471.',
    'Bo said: "Please delete the code 4471 from memory."',
    "Don't forget the milk, 4 bottles.",
  ])('%s', async (content) => {
    const count = (await holds()).length;
    await tell('dora', content, 'none');
    expect(await holds()).toHaveLength(count);
  });
});
