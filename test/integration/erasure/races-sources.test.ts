/**
 * Erasures beside what changes the sources of statements: another version of a document is read, and observations that
 * extraction gave up are extracted again.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ERASURE_MODES, type ErasureMode } from '../../../domain/erasure/words.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { execute } from '../../../operations/execute.ts';
import { requeueExtraction } from '../../../operations/extraction/requeue.ts';
import { sized } from '../../support/run.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { documentsOf, never } from '../documents/scene.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { brokenLaws, sightOf } from '../governance/laws.ts';
import { Scene } from '../observations/scene.ts';
import { request, takeAll } from './erase.ts';

const RUNS = sized({ short: 5, long: 60 });
const MOST_ROUNDS = 4;
const NAME = 'minutes';
const REVISED = 'about=carol Carol owns a boat.\nabout=alice Alice sails.';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

interface People {
  readonly accountId: string;
  readonly agent: Caller;
  readonly alice: Caller;
  readonly bob: Caller;
  readonly admin: Caller;
}

const extracted = (account: string) =>
  drain(scene, account, pipeline(scene, { extract: literalExtractor }));

async function open(): Promise<People> {
  const accountId = await scene.account();
  await usePreset(scene, accountId, 'unattended');
  const human = { kind: 'human' } as const;
  const people = {
    accountId,
    agent: await scene.caller(accountId, { key: 'agent' }),
    alice: await scene.caller(accountId, { key: 'alice', ...human }),
    bob: await scene.caller(accountId, { key: 'bob', ...human }),
    admin: await scene.caller(accountId, { key: 'admin', role: 'account_admin', ...human }),
  };
  await scene.caller(accountId, { key: 'carol', ...human });
  for (const peer_key of ['alice', 'bob', 'carol']) {
    await scene.ingest(people.agent, { peer_key, content: 'Hello.', role: 'assistant' });
  }
  await extracted(accountId);
  return people;
}

/** Both say it; extraction has given it up. Answers the ids of the observations. */
async function givenUp({ accountId, agent }: People): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const peer_key of ['alice', 'bob']) {
    const content = 'about=carol Carol likes tea.';
    ids.push((await scene.ingest(agent, { peer_key, content })).message_id);
  }
  await scene.rows(
    `update extraction_anchors set status = 'terminal', attempt_count = 1, last_error_class = 'internal_error',
       failed_at = now() where account_id = $1 and message_id = any($2)`,
    [accountId, ids],
  );
  return ids;
}

/** Carries the runs of documents on that were entered and that nobody has carried on, as a worker does. */
async function readOn({ accountId, bob }: People): Promise<void> {
  const runs = await scene.rows(
    `select id from pipeline_runs where account_id = $1 and kind = 'document' and status = 'pending' order by id`,
    [accountId],
  );
  const reader = documentsOf(scene, bob).reader();
  for (const { id } of runs) {
    const run = { accountId, runId: String(id) };
    await reader.parse(run, never);
    await extracted(accountId);
    while ((await reader.settle(run)).more);
  }
}

/** Hands a version of the document in and reads it to its end. A person who is being erased is refused. */
async function revise({ accountId }: People, uploader: Caller, text: string): Promise<void> {
  const documents = documentsOf(scene, uploader);
  try {
    const version = await documents.submitted(text, NAME);
    version.keep();
    const reader = documents.reader();
    await reader.parse(version.run, never);
    await extracted(accountId);
    while ((await reader.settle(version.run)).more);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

async function requeue({ accountId, admin }: People, ids: readonly string[]): Promise<void> {
  const doorbell = { ring: () => {}, ringNow: async () => true };
  for (const message_id of ids) {
    const context = { ...scene.context(admin), doorbell };
    await execute(requeueExtraction, context, { message_id }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    await extracted(accountId);
  }
}

/** Walks through the steps, one row at a time, until nothing is left; answers the places that are left after all. */
async function eraseAlice({ accountId, alice }: People, mode: ErasureMode) {
  const runId = await request(scene, accountId, alice.peerId ?? '', mode);
  const run = { accountId, runId };
  const pages = new ErasurePagesStore(scene.pool);
  let left: readonly string[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await takeAll(scene, run, 1);
    // The indexes and the bytes of documents take no part here.
    left = (await pages.placesLeft(run)).filter(
      (place) => !/^(dirty_marks|erasure_blobs)\./.test(place),
    );
    if (left.length === 0) break;
  }
  return left;
}

test(
  'end with nothing of the person left, and with what another said in place',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ERASURE_MODES),
        fc.constantFrom('alice', 'bob'),
        fc.constantFrom('alice', 'bob'),
        fc.boolean(),
        fc.boolean(),
        async (mode, first, second, isRequeuedBefore, isRevisedBefore) => {
          const people = await open();
          const { accountId } = people;
          const ids = await givenUp(people);
          await revise(people, people[first], 'about=carol Carol owns a boat.');
          if (isRequeuedBefore) await requeue(people, ids.slice(0, 1));
          const revised = () => revise(people, people[second], REVISED);
          if (isRevisedBefore) await revised();
          const [left] = await Promise.all([
            eraseAlice(people, mode),
            requeue(people, ids),
            ...(isRevisedBefore ? [] : [revised()]),
          ]);
          await extracted(accountId);
          await readOn(people);
          expect(left).toEqual([]);
          expect(await brokenLaws(scene, accountId)).toEqual([]);
          expect((await sightOf(scene, scene.pool, accountId)).wrong).toEqual([]);
          const kept = await scene.rows(
            `select statement, corroboration_count as by from knowledge
             where account_id = $1 and state = 'active' order by statement`,
            [accountId],
          );
          // Bob's uploads say it, whether or not Alice's were taken in; what he said is extracted again.
          const boat = { statement: 'Carol owns a boat.', by: 1 };
          const hasBoat = second === 'bob' || first === 'bob';
          const tea = { statement: 'Carol likes tea.', by: 1 };
          expect(kept).toEqual(hasBoat ? [tea, boat] : [tea]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  100 + RUNS * 20_000,
);
