/**
 * Erasures beside everything that an account does meanwhile: what people decide, contests, merges, edits, deadlines,
 * changes of preset, new observations and a second erasure.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { ERASURE_MODES, type ErasureMode } from '../../../domain/erasure/words.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { sized } from '../../support/run.ts';
import { History } from '../governance/histories.ts';
import { steps } from '../governance/steps.ts';
import { brokenLaws, sightOf } from '../governance/laws.ts';
import { Scene } from '../observations/scene.ts';
import { request, takeAll } from './erase.ts';

const RUNS = sized({ short: 5, long: 60 });
const BEFORE = 6;
const BESIDE = 5;
/** A reading back that finds something sends the erasure through its steps again. */
const MOST_ROUNDS = 3;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

async function peerOf(account: string, key: string): Promise<string> {
  const [row] = await scene.rows('select id from peers where account_id = $1 and key = $2', [
    account,
    key,
  ]);
  return z.object({ id: z.uuid() }).parse(row).id;
}

/** Walks through the steps, one row at a time, until nothing is left. Answers the places that are left after all. */
async function eraseBesideOthers(account: string, peerId: string, mode: ErasureMode) {
  const runId = await request(scene, account, peerId, mode);
  const run = { accountId: account, runId };
  const pages = new ErasurePagesStore(scene.pool);
  const left = async (): Promise<readonly string[]> =>
    // The indexes take no part here.
    (await pages.placesLeft(run)).filter((place) => !place.startsWith('dirty_marks.'));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await takeAll(scene, run, 1);
    if ((await left()).length === 0) break;
  }
  return { runId, left };
}

test(
  'end with nothing left, and everything else in one legal history',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: BEFORE, maxLength: BEFORE }),
        fc.array(steps, { minLength: BESIDE, maxLength: BESIDE }),
        fc.constantFrom(...ERASURE_MODES),
        fc.boolean(),
        async (before, beside, mode, isBobErased) => {
          const history = await History.begin(scene);
          const { accountId } = history;
          await history.do({ does: 'preset', preset: 'unattended' });
          for (const by of ['alice', 'bob']) {
            await history.do({
              does: 'say',
              by,
              at: '/team',
              content: 'about=alice Alice likes tea.',
            });
            await history.do({
              does: 'say',
              by,
              at: '/team',
              content: 'about=carol Carol likes tea.',
            });
          }
          for (const step of before) await history.do(step);
          const erased = isBobErased ? ['alice', 'bob'] : ['alice'];
          const peers: string[] = [];
          for (const key of erased) peers.push(await peerOf(accountId, key));
          const [erasures] = await Promise.all([
            Promise.all(peers.map((peerId) => eraseBesideOthers(accountId, peerId, mode))),
            ...beside.map((step) => history.do(step)),
          ]);
          for (const { left } of erasures) {
            expect([before, beside, mode, erased, await left()]).toEqual([
              before,
              beside,
              mode,
              erased,
              [],
            ]);
          }
          expect(await brokenLaws(scene, accountId)).toEqual([]);
          expect((await sightOf(scene, scene.pool, accountId)).wrong).toEqual([]);
          // Whatever became of the words of both: they stay while Bob is left, who said them too.
          const said = await scene.rows(
            `select distinct p.key from knowledge k
             join provenance source on source.account_id = k.account_id and source.knowledge_id = k.id
             join peers p on p.account_id = k.account_id and p.id = source.speaker_peer_id
             where k.account_id = $1 and k.statement is not null
               and k.subject_peer_id = (select id from peers where account_id = $1 and key = 'carol')`,
            [accountId],
          );
          expect(said.map(({ key }) => key)).toEqual(isBobErased ? [] : ['bob']);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  100 + RUNS * 20_000,
);
