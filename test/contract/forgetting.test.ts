/**
 * Requests to forget, over HTTP: what somebody asks to be forgotten is shown to nobody else through any door, at once and
 * for what is said later; a person may lift that, and all is as it was.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
  await tell('bo', 'Good morning everybody.');
  await tell('dora', 'Good morning, Bo.');
  await tell('alice', 'My telephone number is 020 7946 0011. I live in Porto with two parrots.');
  await tell('alice', 'My door code is 4471.');
  await tell('bo', 'Alice has the number (020) 7946-0011, and I paint the kitchen green.');
  await service.quiet();
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

  test('stands in a hold with an item, and nowhere in clear but in what was said', async () => {
    const holds = await service.rows(
      `select h.kind, h.state, h.is_acting, i.kind as item, (select count(*)::integer from masked_values v
         where v.account_id = h.account_id and v.hold_id = h.id) as n
       from forget_holds h left join review_items i on i.account_id = h.account_id and i.hold_id = h.id
       where h.account_id = $1`,
      [account.id],
    );
    expect(holds).toEqual([{ kind: 'own', state: 'open', is_acting: true, item: 'forget', n: 2 }]);
  });
});
