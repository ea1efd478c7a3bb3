/** An erasure takes what was said, and leaves what is recorded about it: the chain is the same, and goes on. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GENESIS } from '../../../domain/audit/chain.ts';
import { ERASURE_MODES } from '../../../domain/erasure/words.ts';
import { createSealer } from '../../../engine/audit/sealer.ts';
import { createVerifyChain } from '../../../engine/audit/verify.ts';
import { AuditChainStore } from '../../../stores/postgres/audit/audit-chain.store.ts';
import { erase } from '../erasure/erase.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const { signal } = new AbortController();

test.each(ERASURE_MODES)(
  'a head printed before an erasure (%s) is still in the chain, which then holds the erasure too',
  async (mode) => {
    const store = new AuditChainStore(scene.pool);
    const sealer = createSealer({ store, onFailure: (error) => expect(error).toBeUndefined() });
    const verifyChain = createVerifyChain(store);
    const account = await scene.account();
    await usePreset(scene, account, 'unattended');
    const relay = await scene.caller(account, { key: 'relay' });
    const { peerId } = await scene.caller(account, { key: 'alice', kind: 'human' });
    for (const content of ['about=alice Alice likes tea.', 'about=relay The relay is old.']) {
      await scene.ingest(relay, { peer_key: 'alice', content });
    }
    await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
    await sealer.pass(signal);
    const before = await verifyChain(account, { expectedHead: null, signal });
    expect(before.finding).toBeNull();
    expect(before.head.position).toBeGreaterThan(GENESIS.position);

    await erase(scene, account, peerId ?? '', mode);
    await sealer.pass(signal);
    const after = await verifyChain(account, { expectedHead: before.head.hash, signal });
    expect(after).toMatchObject({ finding: null, unsealed: 0 });
    expect(after.head.position).toBeGreaterThan(before.head.position);
  },
);
