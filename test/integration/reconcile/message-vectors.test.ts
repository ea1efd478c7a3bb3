/** Messages that the index of meaning does not show as they are come back by the reconcile. Real: Postgres, Qdrant. */
import { NOTHING_USED } from '../../../domain/models/usage.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { ModelFailure } from '../../../domain/error-class.ts';
import { placeBetween } from '../../../engine/reconcile/message-vectors.ts';
import { embedDeterministic } from '../../../engine/text/embedding/deterministic.ts';
import type { Retrieval } from '../../../runtime/container/retrieval.ts';
import { testServers } from '../../support/environment.ts';
import {
  modelsOfVersion,
  openSearchScene,
  type AccountScene,
  type SearchScene,
} from '../search/scene.ts';

const space = {
  provider: 'deterministic',
  model: 'built-in',
  version: '1',
  dimensions: 384,
} as const;
const usage = NOTHING_USED;
const never = new AbortController().signal;
let scene: SearchScene;
let account: AccountScene;
let current: Retrieval;

beforeAll(async () => {
  scene = await openSearchScene();
});
beforeEach(async () => {
  current = scene.rebuilt({});
  account = await scene.account();
});
afterAll(() => scene.close());

const say = (text: string) => account.message({ speaker: 'anna', text });
const age = () =>
  scene.sql(
    `update messages set recorded_at = recorded_at - interval '10 minutes' where account_id = $1`,
    [account.id],
  );
const lose = () => scene.sql('delete from dirty_marks where account_id = $1', [account.id]);
const pass = () => current.markMessages(account.id, never);
const marked = async (): Promise<unknown[]> =>
  (
    await scene.sql('select unit_id, engine from dirty_marks where account_id = $1 order by 1', [
      account.id,
    ])
  ).map(({ engine, unit_id: id }) => [engine, id]);

describe('a message', () => {
  test('whose point lacks its vector is marked, in the mailbox of its session, and gets one', async () => {
    current = scene.rebuilt({
      gateway: { embed: () => Promise.reject(new ModelFailure('provider_upstream_error')) },
    });
    const id = await say('The red canoe lies at the lake');
    await expect(account.refresh()).rejects.toThrow();
    await lose();
    current = scene.rebuilt({});
    // It is young: the projection may be at it.
    expect(await pass()).toEqual({ messages: 0, mailboxes: [] });
    await age();
    expect(await pass()).toEqual({
      messages: 1,
      mailboxes: [{ accountId: account.id, kind: 'projection', shard: 0 }],
    });
    expect(await marked()).toEqual([['qdrant', id]]);
    // What is marked is on its way.
    expect(await pass()).toMatchObject({ messages: 0 });
    await account.refresh();
    const anna = await account.caller({ peer: 'anna' });
    expect(await scene.sources(anna, { query: 'red canoe' })).toMatchObject({ status: 'ready' });
    expect(await pass()).toMatchObject({ messages: 0 });
  });

  test('that a collection of another space lacks is marked', async () => {
    const ids = [await say('The red canoe'), await say('Bread is baked'), await say('!!!')];
    await account.refresh();
    await age();
    expect(await pass()).toMatchObject({ messages: 0 });
    current = scene.rebuilt({
      models: modelsOfVersion(`v${uuidv7()}`),
    });
    await current.ensureIndexes();
    expect(await pass()).toMatchObject({ messages: 3 });
    expect(await marked()).toEqual(ids.toSorted().map((id) => ['qdrant', id]));
    await account.refresh();
    expect(await pass()).toMatchObject({ messages: 0 });
  });

  test('that somebody reads who is not named by its point is marked', async () => {
    const id = await say('The red canoe');
    await say('Bread is baked');
    await account.refresh();
    await age();
    await account.attend('carol', id);
    expect(await pass()).toMatchObject({ messages: 1 });
    expect(await marked()).toEqual([['qdrant', id]]);
  });

  test('whose point names somebody who reads it no more is marked', async () => {
    const id = await say('The red canoe');
    await account.attend('carol', id);
    await account.refresh();
    await age();
    expect(await pass()).toMatchObject({ messages: 0 });
    await scene.sql('delete from session_participants where account_id = $1 and peer_id = $2', [
      account.id,
      await account.peer('carol'),
    ]);
    expect(await pass()).toMatchObject({ messages: 1 });
    expect(await marked()).toEqual([['qdrant', id]]);
  });

  test('that is written again for a new reader keeps its vector, whether the embedder answers or not', async () => {
    const id = await say('The red canoe');
    await account.refresh();
    await age();
    await account.attend('carol', id);
    let calls = 0;
    current = scene.rebuilt({
      gateway: {
        embed: () => {
          calls += 1;
          return Promise.reject(new ModelFailure('provider_upstream_error'));
        },
      },
    });
    expect(await pass()).toMatchObject({ messages: 1 });
    await account.refresh();
    expect([calls, await marked()]).toEqual([0, []]);
    current = scene.rebuilt({});
    const carol = await account.caller({ peer: 'carol' });
    expect(await scene.sources(carol, { query: 'red canoe' })).toMatchObject({ status: 'ready' });
  });

  test('that the embedder refuses for what it says waits for no vector, and the others have theirs', async () => {
    const refuse = (texts: readonly string[]) => texts.some((text) => text.includes('canoe'));
    current = scene.rebuilt({
      gateway: {
        embed: async (texts) => {
          if (refuse(texts)) throw new ModelFailure('provider_content_filtered');
          return { vectors: texts.map(embedDeterministic), space, usage };
        },
      },
    });
    await say('The red canoe');
    const id = await say('Bread is baked');
    await account.refresh();
    expect(await marked()).toEqual([]);
    await age();
    expect(await pass()).toMatchObject({ messages: 0 });
    const anna = await account.caller({ peer: 'anna' });
    const { results, status } = await scene.sources(anna, { query: 'baked bread' });
    expect([status, results[0]?.message_id]).toEqual(['ready', id]);
    expect(results).toHaveLength(1);
  });

  test('is one of at most a hundred in a pass, and all of them come', async () => {
    for (let n = 0; n < 130; n += 1) await say(`message ${n}`);
    await age();
    await lose();
    expect(await pass()).toMatchObject({ messages: 100 });
    expect(await pass()).toMatchObject({ messages: 30 });
    expect(await pass()).toMatchObject({ messages: 0 });
  });
});

test('while Qdrant is away nothing is marked, and the pass goes on', async () => {
  await say('The red canoe');
  await age();
  await lose();
  current = scene.rebuilt({ qdrant: { ...testServers().qdrant, url: 'http://127.0.0.1:9' } });
  expect(await pass()).toEqual({ messages: 0, mailboxes: [] });
});

test('an account without messages has nothing to mark', async () => {
  expect(await pass()).toEqual({ messages: 0, mailboxes: [] });
});

test('a pass begins between the first and the last message', () => {
  const [first, last] = [uuidv7({ msecs: 1_000_000 }), uuidv7({ msecs: 2_000_000 })];
  for (const random of [0, 0.3, 0.999]) {
    const place = placeBetween(first, last, random);
    expect(place).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(place <= last).toBe(true);
    expect(Number.parseInt(place.replace('-', '').slice(0, 12), 16)).toBe(
      Math.floor(1_000_000 + random * 1_000_000),
    );
  }
});
