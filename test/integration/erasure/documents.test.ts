/** Documents that an erased person uploaded: versions, chunks, names and bytes, beside those of others. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createErasure } from '../../../engine/erasure/erasure.ts';
import { submitDocument } from '../../../operations/documents/submit.ts';
import { execute } from '../../../operations/execute.ts';
import type { BlobStore } from '../../../stores/blobs/blob-store.ts';
import { createFolderBlobStore } from '../../../stores/blobs/folder.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { Scene } from '../observations/scene.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { erase } from './erase.ts';

let scene: Scene;
let blobs: BlobStore;
let account: string;
let alice: Caller;
let bob: Caller;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  blobs = createFolderBlobStore(temporaryDirectory());
  account = await scene.account();
  alice = await scene.caller(account, { key: 'alice', kind: 'human' });
  bob = await scene.caller(account, { key: 'bob', kind: 'human' });
});

function upload(caller: Caller, text: string, name: string) {
  return execute(
    submitDocument,
    { ...scene.context(caller), blobs, sweep: { soon: () => {} } },
    {
      scope_path: '/team',
      external_id: name,
      title: name,
      media_type: 'text/plain',
      content_base64: Buffer.from(text),
    },
  );
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const isKept = async (text: string) =>
  (await blobs.get({ accountId: account, sha256: sha256(text) })) !== null;

/** The step that deletes bytes. */
async function eraseBytes(runId: string): Promise<void> {
  const never = (): never => {
    throw new Error('this step needs none of it');
  };
  const erasure = createErasure({
    pages: new ErasurePagesStore(scene.pool),
    indexes: { eraseElsewhere: never, held: never, heldOfPeer: never },
    blobs,
    newId: () => uuidv7(),
    ring: never,
    sign: never,
    settleMs: 0,
    report: never,
  });
  while ((await erasure.step({ accountId: account, runId, step: 'blobs' })).more);
}

const versions = () =>
  scene.rows(
    `select d.external_id, v.title from document_versions v
     join documents d on d.account_id = v.account_id and d.id = v.document_id
     where v.account_id = $1 order by v.title`,
    [account],
  );

test('versions of the person go, with their bytes unless another version has them', async () => {
  await upload(alice, 'hers alone', 'diary');
  await upload(alice, 'shared', 'minutes');
  await upload(bob, 'shared', 'minutes of bob');
  await upload(bob, 'his own', 'diary of bob');
  const runId = await erase(scene, account, alice.peerId ?? '', 'proportionate');
  await eraseBytes(runId);
  expect(await versions()).toEqual([
    { external_id: 'diary of bob', title: 'diary of bob' },
    { external_id: 'minutes of bob', title: 'minutes of bob' },
  ]);
  expect(await Promise.all(['hers alone', 'shared', 'his own'].map(isKept))).toEqual([
    false,
    true,
    true,
  ]);
  // No name of hers is left: the same name is another document.
  const names = await scene.rows('select external_id from documents where account_id = $1', [
    account,
  ]);
  expect(names.map((row) => row['external_id'])).not.toEqual(
    expect.arrayContaining(['diary', 'minutes']),
  );
});

test('the same bytes that another uploads meanwhile are a version of their own', async () => {
  const hers = await upload(alice, 'the rules', 'rules');
  const runId = await erase(scene, account, alice.peerId ?? '', 'strict', 1);
  const his = await upload(bob, 'the rules', 'rules');
  expect(his.status).toBe('accepted');
  expect(his.document_version_id).not.toBe(hers.document_version_id);
  await eraseBytes(runId);
  expect(await isKept('the rules')).toBe(true);
});

test('bytes that were deleted a moment ago are put again by whoever uploads them', async () => {
  await upload(alice, 'the rules', 'rules');
  const runId = await erase(scene, account, alice.peerId ?? '', 'strict');
  await eraseBytes(runId);
  expect(await isKept('the rules')).toBe(false);
  expect((await upload(bob, 'the rules', 'rules')).status).toBe('accepted');
  expect(await isKept('the rules')).toBe(true);
});
