/** What a source search says of vectors that are missing: of the reader's own messages, and never of others. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { RetrievalDependencies } from '../../../runtime/container/retrieval-dependencies.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { modelsOfVersion, openSearchScene, type AccountScene, type SearchScene } from './scene.ts';

let scene: SearchScene;
let account: AccountScene;
let anna: Caller;

const say = (text: string, speaker = 'anna') => account.message({ speaker, text });
const ask = (mode: string, query = 'red canoe', caller = anna) =>
  scene.sources(caller, { query, mode });
/** An embedder that answers nothing but this error. */
const failing = (error: Error): Partial<RetrievalDependencies> => ({
  gateway: {
    embed: async () => {
      throw error;
    },
  },
});

beforeAll(async () => {
  scene = await openSearchScene();
});

beforeEach(async () => {
  account = await scene.account();
  anna = await account.caller({ peer: 'anna' });
});

afterEach(() => {
  scene.rebuilt({});
});

afterAll(() => scene.close());

describe('vectors', () => {
  const status = async (caller = anna) => (await ask('semantic', 'red canoe', caller)).status;

  test('are all missing from the collection of a new model, then some of them, then none', async () => {
    const first = await say('The red canoe lies at the lake');
    await say('Bread is baked on Tuesdays');
    await account.refresh();
    const next = scene.rebuilt({ models: modelsOfVersion('next') });
    await next.ensureIndexes();
    expect(await ask('semantic')).toMatchObject({
      status: 'unavailable',
      failure_class: null,
      results: [],
    });
    await say('A blue canoe came by');
    await account.refresh();
    expect(await status()).toBe('stale');
    await next.indexes.rebuild(account.id, null, new AbortController().signal);
    const found = await ask('semantic');
    expect([found.status, found.results[0]?.message_id]).toEqual(['ready', first]);
  });

  test('of one message that waits for the index make the answer stale', async () => {
    await say('The red canoe lies at the lake');
    await account.refresh();
    expect(await status()).toBe('ready');
    await say('Bread is baked on Tuesdays');
    expect(await status()).toBe('stale');
    await account.refresh();
    expect(await status()).toBe('ready');
  });

  test('of an own message that waits are told of behind any number of marks of others', async () => {
    await say('The red canoe lies at the lake');
    await account.message({ speaker: 'dora', relay: 'relay', text: 'The red canoe lies here' });
    await account.refresh();
    const relay = await account.caller({ peer: 'relay' });
    expect([await status(), await status(relay)]).toEqual(['ready', 'ready']);
    const own = await say('A red heron stands there');
    const passedOn = await account.message({ speaker: 'dora', relay: 'relay', text: 'red heron' });
    for (let n = 0; n < 201; n += 1) await say('Bread is baked on Tuesdays', 'zoe');
    expect([await status(), await status(relay)]).toEqual(['stale', 'stale']);
    // The check on the texts decides on messages that Meilisearch does not know yet: they stay among those that may be.
    const waiting = async (peer: string) =>
      createInAccount(scene.pool)(account.id, async ({ sourceMessages }) =>
        sourceMessages.waiting(
          'meilisearch',
          {
            reader: { posture: 'peer', peerId: await account.peer(peer) },
            scopeIds: [await account.scope('/poc')],
          },
          500,
        ),
      );
    expect([await waiting('anna'), await waiting('relay')]).toEqual([[own], [passedOn]]);
  });

  test('that the embedder owes make the answer stale, and unavailable when it owes all', async () => {
    scene.rebuilt(failing(new ModelFailure('provider_upstream_error')));
    await say('The red canoe lies at the lake');
    await expect(account.refresh()).rejects.toThrow('refused a write');
    // The mark is lost; the point says by itself that it lacks its vector.
    await scene.sql('delete from dirty_marks where account_id = $1', [account.id]);
    scene.rebuilt({});
    expect(await status()).toBe('unavailable');
    await say('A red canoe again');
    await account.refresh();
    expect(await status()).toBe('stale');
  });

  test('are not missing of a message without words', async () => {
    await say('!!!');
    await say('The red canoe lies at the lake');
    await account.refresh();
    expect(await status()).toBe('ready');
  });

  test('of messages that the reader may not read change nothing', async () => {
    await say('The red canoe lies at the lake');
    await account.refresh();
    await say('The red canoe is hidden', 'zoe');
    expect(await status()).toBe('ready');
    expect(await status(await account.caller({ peer: 'carol' }))).toBe('empty');
    expect(await status(await account.caller({ peer: 'zoe' }))).toBe('unavailable');
  });
});

describe('messages of a crowd that the reader is not part of', () => {
  const MORE_THAN_A_LOOK_TAKES = 40;

  /** More readers than a point names. */
  async function crowd(): Promise<void> {
    const ids = [];
    for (let n = 0; n < MORE_THAN_A_LOOK_TAKES; n += 1) {
      ids.push(await say('The red canoe of the crowd', 'zoe'));
    }
    for (let n = 0; n < 70; n += 1) await account.peer(`guest-${n}`);
    await scene.sql(
      `insert into session_participants (account_id, session_id, scope_id, peer_id, reads_whole_session)
       select m.account_id, m.session_id, m.scope_id, p.id, true
       from messages m join peers p on p.account_id = m.account_id and p.key like 'guest-%'
       where m.account_id = $1 and m.id = any($2::uuid[])`,
      [account.id, ids],
    );
  }

  test('change no status, and make nobody ask the embedder', async () => {
    const carol = await account.caller({ peer: 'carol' });
    await crowd();
    await say('Bread is baked on Tuesdays', 'dora');
    await account.refresh();
    const next = scene.rebuilt({
      models: modelsOfVersion('next'),
      ...failing(new Error('asked')),
    });
    await next.ensureIndexes();
    const statuses = async () => {
      const answers = [];
      for (const reader of [carol, await account.caller({ peer: 'dora' })]) {
        const {
          failure_class: failureClass,
          results,
          status,
        } = await ask('semantic', 'canoe', reader);
        answers.push([status, failureClass, results]);
      }
      return answers;
    };
    const expected = [
      ['empty', null, []],
      ['unavailable', null, []],
    ];
    expect(await statuses()).toEqual(expected);
    // Now all messages of the crowd have a vector of the new space, and nobody else's.
    scene.rebuilt({ models: modelsOfVersion('next') });
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       select account_id, 'qdrant', 'message', id, scope_id, 0 from messages
       where account_id = $1 and content like '%crowd'`,
      [account.id],
    );
    await account.refresh();
    const guest = await account.caller({ peer: 'guest-7' });
    expect(await ask('semantic', 'canoe', guest)).toMatchObject({ status: 'ready' });
    scene.rebuilt({ models: modelsOfVersion('next'), ...failing(new Error('asked')) });
    expect(await statuses()).toEqual(expected);
  });

  test('hide from nobody that an own message has no vector', async () => {
    await crowd();
    await say('Bread is baked on Tuesdays', 'dora');
    await account.refresh();
    const next = scene.rebuilt({ models: modelsOfVersion('next') });
    await next.ensureIndexes();
    await say('A blue canoe came by', 'dora');
    await account.refresh();
    const dora = await account.caller({ peer: 'dora' });
    expect(await ask('semantic', 'canoe', dora)).toMatchObject({ status: 'stale' });
  });
});
