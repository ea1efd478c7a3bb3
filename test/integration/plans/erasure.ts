/** An erasure of a person whom a tenth of everything is by and about: its request, a page of each step, its end. */
import { v7 as uuidv7 } from 'uuid';
import { RECEIPT_NOTE } from '../../../domain/erasure/receipt.ts';
import { lossRules } from '../../../engine/erasure/losses.ts';
import { CallerStore } from '../../../stores/postgres/identity/caller.store.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { ROW_STEPS } from '../erasure/erase.ts';
import { PEERS, seedId } from './seed.ts';
import { ACCOUNT, inLarge, type Scenario } from './stage.ts';

const PEER = seedId('peer', PEERS.hot);
const RUN = { accountId: ACCOUNT, runId: uuidv7() };
const ROWS = 100;

export const ERASURE: readonly Scenario[] = [
  {
    name: 'a request to erase a person whom a tenth of everything is by and about',
    run: (stage) =>
      inLarge(stage, async (stores) => {
        await stores.erasures.lock(PEER);
        await stores.erasures.isErased(PEER);
        await stores.erasures.openOf(PEER);
        await stores.admins.lock();
        await stores.admins.includes(PEER);
        await stores.admins.hasOther(PEER);
        await stores.erasures.enter({ id: RUN.runId, peerId: PEER, mode: 'strict' }, null);
        await stores.runs.enter({ kind: 'erasure', id: RUN.runId, traceId: '0'.repeat(32) });
        await stores.erasures.find(RUN.runId);
        await stores.erasures.advance(RUN.runId, 'running');
        await stores.erasures.count(RUN.runId, { messages_deleted: 1 });
        await stores.erasures.unverified(RUN.runId);
      }),
  },
  {
    name: 'the credential that asked for an erasure',
    run: ({ called, scene }) =>
      called
        .noting('identity/caller.store', new CallerStore(scene.pool))
        .erased(new Uint8Array(32)),
  },
  {
    name: 'a page of each step of the erasure, and its reading back',
    async run({ called, scene }) {
      const pages = called.noting('erasure/pages.store', new ErasurePagesStore(scene.pool));
      const rules = lossRules(() => uuidv7());
      called.called.add('erasure/pages.store#under');
      for (const step of ROW_STEPS) await pages.page({ ...RUN, step, limit: ROWS }, rules);
      await pages.unitsWaiting(RUN, ROWS);
      await pages.waitingShards(RUN);
      const [first] = await pages.units(RUN, null, ROWS);
      if (first === undefined) throw new Error('the pages erased something');
      await pages.units(RUN, { unit: first.unit, unitId: first.unit_id }, ROWS);
      await pages.blobs(RUN, ROWS);
      await pages.deletedBlobs(RUN);
      await pages.deleteBlob(RUN, '0'.repeat(64), {
        delete: async () => {},
        deleteDraft: async () => {},
      });
      await pages.placesLeft(RUN);
      await pages.recordReading(RUN, 'nothing');
      await pages.find(RUN);
    },
  },
  {
    name: 'the end of the erasure',
    async run({ called, scene }) {
      const pages = called.noting('erasure/pages.store', new ErasurePagesStore(scene.pool));
      const at = new Date().toISOString();
      await pages.complete(RUN, ({ erased, id, mode }) => ({
        body: {
          receipt: 'vouch-erasure-receipt-1',
          erasure_id: id,
          mode,
          requested_at: at,
          verified_at: [at, at],
          completed_at: at,
          erased,
          manifest_sha256: '0'.repeat(64),
          note: RECEIPT_NOTE,
        },
        key_id: '0'.repeat(64),
        signature: 'A'.repeat(86),
      }));
    },
  },
];
