/**
 * Whatever runs at the same time - what is said, extracted, asked to be forgotten, upheld, lifted and passed - in the end every text is
 * served as the holds in force say, and nothing was lost.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'slonik';
import { z } from 'zod';
import { extractDeterministic } from '../../../engine/english-extractor/extract.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { PlaceOfPass } from '../../../domain/forgetting/pass.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { HoldsStore } from '../../../stores/postgres/forgetting/holds.store.ts';
import { ForgettingPassStore } from '../../../stores/postgres/forgetting/pass.store.ts';
import {
  foreignIn,
  readMessages,
  readStatements,
  serveMessages,
  serveStatements,
} from '../../../stores/postgres/forgetting/serve.ts';
import { judgeIn } from '../../../stores/postgres/judging.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { sized } from '../../support/run.ts';
import { pipeline, SHARDS, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const TRACE = '0'.repeat(32);
const SAID = [
  'My door code is 4471.',
  'My telephone number is 020 7946 0011. I live in Porto with two parrots.',
  'The code is 4471, and I paint the kitchen green.',
  'Call (020) 7946-0011. I keep two hens.',
  'I live in Porto.',
  'I collect old zithers.',
];
const ASKED = [
  'Please delete the code 4471 from memory.',
  'Forget my telephone number 02079460011, delete it from memory.',
];

/** Takes what waits and extracts it. */
async function drain(account: string): Promise<void> {
  const mailboxes = new MailboxesStore(scene.pool);
  for (const shard of SHARDS) {
    const mailbox = { accountId: account, kind: 'ingest', shard } as const;
    const { epoch } = await mailboxes.openDrain(mailbox);
    const anchors = await mailboxes.takeAnchors(mailbox, epoch, 50);
    if (anchors.length === 0) continue;
    const processor = pipeline(scene, { extract: extractDeterministic });
    await processor.process({ ...mailbox, epoch, anchors }, new AbortController().signal);
  }
}

const idRow = z.object({ id: z.string() });

/** Works off the passes that wait, a few texts a page. Answers how many. */
async function pass(account: string): Promise<number> {
  const runs = await withAccount(scene.pool, account, (tx) =>
    tx.anyFirst(sql.type(idRow)`
      select id from pipeline_runs where account_id = ${account}::uuid and kind = 'forgetting'
        and status in ('pending', 'running') order by id`),
  );
  const store = new ForgettingPassStore(scene.pool);
  for (const runId of runs) {
    let next: PlaceOfPass | null = { unit: 'message', afterId: null };
    while (next !== null) {
      const input: PlaceOfPass = next;
      ({ next } = await store.page(
        { accountId: account, runId, ...input },
        { limit: 3, mostBytes: 10_000 },
      ));
    }
  }
  return runs.length;
}

async function decide(account: string, state: 'upheld' | 'lifted', nth: number): Promise<void> {
  await withAccount(scene.pool, account, async (tx) => {
    const holds = new HoldsStore(tx, account);
    await holds.lock();
    const ids = await tx.anyFirst(sql.type(idRow)`
      select id from forget_holds where account_id = ${account}::uuid order by id`);
    const id = ids[nth % Math.max(1, ids.length)];
    if (id === undefined || !(await holds.decide(id, state, null))) return;
    await holds.record(state, { kind: 'pipeline' }, { id, kind: 'own', values: 1 });
    await holds.enterPass(TRACE);
  });
}

/** How many texts are not served as the holds in force say. */
async function wrong(account: string): Promise<number> {
  return withAccount(scene.pool, account, async (tx) => {
    const judge = await judgeIn(tx, account);
    const all = (table: 'messages' | 'knowledge') =>
      tx.anyFirst(sql.type(idRow)`
        select id from ${sql.identifier([table])} where account_id = ${account}::uuid`);
    const messages = await readMessages(tx, account, await all('messages'));
    const statements = await readStatements(tx, account, await all('knowledge'));
    expect(await foreignIn(judge, messages, statements)).toEqual([]);
    const changed = await serveMessages(tx, account, judge, messages);
    return changed + (await serveStatements(tx, account, judge, statements)).changed;
  });
}

type Act =
  | { readonly do: 'say' | 'ask'; readonly who: number; readonly what: number }
  | { readonly do: 'drain' | 'pass' }
  | { readonly do: 'uphold' | 'lift'; readonly what: number };

const small = fc.nat({ max: 5 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('say' as const), who: small, what: small }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const), who: small, what: small }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('drain' as const, 'pass' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('uphold' as const, 'lift' as const), what: small }),
  },
);

const PEOPLE = ['ana', 'bo', 'cai'];

async function perform(account: string, agent: Caller, one: Act): Promise<void> {
  switch (one.do) {
    case 'say':
    case 'ask': {
      const texts = one.do === 'say' ? SAID : ASKED;
      await scene.ingest(agent, {
        session_id: 'tea',
        peer_key: PEOPLE[one.who % PEOPLE.length] ?? '',
        content: texts[one.what % texts.length] ?? '',
      });
      return;
    }
    case 'drain':
      return drain(account);
    case 'pass':
      await pass(account);
      return;
    case 'uphold':
      return decide(account, 'upheld', one.what);
    case 'lift':
      return decide(account, 'lifted', one.what);
  }
}

test('random schedules of saying, asking, extracting, deciding and passing end with every text served as it should be', async () => {
  const rounds = fc.array(fc.array(act, { minLength: 1, maxLength: 5 }), {
    minLength: 3,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(rounds, async (schedule) => {
      const account = await scene.account();
      await usePreset(scene, account, 'unattended');
      const agent = await scene.caller(account, { key: 'relay' });
      for (const together of schedule) {
        await Promise.all(together.map((one) => perform(account, agent, one)));
      }
      await drain(account);
      // A value that turns out to be somebody else's enters another pass.
      while ((await pass(account)) > 0);
      expect(await wrong(account)).toBe(0);
      const [lost] = await scene.rows(
        `select count(*)::integer as n from messages where account_id = $1
           and encode(content_hash, 'hex') <> encode(sha256(convert_to(coalesce(unmasked, content), 'UTF8')), 'hex')`,
        [account],
      );
      expect(lost).toEqual({ n: 0 });
    }),
    { numRuns: sized({ short: 12, long: 200 }), endOnFailure: true },
  );
});
