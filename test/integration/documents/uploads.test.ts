/** Bytes of uploads that nothing comes of: refused, cut off, or of a person who is erased meanwhile. None stays. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../../domain/errors.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { UPLOAD_LOST_AFTER_MS } from '../../../domain/pipeline/reconcile.ts';
import { createCompareBlobs } from '../../../engine/blobs/comparison.ts';
import { createErasure } from '../../../engine/erasure/erasure.ts';
import { submitDocument } from '../../../operations/documents/submit.ts';
import { execute } from '../../../operations/execute.ts';
import { blobKey, type BlobStore, type UploadedBlobs } from '../../../stores/blobs/blob-store.ts';
import { createFolderBlobStore } from '../../../stores/blobs/folder.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { ReconcileStore } from '../../../stores/postgres/reconcile/reconcile.store.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { erase } from '../erasure/erase.ts';
import { Scene } from '../observations/scene.ts';

const TEXT = 'The old mill grinds rye.';
const SHA256 = createHash('sha256').update(TEXT).digest('hex');

let scene: Scene;
let root: string;
let blobs: BlobStore;
let account: string;
let alice: Caller;
let bob: Caller;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  root = temporaryDirectory();
  blobs = createFolderBlobStore(root);
  account = await scene.account();
  alice = await scene.caller(account, { key: 'alice', kind: 'human' });
  bob = await scene.caller(account, { key: 'bob', kind: 'human' });
});

const upload = (
  caller: Caller,
  {
    externalId = null,
    through = blobs,
    text = TEXT,
  }: {
    readonly externalId?: string | null;
    readonly through?: UploadedBlobs;
    readonly text?: string;
  } = {},
) =>
  execute(
    submitDocument,
    {
      ...scene.context(caller),
      blobs: { get: async () => null, ...through },
      sweep: { soon: () => {} },
      resolveCaller: () => stillGood(caller),
    },
    {
      scope_path: '/team',
      external_id: externalId,
      media_type: 'text/plain',
      content_base64: Buffer.from(text),
    },
  );

/** As the door resolves the caller again, before anything is written. */
async function stillGood(caller: Caller): Promise<Caller> {
  const [row] = await scene.rows('select from credentials where id = $1 and revoked_at is null', [
    caller.credentialId,
  ]);
  if (row === undefined) throw new Refusal('unauthorized');
  return caller;
}

const files = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name);
const rows = () => scene.rows('select id from document_uploads where account_id = $1', [account]);
const address = () => ({ accountId: account, sha256: SHA256 });

/** The store with something that happens once the bytes are put. */
const thenDoing = (what: () => Promise<unknown>): UploadedBlobs => ({
  ...blobs,
  async put(...given) {
    await blobs.put(...given);
    await what();
  },
});

const revoke = ({ credentialId }: Caller) =>
  scene.rows('update credentials set revoked_at = now() where id = $1', [credentialId]);

async function eraseAll(caller: Caller): Promise<void> {
  const runId = await erase(scene, account, caller.peerId ?? '', 'strict');
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

const reconcile = () =>
  new ReconcileStore(scene.pool).abandonUploads(
    account,
    { olderThanMs: UPLOAD_LOST_AFTER_MS, limit: 100 },
    blobs,
    new AbortController().signal,
  );

/** An upload whose process died: with its bytes in place, or still as a draft. */
async function diedUpload(caller: Caller, as: 'bytes' | 'draft'): Promise<string> {
  const id = uuidv7();
  await createInAccount(scene.pool)(account, ({ uploads }) =>
    uploads.begin({ id, sha256: SHA256, uploaderPeerId: caller.peerId ?? '' }),
  );
  const path = join(root, ...blobKey(address()));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(as === 'bytes' ? path : `${path}.${id}`, TEXT);
  return id;
}

test('an upload that comes to its end leaves its bytes and no row', async () => {
  expect((await upload(alice)).status).toBe('accepted');
  expect(files()).toEqual([SHA256]);
  expect(await rows()).toEqual([]);
});

test('an upload whose right ends while its bytes are put leaves nothing', async () => {
  await expect(upload(alice, { through: thenDoing(() => revoke(alice)) })).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(files()).toEqual([]);
  expect(await rows()).toEqual([]);
});

test('an upload that the store refuses leaves nothing', async () => {
  const through = { ...blobs, put: () => Promise.reject(new Error('full')) };
  await expect(upload(alice, { through })).rejects.toThrow('full');
  expect(files()).toEqual([]);
  expect(await rows()).toEqual([]);
});

test('bytes that another upload or version needs stay when one comes to nothing', async () => {
  await upload(bob);
  await expect(upload(alice, { through: thenDoing(() => revoke(alice)) })).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(files()).toEqual([SHA256]);
  const other = await diedUpload(bob, 'bytes');
  await scene.rows('delete from document_versions where account_id = $1', [account]);
  const carol = await scene.caller(account, { key: 'carol', kind: 'human' });
  await expect(upload(carol, { through: thenDoing(() => revoke(carol)) })).rejects.toThrow();
  expect(files()).toEqual([SHA256]);
  expect(await rows()).toEqual([{ id: other }]);
});

test.each(['bytes', 'draft'] as const)(
  'the %s of an upload whose process died go with its person, and what it may yet write comes to nothing',
  async (as) => {
    const id = await diedUpload(alice, as);
    await eraseAll(alice);
    expect(files()).toEqual([]);
    const path = join(root, ...blobKey(address()));
    await expect(rename(`${path}.${id}`, path)).rejects.toMatchObject({ code: 'ENOENT' });
    // The process goes on after all: what it writes is found by its row, which names nobody.
    await writeFile(path, TEXT);
    await scene.rows(`update document_uploads set began_at = began_at - interval '2 hours'`);
    expect(await reconcile()).toBe(1);
    expect(files()).toEqual([]);
    expect(await rows()).toEqual([]);
  },
);

test('a person who is erased while the bytes are put: the upload is refused, and they are gone', async () => {
  const through = thenDoing(() => eraseAll(alice));
  await expect(upload(alice, { through })).rejects.toThrow();
  expect(files()).toEqual([]);
  expect(await rows()).toEqual([]);
});

test('a person who is being erased begins no upload', async () => {
  await erase(scene, account, alice.peerId ?? '', 'strict');
  const begun = createInAccount(scene.pool)(account, ({ uploads }) =>
    uploads.begin({ id: randomUUID(), sha256: SHA256, uploaderPeerId: alice.peerId ?? '' }),
  );
  expect(await begun).toBe(false);
});

test('the reconcile leaves uploads of the last hour, and ends older ones with their bytes', async () => {
  await diedUpload(alice, 'bytes');
  expect(await reconcile()).toBe(0);
  expect(files()).toEqual([SHA256]);
  await scene.rows(`update document_uploads set began_at = began_at - interval '61 minutes'`);
  expect(await reconcile()).toBe(1);
  expect(files()).toEqual([]);
  expect(await rows()).toEqual([]);
});

test('an upload that the reconcile has ended is refused, and leaves nothing', async () => {
  const through = thenDoing(async () => {
    await scene.rows(`update document_uploads set began_at = began_at - interval '61 minutes'`);
    await reconcile();
    await writeFile(join(root, ...blobKey(address())), TEXT);
  });
  await expect(upload(alice, { through })).rejects.toMatchObject({ code: 'unavailable' });
  expect(files()).toEqual([]);
});

test.each([null, 'handbook'])(
  'the same bytes and name (%s) of a second person are a document of her own, and stay when the first is erased',
  async (externalId) => {
    const first = await upload(alice, { externalId });
    const second = await upload(bob, { externalId });
    expect(second.status).toBe('accepted');
    expect(second.document_id).not.toBe(first.document_id);
    expect(second.document_version_id).not.toBe(first.document_version_id);
    expect(await upload(alice, { externalId })).toEqual({ ...first, status: 'unchanged' });
    expect(await upload(bob, { externalId })).toEqual({ ...second, status: 'unchanged' });
    await eraseAll(alice);
    expect(await upload(bob, { externalId })).toEqual({ ...second, status: 'unchanged' });
    expect(files()).toEqual([SHA256]);
  },
);

test('bytes without a row are removed, bytes that are missing are told, and an upload under way is left alone', async () => {
  const store = createFolderBlobStore(root);
  await upload(alice);
  await upload(alice, { text: 'The mill stands still.' });
  const put = async (text: string) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    await store.put({ accountId: account, sha256 }, Buffer.from(text), randomUUID());
    return sha256;
  };
  const orphan = await put('Nobody names this.');
  const underWay = await put('This is being handed in.');
  const inAccount = createInAccount(scene.pool);
  await inAccount(account, ({ uploads }) =>
    uploads.begin({ id: randomUUID(), sha256: underWay, uploaderPeerId: String(alice.peerId) }),
  );
  await store.delete({ accountId: account, sha256: SHA256 });
  const compare = createCompareBlobs(inAccount, store);
  const { signal } = new AbortController();
  const found = { named: 2, missing: 1, examples: [SHA256], orphans: 1 };
  expect(await compare(account, { remove: false, signal })).toEqual({ ...found, removed: 0 });
  expect(await store.get({ accountId: account, sha256: orphan })).not.toBeNull();
  expect(await compare(account, { remove: true, signal })).toEqual({ ...found, removed: 1 });
  expect(await store.get({ accountId: account, sha256: orphan })).toBeNull();
  expect(await store.get({ accountId: account, sha256: underWay })).not.toBeNull();
});
