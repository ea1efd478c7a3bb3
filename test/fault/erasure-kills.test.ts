/**
 * An erasure ends as it would have, whichever process dies in the middle of whichever step: a lock of the test stops
 * each step where it writes, and then the worker and one more process are killed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { z } from 'zod';
import type { ErasureStep } from '../../domain/erasure/words.ts';
import { stackDirectory, startStack, type RunningStack } from '../../measure/stack.ts';
import { brokenLaws } from '../integration/governance/laws.ts';
import { killNow, untilReplaced, type ProcessName } from './harness/children.ts';
import { verifyIndex, vouch } from './harness/command-line.ts';
import { idOf, openErasureScene, type ErasureScene } from './harness/erasure.ts';
import { signUp } from './harness/people.ts';
import { SCOPE } from './harness/service-client.ts';
import { until } from './harness/until.ts';

const CANARY = 'xylorimba';
const SETTINGS = { SERVICE_ERASURE_SETTLE_SECONDS: '2', SERVICE_UNATTENDED: 'true' };
const PATIENCE_MS = 90_000;

interface Stop {
  readonly step: ErasureStep;
  /** What the step waits for; `$1` is the person. */
  readonly lock: string;
  /** What dies beside the worker. */
  readonly victim: ProcessName | null;
}

const ofPerson = (table: string, column: string): string =>
  `select from ${table} where ${column} = $1 for update`;

/** Row locks of what only this step changes. The steps `indexes` and `blobs` follow in the next test. */
const STOPS: readonly Stop[] = [
  {
    step: 'anchors',
    lock: 'select $1::uuid; lock table extraction_anchors in share row exclusive mode',
    victim: 'api',
  },
  { step: 'statements', lock: ofPerson('knowledge', 'subject_peer_id'), victim: 'temporal' },
  { step: 'messages', lock: ofPerson('messages', 'speaker_peer_id'), victim: 'meilisearch' },
  { step: 'relays', lock: ofPerson('messages', 'relay_peer_id'), victim: 'qdrant' },
  { step: 'documents', lock: ofPerson('document_versions', 'uploader_peer_id'), victim: null },
  { step: 'sessions', lock: ofPerson('session_participants', 'peer_id'), victim: null },
  { step: 'identity', lock: ofPerson('credentials', 'peer_id'), victim: null },
  {
    step: 'blobs',
    lock: 'select from erasure_blobs where $1::uuid is not null for update',
    victim: 'postgres',
  },
];

const directory = stackDirectory();
let stack: RunningStack;
let scene: ErasureScene;

beforeAll(async () => {
  stack = await startStack(directory, SETTINGS);
  scene = openErasureScene(stack);
}, 240_000);
afterAll(async () => {
  await stack?.stop();
  directory.remove();
}, 120_000);

/** A lock of the test, held until it is let go or the database dies. */
async function hold(lock: string, peerId: string): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: stack.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  for (const statement of lock.split('; ')) {
    await client.query(statement, statement.includes('$1') ? [peerId] : []);
  }
  return {
    async release() {
      await client.query('rollback').catch(() => undefined);
      await client.end().catch(() => undefined);
    },
  };
}

/** Waits until a transaction of the worker waits for a lock. */
async function untilStopped(step: string): Promise<void> {
  await until(`the step ${step} waits`, PATIENCE_MS, async () => {
    const waiting = await scene
      .rows(
        "select from pg_stat_activity where wait_event_type = 'Lock' and usename = 'vouch_app' limit 1",
      )
      .catch(() => []);
    return waiting.length > 0;
  });
}

async function kill(name: ProcessName): Promise<void> {
  await untilReplaced(directory, name, killNow(directory, name));
}

/** Alice says things, passes something on, and uploads a document. Answers her token and her id. */
async function prepare(): Promise<{ readonly token: string; readonly peerId: string }> {
  for (const thing of [CANARY, 'cello', 'oboe'])
    await scene.say(stack.apiKey, 'alice', `I play the ${thing}.`);
  await scene.say(stack.apiKey, 'bob', 'I like tea.');
  const token = await signUp(directory, stack.baseUrl, 'alice');
  const key = await vouch(directory, [
    'key',
    'create',
    '--peer',
    'alice',
    '--scope',
    '/',
    '--role',
    'member',
  ]);
  const { api_key: ofAlice } = z.object({ api_key: z.string() }).parse(key.value);
  await scene.say(ofAlice, 'bob', 'I keep bees.');
  const document = {
    scope_path: SCOPE,
    media_type: 'text/plain',
    title: CANARY,
    content_base64: Buffer.from(`The ${CANARY} is in tune.`).toString('base64'),
  };
  const version = idOf(
    await scene.ask('/api/v1/documents', ofAlice, document),
    'document_version_id',
  );
  await until('the document is read', PATIENCE_MS, async () => {
    return idOf(await scene.ask(`/api/v1/documents/${version}`, ofAlice), 'status') === 'completed';
  });
  const [row] = await scene.rows("select id from peers where key = 'alice'");
  return { token, peerId: z.object({ id: z.uuid() }).parse(row).id };
}

test('the worker and another process are killed in each step', async () => {
  const { peerId, token } = await prepare();
  expect(await scene.everything()).toContain(CANARY);
  let held = await hold(STOPS[0]?.lock ?? '', peerId);
  const id = idOf(await scene.ask('/api/v1/self/erasure', token, {}), 'id');
  for (const [at, { step, victim }] of STOPS.entries()) {
    await untilStopped(step);
    // The next step is stopped before this one can go on.
    const next = STOPS[at + 1];
    const upcoming =
      next === undefined || next.step === 'blobs' ? null : await hold(next.lock, peerId);
    await kill('worker');
    if (victim !== null) await kill(victim);
    await held.release();
    if (upcoming !== null) held = upcoming;
    if (next?.step === 'blobs') held = await hold(next.lock, peerId);
  }
  await until('the erasure is complete', 2 * PATIENCE_MS, async () => {
    const answer = await scene.ask(`/api/v1/self/erasure/${id}`, token).catch(() => null);
    return answer !== null && idOf(answer, 'state') === 'completed';
  });
  const text = await scene.everything();
  expect(text).not.toContain(CANARY);
  expect(text).not.toMatch(/"alice/);
  const [account] = await scene.rows('select account_id from erasure_requests');
  expect(await brokenLaws(scene, String(account?.['account_id']))).toEqual([]);
  const kept = await scene.rows(
    "select statement from knowledge where state <> 'retracted' order by 1",
  );
  expect(kept).toEqual([{ statement: 'Bob keeps bees.' }, { statement: 'Bob likes tea.' }]);
  expect(await verifyIndex(directory, SETTINGS)).toMatchObject({ consistent: true });
}, 600_000);
