/**
 * What holds leave of texts, over HTTP: nobody but its author is shown a word that was taken out, through any door, and what
 * was said comes back byte for byte.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineOperation } from '../../operations/operation.ts';
import type { TestAccount } from '../support/account.ts';
import {
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type OwnService,
} from '../support/service.ts';

const TAKEN_OUT = /Trondheim|zither/iu;

let service: OwnService;
let account: TestAccount;
let relay: string;
let admin: string;

const text = z.object({ id: z.uuid(), text: z.string().nullable() });
/** Puts served texts in place, as a pass of a hold does. */
const serve = defineOperation({
  id: 'test.serve',
  access: 'operator',
  effect: 'write',
  input: z.object({ messages: z.array(text), statements: z.array(text) }),
  output: z.object({ messages: z.number(), statements: z.number() }),
  async run({ doorbell, inAccount }, { messages, statements }) {
    const accountId = account.id;
    const changed = await inAccount(accountId, async (stores) => ({
      messages: await stores.servedTexts.messages(messages),
      statements: await stores.servedTexts.statements(
        statements.map((each) => ({ ...each, claim: null, wordings: {} })),
      ),
    }));
    doorbell.ring({ accountId, kind: 'projection', shard: 0 });
    return changed;
  },
});

const tell = (speaker: string, content: string) =>
  service.ingestAndWait(relay, { session_id: 'tea', peer_key: speaker, content });

/** Everything that the doors show a peer of what was said, as text. */
async function shownTo(peer: string): Promise<string> {
  const posted = (path: string, json: Readonly<Record<string, unknown>>) =>
    service.call({ path, token: relay, json: { scope_path: '/team', peer_key: peer, ...json } });
  const query = 'Where does Alice live, and which zithers from Trondheim does she collect?';
  const answers = await Promise.all([
    service.search(relay, { peer_key: peer, query, limit: 50 }),
    service.search(relay, { peer_key: peer, query: 'parrots', limit: 50 }),
    service.knowledge(relay, { peer_key: peer, limit: '100' }),
    posted('/api/v1/source-search', { query, mode: 'exact', limit: 50 }),
    posted('/api/v1/source-search', {
      query: 'parrots',
      mode: 'exact',
      limit: 50,
      include_neighbours: true,
    }),
    posted('/api/v1/source-search', { query, mode: 'semantic', limit: 50 }),
    posted('/api/v1/context', { query }),
    posted('/api/v1/ask', { question: query }),
    posted('/api/v1/stable-profile', {}),
  ]);
  // Questions are repeated in answers: what was asked is no news.
  return JSON.stringify(answers.map(dataOf)).replaceAll(query, '');
}

/** Rows as they are, but for the version that every change counts up. */
const rowsNow = () =>
  Promise.all(
    ['messages', 'knowledge', 'provenance'].map((table) =>
      service.rows(
        `select (to_jsonb(t) - 'row_version' - 'embedding_version')::text as row from ${table} t
         where account_id = $1 order by 1`,
        [account.id],
      ),
    ),
  );

interface Said {
  readonly id: string;
  readonly statements: readonly string[];
}

async function said(speaker: string, content: string): Promise<Said> {
  const { knowledge, messageId } = await tell(speaker, content);
  return { id: messageId, statements: knowledge.map(({ id }) => String(id)) };
}

let parrots: Said;
let zithers: Said;
let before: Awaited<ReturnType<typeof rowsNow>>;

beforeAll(async () => {
  service = await startOwnService();
  account = await service.account('served');
  await account.preset('unattended');
  relay = (await account.agent('relay')).token;
  admin = await account.person('admin-of-tea', { role: 'account-admin', scope: '/' });
  await tell('bo', 'Good morning everybody.');
  parrots = await said('alice', 'I live in Trondheim with two parrots.');
  zithers = await said('alice', 'I collect old zithers.');
  await tell('bo', 'I paint the kitchen green.');
  await service.quiet();
  before = await rowsNow();
});
afterAll(() => closeWithoutErrors(service));

describe('before', () => {
  test('everybody who was there is shown all of it', async () => {
    const shown = await shownTo('bo');
    expect(shown).toMatch(/lives in Trondheim/u);
    expect(shown).toMatch(/collects old zithers/u);
    expect(parrots.statements).toHaveLength(1);
    expect(zithers.statements).toHaveLength(1);
  });
});

describe('what was taken out', () => {
  const served = () => ({
    messages: [
      { id: parrots.id, text: 'I live with two parrots.' },
      { id: zithers.id, text: null },
    ],
    statements: [
      { id: parrots.statements[0] ?? '', text: 'Alice lives with two parrots.' },
      { id: zithers.statements[0] ?? '', text: null },
    ],
  });

  beforeAll(async () => {
    expect(await service.operate(serve, served())).toEqual({ messages: 2, statements: 2 });
    await service.quiet();
  });

  test('is shown to nobody through any door, and the rest is', async () => {
    const shown = await shownTo('bo');
    expect(shown).not.toMatch(TAKEN_OUT);
    expect(shown).toMatch(/Alice lives with two parrots\./u);
    expect(shown).toMatch(/I live with two parrots\./u);
    expect(shown).toMatch(/kitchen green/u);
  });

  test('is read by its author in the list of statements, and by whoever passed it on', async () => {
    const ofAlice = JSON.stringify(dataOf(await service.knowledge(relay, { peer_key: 'alice' })));
    expect(ofAlice).toMatch(/lives in Trondheim with two parrots/u);
    expect(ofAlice).toMatch(/collects old zithers/u);
    const status = JSON.stringify(dataOf(await service.status(relay, zithers.id)));
    expect(status).toMatch(/collects old zithers/u);
  });

  test('is shown to no administrator', async () => {
    const answers = await Promise.all([
      service.knowledge(admin, { limit: '100' }),
      service.search(admin, { query: 'zithers Trondheim parrots', limit: 50 }),
    ]);
    const asText = JSON.stringify(answers.map(dataOf)).replaceAll('zithers Trondheim parrots', '');
    expect(asText).not.toMatch(TAKEN_OUT);
  });

  test('is in no index and in nothing that is made of statements', async () => {
    const rows = await service.rows(
      `select (to_jsonb(t) - 'unmasked')::text as row from knowledge t where account_id = $1
       union all select (to_jsonb(t) - 'unmasked')::text from messages t where account_id = $1
       union all select to_jsonb(t)::text from projections t where account_id = $1`,
      [account.id],
    );
    expect(rows.length).toBeGreaterThan(4);
    expect(JSON.stringify(rows.map(({ row }) => String(row)))).not.toMatch(/Trondheim|zithers/u);
    const [counted] = await service.rows(
      `select count(*)::integer as n from indexed_units where account_id = $1 and unit_id = any($2)`,
      [account.id, [zithers.id, ...zithers.statements]],
    );
    expect(counted).toEqual({ n: 0 });
  });

  test('said again to be served so changes nothing', async () => {
    expect(await service.operate(serve, served())).toEqual({ messages: 0, statements: 0 });
  });

  test('comes back byte for byte, and is found again', async () => {
    const texts = await service.rows(
      `select id, unmasked ->> 'statement' as text from knowledge where account_id = $1 and unmasked is not null
       order by id`,
      [account.id],
    );
    await service.operate(serve, {
      messages: [
        { id: parrots.id, text: 'I live in Trondheim with two parrots.' },
        { id: zithers.id, text: 'I collect old zithers.' },
      ],
      statements: texts,
    });
    await service.quiet();
    expect(await rowsNow()).toEqual(before);
    const shown = await shownTo('bo');
    expect(shown).toMatch(/lives in Trondheim/u);
    expect(shown).toMatch(/collects old zithers/u);
  });
});
