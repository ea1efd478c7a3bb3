/** Erases a person from the rows of an account, step by step, as the workflow does; the indexes take no part. */
import { v7 as uuidv7 } from 'uuid';
import { ERASURE_STEPS, type ErasureMode } from '../../../domain/erasure/words.ts';
import { lossRules } from '../../../engine/erasure/losses.ts';
import { enterErasure } from '../../../operations/erasure/request.ts';
import { ErasurePagesStore, type RowStep } from '../../../stores/postgres/erasure/pages.store.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { Scene } from '../observations/scene.ts';

export const ROW_STEPS = ERASURE_STEPS.filter(
  (step): step is RowStep => step !== 'indexes' && step !== 'blobs',
);

/** Enters the request; answers its id. */
export async function request(
  scene: Pick<Scene, 'pool'>,
  accountId: string,
  peerId: string,
  mode: ErasureMode,
): Promise<string> {
  const entered = await createInAccount(scene.pool)(accountId, async (stores) => {
    await stores.erasures.lock(peerId);
    return enterErasure(stores, {
      peerId,
      mode,
      access: null,
      actor: { kind: 'cli' },
      traceId: '0'.repeat(32),
    });
  });
  return entered.id;
}

/** Does the step to its end, in pages of `limit` rows. Answers the number of pages. */
async function take(
  scene: Pick<Scene, 'pool'>,
  run: { readonly accountId: string; readonly runId: string },
  step: RowStep,
  limit = 200,
): Promise<number> {
  const pages = new ErasurePagesStore(scene.pool);
  const rules = lossRules(() => uuidv7());
  for (let count = 1; ; count += 1) {
    const { more } = await pages.page({ ...run, step, limit }, rules);
    if (!more) return count;
  }
}

/** Does every step to its end, in their order. */
export async function takeAll(
  scene: Pick<Scene, 'pool'>,
  run: { readonly accountId: string; readonly runId: string },
  limit?: number,
): Promise<void> {
  for (const step of ROW_STEPS) await take(scene, run, step, limit);
}

/** Enters the request and walks through all steps. Answers the id of the erasure. */
export async function erase(
  scene: Scene,
  accountId: string,
  peerId: string,
  mode: ErasureMode,
  limit?: number,
): Promise<string> {
  const runId = await request(scene, accountId, peerId, mode);
  await takeAll(scene, { accountId, runId }, limit);
  return runId;
}
