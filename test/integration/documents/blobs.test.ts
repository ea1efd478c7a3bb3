/** What every blob store must do: the folder, and a bucket. */
import { v7 as uuidv7 } from 'uuid';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildBlobStore } from '../../../runtime/container/blobs.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import type { BlobAddress, ListedBlobStore } from '../../../stores/blobs/blob-store.ts';
import { openStubBucket, type StubBucket } from '../../support/s3.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const ACCOUNT = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';

let bucket: StubBucket;
beforeAll(async () => {
  bucket = await openStubBucket('key-1');
});
afterAll(() => bucket.close());

interface Opened {
  readonly store: ListedBlobStore;
  readonly kept: () => Buffer[];
  readonly spoil: () => void;
}

const storeOf = (settings: Record<string, string>): ListedBlobStore =>
  buildBlobStore(loadConfig(settings).settings);

const addressOf = (bytes: Uint8Array, accountId = ACCOUNT): BlobAddress => ({
  accountId,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function openFolder(): Opened {
  const root = join(temporaryDirectory(), 'made', 'at-first-use');
  return {
    store: storeOf({ SERVICE_BLOB_STORE: root }),
    kept: () => filesBelow(root).map((file) => readFileSync(file)),
    spoil: () => filesBelow(root).forEach((file) => writeFileSync(file, 'cut')),
  };
}

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'key-1', AWS_SECRET_ACCESS_KEY: 'secret' };

function openBucket(): Opened {
  bucket.objects.clear();
  const store = storeOf({
    SERVICE_BLOB_STORE: 's3://originals/vouch/one',
    AWS_ENDPOINT_URL_S3: bucket.url,
    ...CREDENTIALS,
  });
  const { objects } = bucket;
  return {
    store,
    kept: () => [...objects.values()],
    spoil: () => [...objects.keys()].forEach((key) => objects.set(key, Buffer.from('cut'))),
  };
}

describe.each<[string, () => Opened]>([
  ['a folder', openFolder],
  ['a bucket', openBucket],
])('%s', (_name, open) => {
  test('lists what an account has in the order of the digests, and which accounts have anything', async () => {
    const { store } = open();
    const texts = ['one', 'two', 'three', 'four', 'five'].map((text) => Buffer.from(text));
    for (const bytes of texts) await store.put(addressOf(bytes), bytes, uuidv7());
    await store.put(addressOf(Buffer.from('other'), OTHER), Buffer.from('other'), uuidv7());
    const listed: string[] = [];
    for await (const sha256 of store.list(ACCOUNT)) listed.push(sha256);
    expect(listed).toEqual(texts.map((bytes) => addressOf(bytes).sha256).toSorted());
    expect((await store.accounts()).toSorted()).toEqual([ACCOUNT, OTHER]);
  });

  test('gives back the bytes that were put, to their own account only', async () => {
    const { store } = open();
    const bytes = Buffer.from('original bytes');
    await store.put(addressOf(bytes), bytes, uuidv7());
    expect(Buffer.from((await store.get(addressOf(bytes))) ?? [])).toEqual(bytes);
    expect(await store.get(addressOf(bytes, OTHER))).toBeNull();
    expect(await store.get(addressOf(Buffer.from('never put')))).toBeNull();
  });

  test('deletes the bytes of their own account, also where none are left', async () => {
    const { kept, store } = open();
    const bytes = Buffer.from('original bytes');
    for (const account of [ACCOUNT, OTHER])
      await store.put(addressOf(bytes, account), bytes, uuidv7());
    await store.delete(addressOf(bytes));
    await store.delete(addressOf(bytes));
    expect(await store.get(addressOf(bytes))).toBeNull();
    expect(Buffer.from((await store.get(addressOf(bytes, OTHER))) ?? [])).toEqual(bytes);
    expect(kept()).toEqual([bytes]);
    await store.put(addressOf(bytes), bytes, uuidv7());
    expect(Buffer.from((await store.get(addressOf(bytes))) ?? [])).toEqual(bytes);
  });

  test('keeps one copy of the same bytes, also when many put them at once', async () => {
    const { kept, store } = open();
    const bytes = Buffer.alloc(100_000, 'x');
    await Promise.all(
      Array.from({ length: 8 }, () => store.put(addressOf(bytes), bytes, uuidv7())),
    );
    expect(kept()).toEqual([bytes]);
  });

  test('does not give out bytes that were altered, and repairs them when they are put again', async () => {
    const { spoil, store } = open();
    const bytes = Buffer.from('original bytes');
    await store.put(addressOf(bytes), bytes, uuidv7());
    spoil();
    await expect(store.get(addressOf(bytes))).rejects.toMatchObject({ name: 'BlobDamagedError' });
    await store.put(addressOf(bytes), bytes, uuidv7());
    expect(Buffer.from((await store.get(addressOf(bytes))) ?? [])).toEqual(bytes);
  });

  test.each([
    { accountId: '../../etc', sha256: 'a'.repeat(64) },
    { accountId: ACCOUNT, sha256: '../passwd' },
    { accountId: ACCOUNT, sha256: 'A'.repeat(64) },
  ])('takes no address that is none: %j', async (address) => {
    const { store } = open();
    await expect(store.put(address, Buffer.from('x'), uuidv7())).rejects.toThrow(TypeError);
    await expect(store.get(address)).rejects.toThrow(TypeError);
  });
});

test('files of a folder are readable by the service only', async () => {
  const root = temporaryDirectory();
  const bytes = Buffer.from('original bytes');
  await storeOf({ SERVICE_BLOB_STORE: root }).put(addressOf(bytes), bytes, uuidv7());
  expect(filesBelow(root).map((file) => statSync(file).mode & 0o077)).toEqual([0]);
});

test('a refusal of a bucket is reported by its status only', async () => {
  const store = storeOf({
    SERVICE_BLOB_STORE: 's3://originals',
    AWS_ENDPOINT_URL_S3: bucket.url,
    ...CREDENTIALS,
    AWS_ACCESS_KEY_ID: 'another',
  });
  const bytes = Buffer.from('original bytes');
  const declined = { name: 'BlobStoreError', code: 'HTTP_403', message: 'the blob store declined' };
  await expect(store.put(addressOf(bytes), bytes, uuidv7())).rejects.toMatchObject(declined);
  await expect(store.get(addressOf(bytes))).rejects.toMatchObject(declined);
});

test.each([
  [{ SERVICE_BLOB_STORE: 's3://originals' }, 'AWS_ACCESS_KEY_ID'],
  [{ SERVICE_BLOB_STORE: 's3://', ...CREDENTIALS }, 's3://bucket/prefix'],
])('%j is refused at the start', (settings, named) => {
  expect(() => storeOf(settings)).toThrow(named);
});
