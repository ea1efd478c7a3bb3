/** What took words of an erased message forgets them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { ERASURE_SHARD } from '../../../domain/erasure/words.ts';
import { lossRules } from '../../../engine/erasure/losses.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import type { AccountScene } from '../search/account.ts';
import { openSearchScene, type SearchScene } from '../search/scene.ts';
import { request } from './erase.ts';

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

const SAID = 'We met at the harbour.';
const AFTER = 'All boats were red.';
const HELD = { sensitivity: 'internal', level: 'scope' } as const;

interface Talk {
  readonly account: AccountScene;
  /** Ben's message, and Anna's after it. */
  readonly gone: string;
  readonly stays: string;
}

async function talk(): Promise<Talk> {
  const account = await scene.account();
  const gone = await account.message({ speaker: 'ben', text: SAID });
  for (const key of ['anna', 'ben']) await account.attend(key, gone);
  const stays = await account.message({ speaker: 'anna', text: AFTER, after: gone });
  return { account, gone, stays };
}

/** A statement about Anna, drawn from her message. */
async function drawFrom({ account, stays }: Talk, text: string): Promise<string> {
  const id = await account.statement({ ...HELD, text });
  await account.drawn(id, stays);
  return id;
}

/** What Anna finds by words: messages, and statements. */
async function found({ account }: Talk, query: string): Promise<(string | null)[]> {
  const anna = await account.caller({ peer: 'anna' });
  const at = { scope_path: '/poc', query };
  const { results } = await scene.sources(anna, { ...at, mode: 'exact' });
  const { candidates } = await scene.search(anna, { ...at, profile: 'balanced' });
  const byWords = candidates.filter(({ strategies }) => strategies.includes('lexical'));
  return [...results.map(({ excerpt }) => excerpt), ...byWords.map(({ statement }) => statement)];
}

async function refresh({ account }: Talk): Promise<void> {
  const { signal } = new AbortController();
  const input = { accountId: account.id, shard: ERASURE_SHARD, limit: 100, signal };
  for (let more = true; more;) more = (await scene.retrieval.indexer.refresh(input)).more;
}

/** Erases Ben's messages; `meanwhile` runs after each page. */
async function eraseBen({ account }: Talk, meanwhile: () => Promise<void>): Promise<string> {
  const pages = new ErasurePagesStore(scene.pool);
  const runId = await request(scene, account.id, await account.peer('ben'), 'proportionate');
  const run = { accountId: account.id, runId, step: 'messages', limit: 200 } as const;
  while (
    (
      await pages.page(
        run,
        lossRules(() => uuidv7()),
      )
    ).more
  )
    await meanwhile();
  return runId;
}

test('a message and a statement beside an erased message are not found by its words any more', async () => {
  const said = await talk();
  await drawFrom(said, 'Anna owns a canoe');
  await refresh(said);
  expect(await found(said, 'harbour')).toEqual([SAID, AFTER, 'Anna owns a canoe']);
  await eraseBen(said, async () => undefined);
  await refresh(said);
  expect(await found(said, 'harbour')).toEqual([]);
  expect(await found(said, 'boats')).toEqual([AFTER, 'Anna owns a canoe']);
});

test('a statement that took the words while they were being erased forgets them too', async () => {
  const said = await talk();
  await refresh(said);
  let late = '';
  const runId = await eraseBen(said, async () => {
    late = late === '' ? await drawFrom(said, 'Anna owns a canoe') : late;
  });
  const stays = await scene.sql(
    `select unit, unit_id from erasure_units where erasure_id = $1 and stays order by unit`,
    [runId],
  );
  expect(stays).toEqual([
    { unit: 'message', unit_id: said.stays },
    { unit: 'statement', unit_id: late },
  ]);
});

test('a message is added to a session only after an erasure there is over, or before it begins', async () => {
  const { account, gone } = await talk();
  const order: string[] = [];
  let added: Promise<unknown> = Promise.resolve();
  await withAccount(scene.pool, account.id, async (tx) => {
    await tx.query(sql.unsafe`
      select hold_places_of_messages(${account.id}, ${sql.array([gone], 'uuid')})`);
    added = account
      .message({ speaker: 'anna', text: 'And we sang.', after: gone })
      .then(() => order.push('added'));
    await sleep(200);
    order.push('erased');
  });
  await added;
  expect(order).toEqual(['erased', 'added']);
});
