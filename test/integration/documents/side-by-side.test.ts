/** Order of model calls: passages of a document do not wait for each other, turns of a session do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { eventually, HANGS_MS } from '../../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { drain, pipeline } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { documentsOf, never } from './scene.ts';

let scene: Scene;
let stub: StubOpenAi;
let uploader: Caller;

beforeEach(async () => {
  scene = await Scene.open();
  stub = await startStubOpenAi();
  uploader = await scene.caller(await scene.account(), { key: 'uploader' });
});
afterEach(async () => {
  await stub.close();
  await scene.close();
});

const extract = () => drain(scene, uploader.accountId, pipeline(scene, { endpoint: stub.baseUrl }));

test('two passages of one document are extracted at the same time', async () => {
  const documents = documentsOf(scene, uploader);
  const { keep, run } = await documents.submitted('The pier is long.\nThe quay is short.');
  keep();
  await documents.reader().parse(run, never);
  // The first is answered when the second has been asked, and fails the test when it never is.
  const bothAsked = eventually(() => stub.requests.length === 2, HANGS_MS / 4);
  stub.script({
    kind: 'held',
    until: bothAsked.then(
      () => undefined,
      () => undefined,
    ),
  });
  expect(await extract()).toMatchObject({ ok: 2, failed: 0 });
  expect(await bothAsked).toBe(true);
  expect(stub.peak()).toBe(2);
});

test('two messages of one session are extracted one after the other', async () => {
  for (const content of ['I own a boat.', 'I own a car.']) {
    await scene.ingest(uploader, { peer_key: 'alice', content });
  }
  stub.script({ kind: 'held', until: sleep(500) });
  expect(await extract()).toMatchObject({ ok: 2, failed: 0 });
  expect([stub.requests.length, stub.peak()]).toEqual([2, 1]);
});
