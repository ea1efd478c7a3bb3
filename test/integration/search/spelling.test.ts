/** A word that nobody used finds what the nearest word of the scope finds, and hidden words have no part in it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AccountScene, StatementInput } from './account.ts';
import { openSearchScene, texts, type SearchScene } from './scene.ts';

const AWAY = { url: 'http://127.0.0.1:9', apiKey: '' };
const OPEN = { sensitivity: 'internal', level: 'scope', subject: null } as const;
const CANOE = 'The canoe is moored at the northern jetty.';
const OTHER = 'The carpenter mends sails.';
const SAID = 'My canoe leaks again.';

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterEach(() => void scene.rebuilt({}));
afterAll(() => scene.close());

/** Statements that everybody reads, and a message of Anna's. */
async function openAccount(): Promise<AccountScene> {
  const account = await scene.account();
  await account.statement({ ...OPEN, text: CANOE });
  await account.statement({ ...OPEN, text: OTHER });
  await account.message({ speaker: 'anna', text: SAID });
  await account.refresh();
  return account;
}

/** What Anna finds by words, with the scores: statements, and messages. */
async function found(account: AccountScene, query: string, peer: string | null = 'anna') {
  const caller = await account.caller({ peer });
  const answer = await scene.search(caller, { query, profile: 'balanced' });
  const { results } = await scene.sources(caller, { scope_path: '/poc', query, mode: 'exact' });
  return {
    statements: answer.candidates
      .filter(({ strategies }) => strategies.includes('lexical'))
      .map(({ statement }) => statement),
    messages: results.map(({ excerpt, score }) => [excerpt, score] as const),
    all: answer.candidates.map(({ statement, fusion_score }) => [statement, fusion_score]),
    degraded: answer.degraded_components,
  };
}

const NOTHING = { statements: [], messages: [] };

describe('a word with a slip', () => {
  test.each(['canooe', 'caone', 'cano', 'vanoe', 'Canooe!', 'where was the canooe?'])(
    'finds statements and messages with the word that is meant: %s',
    async (query) => {
      const account = await openAccount();
      expect(await found(account, query)).toMatchObject({
        statements: [CANOE],
        messages: [[SAID, expect.any(Number)]],
      });
    },
  );

  test.each(['minimal', 'balanced', 'thorough'])(
    'is repaired by the profile %s',
    async (profile) => {
      const account = await openAccount();
      const anna = await account.caller({ peer: 'anna' });
      const settings = { minimalRecall: true } as never;
      const answer = await scene.search(anna, { query: 'caprenter', profile }, { settings });
      expect(texts(answer)[0]).toBe(OTHER);
    },
  );

  test('has one slip', async () => {
    const account = await openAccount();
    expect((await found(account, 'carpetner')).statements).toEqual([OTHER]);
    expect((await found(account, 'carpetnre')).statements).toEqual([]);
  });

  test('counts less than the word that is spelt right', async () => {
    const account = await openAccount();
    const [right] = (await found(account, 'canoe northern')).messages;
    const [slip] = (await found(account, 'canooe northern')).messages;
    expect(slip?.[0]).toBe(right?.[0]);
    expect(slip?.[1]).toBeLessThan(right?.[1] ?? 0);
  });

  test('is found as it is, before what it may mean, where somebody wrote it so', async () => {
    const account = await openAccount();
    await account.message({ speaker: 'anna', text: 'My canooe is new.' });
    await account.refresh();
    expect((await found(account, 'canooe')).messages.map(([text]) => text)).toEqual([
      'My canooe is new.',
      SAID,
    ]);
  });

  test('is no quoted phrase and no exclusion', async () => {
    const account = await openAccount();
    expect(await found(account, '"canooe"')).toMatchObject(NOTHING);
    expect(await found(account, 'jetty "canooe"')).toMatchObject(NOTHING);
    expect(await found(account, 'jetty -canooe')).toMatchObject({ statements: [CANOE] });
    expect(await found(account, 'canooe -jetty')).toMatchObject({
      statements: [],
      messages: [[SAID, expect.any(Number)]],
    });
  });

  test('is repaired by statements alone: no word of a message lends itself', async () => {
    const account = await openAccount();
    expect((await found(account, 'leaks')).messages).toHaveLength(1);
    expect(await found(account, 'laeks')).toMatchObject(NOTHING);
  });

  test('says nowhere in an answer what it was taken for', async () => {
    const account = await openAccount();
    const anna = await account.caller({ peer: 'anna' });
    const query = 'canooe -moored -leaks';
    const answer = await scene.search(anna, { query, profile: 'balanced' });
    const sources = await scene.sources(anna, { scope_path: '/poc', query, mode: 'exact' });
    expect(JSON.stringify([answer, sources])).not.toMatch(/canoe/u);
  });

  test('goes unrepaired while Qdrant is away, and the answer says what is away', async () => {
    const account = await openAccount();
    scene.rebuilt({ qdrant: AWAY });
    const away = await found(account, 'canooe carpenter');
    expect(away.statements).toEqual([OTHER]);
    expect(away.degraded).toEqual(expect.arrayContaining(['lexical']));
  });

  test('is repaired while Meilisearch is away, and the answer is whole', async () => {
    const account = await openAccount();
    scene.rebuilt({ meilisearch: { url: 'http://127.0.0.1:9', masterKey: '' } });
    const answer = await found(account, 'canooe');
    expect(answer.statements).toEqual([CANOE]);
    expect(answer.degraded).toEqual([]);
  });
});

describe('a word of what a reader may not read', () => {
  const BRUNOS = { subject: 'bruno', submitters: ['bruno'] } as const;
  const HIDDEN: Readonly<Record<string, StatementInput>> = {
    personal: { ...BRUNOS, text: 'Bruno owns a kayaks shop.', sensitivity: 'personal' },
    restricted: { ...BRUNOS, text: 'Bruno owns a kayaks shop.', sensitivity: 'restricted' },
    provisional: { ...BRUNOS, text: 'Bruno owns a kayaks shop.', state: 'provisional' },
    'of another scope': { ...OPEN, text: 'There is a kayaks shop.', path: '/elsewhere' },
    'spelt like the question': {
      ...BRUNOS,
      text: 'Bruno typed kayakz and canooe.',
      sensitivity: 'personal',
    },
  };

  test.each(Object.keys(HIDDEN))(
    'never repairs, and changes no order and no score: %s',
    async (kind) => {
      const bare = await openAccount();
      const full = await openAccount();
      const hidden = HIDDEN[kind];
      if (hidden !== undefined) await full.statement(hidden);
      await full.message({ speaker: 'bruno', text: 'kayaks, kayakz, canooe and jettty.' });
      await full.refresh();
      // What waits for a person may be said to be there (`candidate_filter`), and nothing else.
      const shown = async (account: AccountScene, query: string) => {
        const { all, messages, statements } = await found(account, query);
        return { query, all, messages, statements };
      };
      for (const query of [
        'kayakz',
        'kayaks',
        'canooe',
        'canooe kayakz jettty',
        'jettty carpenter',
      ])
        expect(await shown(full, query)).toEqual(await shown(bare, query));
      expect(await found(full, 'kayakz')).toMatchObject(NOTHING);
      expect((await found(full, 'canooe kayakz jettty')).statements).toEqual([CANOE]);
    },
  );

  test('is repaired for nobody who reads public statements alone', async () => {
    const account = await openAccount();
    await account.statement({ text: 'A public canoe.', sensitivity: 'public', subject: null });
    await account.refresh();
    const ask = async (query: string, peer: string | null) => {
      const answer = await scene.search(await account.caller({ peer }), { query });
      return texts({
        ...answer,
        candidates: answer.candidates.filter(({ strategies }) => strategies.includes('lexical')),
      });
    };
    expect(await ask('canoe', null)).toEqual(['A public canoe.']);
    expect(await ask('canooe', null)).toEqual([]);
    expect(await ask('canooe', 'anna')).toEqual(expect.arrayContaining(['A public canoe.', CANOE]));
  });

  test('repairs no more once its statement is withdrawn', async () => {
    const account = await openAccount();
    const id = await account.statement({ ...OPEN, text: 'The lighthouse shines.' });
    await account.message({ speaker: 'anna', text: 'A lighthouse at last.' });
    await account.refresh();
    expect((await found(account, 'lihgthouse')).messages).toHaveLength(1);
    await scene.sql(
      "update knowledge set state = 'redacted', statement = null where account_id = $1 and id = $2",
      [account.id, id],
    );
    await account.index(id);
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       select account_id, e, 'statement', id, scope_id, 0 from knowledge, unnest(enum_range(null::index_engine)) e
       where account_id = $1 and id = $2`,
      [account.id, id],
    );
    await account.refresh();
    expect((await found(account, 'lighthouse')).messages).toHaveLength(1);
    expect(await found(account, 'lihgthouse')).toMatchObject(NOTHING);
  });
});
