/** What a request to erase a person changes by itself, before the first step: also while an operator holds it back. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { aboutSubject, visibleByDefault } from '../../../domain/governance/visibility.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { drain, drainShard, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { request, takeAll } from './erase.ts';

let scene: Scene;
let account: string;
let relay: Caller;
let alice: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  await usePreset(scene, account, 'unattended');
  relay = await scene.caller(account, { key: 'relay' });
  alice = (await scene.caller(account, { key: 'alice', kind: 'human' })).peerId ?? '';
  await scene.caller(account, { key: 'bob', kind: 'human' });
  for (const peer_key of ['alice', 'bob']) {
    await scene.ingest(relay, { peer_key, content: 'Hello.', role: 'assistant' });
  }
});

const SHARDS = [0, 1, 2, 3, 4, 5, 6, 7];
const say = (peer_key: string, content: string) => scene.ingest(relay, { peer_key, content });
type Options = NonNullable<Parameters<typeof pipeline>[1]>;
const work = (extract: Options['extract'] = literalExtractor) =>
  drain(scene, account, pipeline(scene, { extract }));
const ask = () => request(scene, account, alice, 'proportionate');

async function texts(): Promise<readonly unknown[]> {
  const rows = await scene.rows(
    'select statement from knowledge where account_id = $1 order by statement',
    [account],
  );
  return rows.map((row) => row['statement']);
}

test('nobody reads about the person any more, in whatever way', async () => {
  await say('bob', 'about=alice Alice likes tea.');
  await say('bob', 'about=bob Bob likes tea.');
  await work();
  const scopes = await scene.rows('select id from scopes where account_id = $1', [account]);
  const scopeIds = scopes.map(({ id }) => String(id));
  const ids = (await scene.rows('select id from knowledge where account_id = $1', [account])).map(
    ({ id }) => String(id),
  );
  const read = () =>
    createInAccount(scene.pool)(account, async ({ candidates, knowledge }) => {
      const reader = { posture: 'internal' } as const;
      const reads = { reader, scopeIds };
      const at = new Date().toISOString();
      const visible = visibleByDefault({ ...reads, at });
      const found = await Promise.all([
        knowledge.read({ selection: { by: 'ids', ids }, visible, reader: reads }),
        knowledge.read({ selection: { by: 'ids', ids }, visible, reader: reads, asOf: at }),
        knowledge.read({ selection: { by: 'listing', limit: 10 }, visible, reader: reads }),
        knowledge.read({
          selection: { by: 'subject', peerId: alice, afterId: null, limit: 10 },
          visible: aboutSubject(alice, 'listed'),
          reader: reads,
        }),
      ]);
      const ranked = {
        ...reads,
        accountId: account,
        visible,
        withText: true,
        sourceMessageId: null,
      };
      const instants = [null, at];
      const candidate = await Promise.all(
        instants.flatMap((asOf) => [
          candidates.read(ids, { ...ranked, asOf }).then(({ statements }) => statements),
          candidates.salient(at, 10, { ...ranked, asOf }),
        ]),
      );
      return [...found, ...candidate].map((rows) =>
        rows.map(({ statement }) => statement).toSorted(),
      );
    });
  const both = ['Alice likes tea.', 'Bob likes tea.'];
  expect(await read()).toEqual([both, both, both, ['Alice likes tea.'], both, both, both, both]);
  await ask();
  const bob = ['Bob likes tea.'];
  expect(await read()).toEqual([bob, bob, bob, [], bob, bob, bob, bob]);
});

test('what names the person is refused, as a speaker and as the one who passes it on', async () => {
  await ask();
  const passing = { ...relay, peerId: alice };
  for (const sent of [
    say('alice', 'I like tea.'),
    scene.ingest(passing, { peer_key: 'bob', content: 'I like tea.' }),
  ]) {
    await expect(sent).rejects.toMatchObject({ code: 'conflict' });
  }
  await say('bob', 'about=bob Bob likes tea.');
  await work();
  expect(await texts()).toEqual(['Bob likes tea.']);
});

test('an extraction that is under way says nothing about the person, and nothing of what the person said', async () => {
  await say('alice', 'about=bob Bob likes coffee.');
  await say('bob', 'about=alice Alice likes tea.');
  await say('bob', 'about=bob Bob likes tea.');
  let entered: Promise<string> | null = null;
  const processor = pipeline(scene, {
    extract: literalExtractor,
    // The request comes when everything is extracted, and nothing is committed.
    around: (parts) => ({
      ...parts,
      store: {
        unshown: (...asked) => parts.store.unshown(...asked),
        async commit(...given) {
          entered ??= ask();
          await entered;
          return parts.store.commit(...given);
        },
      },
    }),
  });
  for (const shard of SHARDS) await drainShard(scene, account, shard, processor, { batches: 1 });
  const runId = await (entered ?? ask());
  expect(await texts()).toEqual(['Bob likes tea.']);
  await takeAll(scene, { accountId: account, runId });
  await work();
  expect(await texts()).toEqual(['Bob likes tea.']);
});

test('an extractor is not shown what the person said, and is not told of the person', async () => {
  await say('alice', 'I play the xylorimba.');
  await work();
  await ask();
  await say('bob', 'about=bob Bob likes tea.');
  const shown: string[] = [];
  await work((asked) => {
    shown.push(JSON.stringify(asked));
    return literalExtractor(asked);
  });
  expect(shown).toHaveLength(1);
  expect(shown.join()).not.toMatch(/xylorimba|alice/);
});
