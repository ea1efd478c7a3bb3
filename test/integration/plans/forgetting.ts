/** Requests to forget: opened, listed, decided, and the pass over texts. */
import { v7 as uuidv7 } from 'uuid';
import { ForgettingPassStore } from '../../../stores/postgres/forgetting/pass.store.ts';
import { path } from '../observations/scene.ts';
import { seedId } from './seed.ts';
import { ACCOUNT, CREDENTIAL, HOT, inLarge, type Scenario } from './stage.ts';

const REQUESTER = seedId('peer', 9);
const TRACE = '0'.repeat(32);
const PIPELINE = { kind: 'pipeline' } as const;
const KEY = new Uint8Array(32);
const HASH = 'ab'.repeat(32);

const hold = (id: string, scopeId: string) => ({
  id,
  scopeId,
  requesterId: REQUESTER,
  messageId: seedId('message', 3),
  credentialId: CREDENTIAL,
  kind: 'own' as const,
  isActing: true,
  sealedKey: KEY,
  values: [
    {
      hash: HASH,
      hint: 7,
      opensDoor: true,
      isSpecific: true,
      firstSaidAt: '2026-01-01T00:00:00.000Z',
      isStated: false,
    },
  ],
});

export const FORGETTING: readonly Scenario[] = [
  {
    name: 'a request to forget opens a hold, is listed, read, upheld and lifted',
    run: (stage) =>
      inLarge(stage, async ({ holds, runs }) => {
        const id = uuidv7();
        await holds.lock();
        await holds.book();
        await holds.setActs('own');
        await holds.requestOf(seedId('message', 3));
        await holds.isOpened(seedId('message', 3));
        await holds.openedInADay(REQUESTER, CREDENTIAL);
        await holds.ownTexts(REQUESTER, path('/wide/7'));
        await holds.open(hold(id, HOT[1] ?? ''));
        await holds.record('opened', PIPELINE, { id, kind: 'own', values: 1 });
        await holds.change(KEY);
        await holds.acting();
        await holds.list({
          scopeIds: HOT,
          state: 'open',
          peerId: seedId('peer', 5),
          afterId: null,
          limit: 26,
        });
        await holds.findFor(id, seedId('peer', 5));
        await holds.wordsOf(id);
        await holds.narrow([{ holdId: id, hash: HASH }]);
        await holds.decide(id, 'upheld', null);
        await holds.decide(id, 'lifted', null);
        await holds.serve([seedId('message', 3)], [seedId('statement', 3)]);
        await runs.traceOf(await holds.enterPass(TRACE));
      }),
  },
  {
    name: 'a page of a pass over texts',
    async run(stage) {
      const { pool } = stage.scene;
      let runId = '';
      await inLarge(stage, async ({ holds }) => {
        await holds.change(KEY);
        runId = await holds.enterPass(TRACE);
      });
      const store = stage.called.noting('forgetting/pass.store', new ForgettingPassStore(pool));
      const limits = { limit: 50, mostBytes: 1_000_000 };
      for (const unit of ['message', 'statement'] as const) {
        await store.page({ accountId: ACCOUNT, runId, unit, afterId: null }, limits);
      }
    },
  },
];
