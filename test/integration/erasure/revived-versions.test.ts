/**
 * What a document says after the person is erased who replaced its version, or who withdrew it. Versions of several people
 * are of the time before each had documents of its own.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { RunRef } from '../../../domain/pipeline/run-kinds.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ErasurePagesStore } from '../../../stores/postgres/erasure/pages.store.ts';
import { documentsOf, never, type Documents } from '../documents/scene.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { brokenLaws } from '../governance/laws.ts';
import { Scene } from '../observations/scene.ts';
import { erase } from './erase.ts';

const NAME = 'minutes';
const BOAT = 'about=carol Carol owns a boat.';

let scene: Scene;
let account: string;
let alice: Caller;
let bob: Caller;
let ofBob: Documents;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  await usePreset(scene, account, 'unattended');
  alice = await scene.caller(account, { key: 'alice', kind: 'human' });
  bob = await scene.caller(account, { key: 'bob', kind: 'human' });
  ofBob = documentsOf(scene, bob);
  await scene.caller(account, { key: 'carol', kind: 'human' });
});

async function read(documents: Documents, run: RunRef): Promise<void> {
  const reader = documents.reader();
  await reader.parse(run, never);
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  while ((await reader.settle(run)).more);
}

async function upload(documents: Documents, text: string): Promise<string> {
  const version = await documents.submitted(text, NAME);
  version.keep();
  await read(documents, version.run);
  return version.documentId;
}

/** From now on the uploads of the person are versions of the document, whose ones others uploaded. */
const handOver = (documentId: string, { peerId }: Caller) =>
  scene.rows('update documents set owner_peer_id = $2 where id = $1', [documentId, peerId]);

/** Runs of documents that wait for a worker. */
async function waitingRuns(): Promise<readonly RunRef[]> {
  const runs = await scene.rows(
    "select id from pipeline_runs where account_id = $1 and kind = 'document' and status = 'pending'",
    [account],
  );
  return runs.map(({ id }) => ({ accountId: account, runId: String(id) }));
}

/** Erases Alice, and reads what is to be read then. */
async function eraseAlice(): Promise<void> {
  const runId = await erase(scene, account, alice.peerId ?? '', 'proportionate');
  for (const run of await waitingRuns()) await read(ofBob, run);
  const left = await new ErasurePagesStore(scene.pool).placesLeft({ accountId: account, runId });
  expect(left.filter((place) => !/^(dirty_marks|erasure_blobs)\./.test(place))).toEqual([]);
  expect(await brokenLaws(scene, account)).toEqual([]);
}

async function believed(): Promise<readonly unknown[]> {
  const rows = await scene.rows(
    "select statement from knowledge where account_id = $1 and state = 'active' order by 1",
    [account],
  );
  return rows.map(({ statement }) => statement);
}

/** Texts of chunks that both indexes are told of, and are to hold. */
async function marked(): Promise<readonly unknown[]> {
  const rows = await scene.rows(
    `select m.content from messages m where m.account_id = $1 and m.document_version_id is not null and 2 = (
       select count(*) from dirty_marks d
       where d.account_id = m.account_id and d.unit = 'message' and d.unit_id = m.id)
     order by 1`,
    [account],
  );
  return rows.map(({ content }) => content);
}

const forgetMarks = () => scene.rows('delete from dirty_marks where account_id = $1', [account]);

test('a version that she replaced speaks again, in the indexes too', async () => {
  const documentId = await upload(ofBob, `${BOAT}\nabout=carol Carol sails.`);
  await handOver(documentId, alice);
  await upload(documentsOf(scene, alice), `${BOAT}\nabout=carol Carol rows.`);
  expect(await believed()).toEqual(['Carol owns a boat.', 'Carol rows.']);
  await forgetMarks();
  await eraseAlice();
  expect(await believed()).toEqual(['Carol owns a boat.', 'Carol sails.']);
  expect(await marked()).toEqual([BOAT, 'about=carol Carol sails.']);
  // It is the latest version again: the same bytes change nothing.
  await handOver(documentId, bob);
  expect((await ofBob.submitted(`${BOAT}\nabout=carol Carol sails.`, NAME)).outcome).toBe(
    'unchanged',
  );
});

test('a version that she replaced before it was read is read', async () => {
  const first = await ofBob.submitted(BOAT, NAME);
  first.keep();
  await handOver(first.documentId, alice);
  await upload(documentsOf(scene, alice), 'about=carol Carol rows.');
  expect(await believed()).toEqual(['Carol rows.']);
  await eraseAlice();
  expect(await believed()).toEqual(['Carol owns a boat.']);
});

test('a version that she did not upload last changes nothing by going', async () => {
  const documentId = await upload(documentsOf(scene, alice), 'about=carol Carol rows.');
  await handOver(documentId, bob);
  await upload(ofBob, BOAT);
  await eraseAlice();
  expect(await believed()).toEqual(['Carol owns a boat.']);
  expect(await waitingRuns()).toEqual([]);
});

test('a document that she withdrew stays withdrawn, and nothing says by whom', async () => {
  const documentId = await upload(ofBob, BOAT);
  const ofAlice = documentsOf(scene, alice);
  await read(ofAlice, (await ofAlice.withdrawn(documentId)).run);
  expect(await believed()).toEqual([]);
  await eraseAlice();
  expect(await believed()).toEqual([]);
  const versions = await scene.rows(
    `select is_withdrawal, uploader_peer_id is null as by_nobody from document_versions
     where account_id = $1 order by version`,
    [account],
  );
  expect(versions).toEqual([
    { is_withdrawal: false, by_nobody: false },
    { is_withdrawal: true, by_nobody: true },
  ]);
});

test('a document of hers that another withdrew loses its name with its text', async () => {
  const documentId = await upload(documentsOf(scene, alice), BOAT);
  await read(ofBob, (await ofBob.withdrawn(documentId)).run);
  await eraseAlice();
  const names = await scene.rows('select external_id from documents where account_id = $1', [
    account,
  ]);
  expect(names).toEqual([{ external_id: expect.not.stringContaining(NAME) }]);
});
