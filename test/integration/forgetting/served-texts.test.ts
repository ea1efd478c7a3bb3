/** Served texts in the database: what stands aside, what comes back, and who may change what was said. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';
import { Scene } from '../observations/scene.ts';
import { addStatement } from '../retention/world.ts';

const SAID = 'Ask for Zed at the lock. He keeps the barge.';
const CLAIM = { about: 'home', value: '0'.repeat(64), mode: 'holds' } as const;

let scene: Scene;
let account: string;
let message: string;
let statement: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  const agent = await scene.caller(account, { key: 'ida' });
  message = (await scene.ingest(agent, { content: SAID })).message_id;
  statement = await addStatement(scene, account, agent.peerId ?? '');
  await scene.rows(
    `update knowledge set statement = $3, claim_about = $4, claim_value = $5, claim_mode = 'holds'
     where account_id = $1 and id = $2`,
    [account, statement, 'Zed lives at the lock.', CLAIM.about, CLAIM.value],
  );
  await scene.rows(
    `insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key, wording, span_offset,
       span_length)
     select account_id, $3, id, speaker_peer_id, gen_random_uuid(), 'Zed lives at the lock.', 25, 20
     from messages where account_id = $1 and id = $2`,
    [account, message, statement],
  );
});

const within = <T>(work: (stores: Stores) => Promise<T>) =>
  createInAccount(scene.pool)(account, work);
const serveMessage = (text: string | null) =>
  within(({ servedTexts }) => servedTexts.messages([{ id: message, text }]));
const serveStatement = (text: string | null, wording: string | null = null) =>
  within(({ servedTexts }) =>
    servedTexts.statements([
      { id: statement, text, claim: null, wordings: { [message]: wording } },
    ]),
  );

async function one(query: string): Promise<Record<string, unknown>> {
  const [row] = await scene.rows(query, [account]);
  return row ?? {};
}
const messageRow = () =>
  one('select content, is_served, unmasked from messages where account_id = $1');
const sourceRow = () =>
  one('select wording, span_offset, span_length, unmasked from provenance where account_id = $1');
const statementRow = () =>
  one(
    'select statement, is_served, unmasked, claim_about, claim_value from knowledge where account_id = $1',
  );
const everything = () =>
  scene.rows(
    `select (to_jsonb(t) - 'row_version')::text as row from knowledge t where account_id = $1
     union all select to_jsonb(t)::text from messages t where account_id = $1
     union all select to_jsonb(t)::text from provenance t where account_id = $1 order by 1`,
    [account],
  );

describe('a message', () => {
  test('of which less is served keeps what was said aside', async () => {
    expect(await serveMessage('He keeps the barge.')).toBe(1);
    expect(await messageRow()).toEqual({
      content: 'He keeps the barge.',
      is_served: true,
      unmasked: SAID,
    });
    expect(await serveMessage(null)).toBe(1);
    expect(await messageRow()).toEqual({ content: '', is_served: false, unmasked: SAID });
    expect(await serveMessage(null)).toBe(0);
  });

  test('leaves no place behind its first change, and has it again afterwards', async () => {
    const place = { span_offset: 25, span_length: 20 };
    await serveMessage('He keeps the barge.');
    expect(await sourceRow()).toMatchObject({
      span_offset: null,
      span_length: null,
      unmasked: place,
    });
    await serveMessage(SAID);
    expect(await sourceRow()).toMatchObject({ ...place, unmasked: null });
  });

  test('keeps the places before its first change', async () => {
    await scene.rows(
      'update provenance set span_offset = 0, span_length = 7 where account_id = $1',
      [account],
    );
    await serveMessage('Ask for Zed at the lock.');
    expect(await sourceRow()).toMatchObject({ span_offset: 0, span_length: 7, unmasked: null });
  });

  test('is marked for both indexes, with what was drawn from it', async () => {
    await scene.rows('delete from dirty_marks where account_id = $1', [account]);
    await serveMessage(null);
    const marks = await scene.rows(
      'select engine::text, unit::text, unit_id from dirty_marks where account_id = $1 order by 2, 1',
      [account],
    );
    expect(marks).toEqual([
      { engine: 'meilisearch', unit: 'message', unit_id: message },
      { engine: 'qdrant', unit: 'message', unit_id: message },
      { engine: 'meilisearch', unit: 'statement', unit_id: statement },
      { engine: 'qdrant', unit: 'statement', unit_id: statement },
    ]);
  });

  test('of another account cannot be changed, and no message in any other way', async () => {
    const other = await scene.account();
    const changed = await createInAccount(scene.pool)(other, ({ servedTexts }) =>
      servedTexts.messages([{ id: message, text: 'Nothing.' }]),
    );
    expect(changed).toBe(0);
    expect((await messageRow())['content']).toBe(SAID);
    const rights = await scene.rows(
      `select has_column_privilege('vouch_app', 'messages', c, 'update') as may
       from unnest(array['content', 'unmasked', 'is_served']) c`,
    );
    expect(rights).toEqual([{ may: false }, { may: false }, { may: false }]);
  });
});

describe('a statement', () => {
  test('of which less is served keeps its words, its claim and its wordings aside', async () => {
    expect(await serveStatement('Zed lives somewhere.')).toBe(1);
    expect(await statementRow()).toEqual({
      statement: 'Zed lives somewhere.',
      is_served: true,
      claim_about: null,
      claim_value: null,
      unmasked: {
        statement: 'Zed lives at the lock.',
        claim_about: CLAIM.about,
        claim_value: CLAIM.value,
        claim_mode: CLAIM.mode,
      },
    });
    expect(await sourceRow()).toMatchObject({
      wording: null,
      unmasked: { wording: 'Zed lives at the lock.' },
    });
  });

  test.each(['redacted', 'retracted'])(
    'that is %s meanwhile keeps nothing aside',
    async (state) => {
      await serveStatement(null);
      await scene.rows(
        `update knowledge set state = $2::knowledge_state, statement = null where account_id = $1`,
        [account, state],
      );
      expect(await statementRow()).toMatchObject({ unmasked: null, is_served: true });
      expect(await serveStatement('Zed lives at the lock.')).toBe(0);
    },
  );

  test('that gets other words is served with these', async () => {
    await serveStatement(null);
    await scene.rows(
      `update knowledge set statement = $2, statement_hash = sha256('zed sails') where account_id = $1`,
      [account, 'Zed sails.'],
    );
    expect(await statementRow()).toMatchObject({
      statement: 'Zed sails.',
      unmasked: null,
      is_served: true,
    });
  });
});

test('whatever was served meanwhile, all comes back byte for byte', async () => {
  const part = fc.option(fc.constantFrom('At the lock.', 'Ask for Zed at', 'Ask', SAID, 'Ζed – ä'));
  const before = await everything();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(part, part, part), { maxLength: 4 }), async (steps) => {
      for (const [ofMessage, ofStatement, ofWording] of steps) {
        await serveMessage(ofMessage);
        await serveStatement(ofStatement, ofWording);
      }
      await serveMessage(SAID);
      await serveStatement('Zed lives at the lock.', 'Zed lives at the lock.');
      expect(await everything()).toEqual(before);
    }),
    { numRuns: 25 },
  );
});
