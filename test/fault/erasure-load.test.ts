/**
 * A person is erased while observations by and about that person come in and are indexed: what was accepted before the
 * request is found nowhere afterwards, and what others said of others is all there. `VOUCH_FAULT_MESSAGES` of them.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { stackDirectory, startStack, type RunningStack } from '../../measure/stack.ts';
import { send } from '../support/http.ts';
import { verifyIndex } from './harness/command-line.ts';
import { idOf, openErasureScene, type ErasureScene } from './harness/erasure.ts';
import { searchEverywhere } from './harness/indexes.ts';
import { signUp } from './harness/people.ts';
import { SCOPE } from './harness/service-client.ts';
import { killSettings } from './harness/settings.ts';
import { until } from './harness/until.ts';

const { messages: MESSAGES } = killSettings(process.env);
const LANES = 8;
const PAUSE_MS = 20;
/** Of the second half, so much is sent before the request. */
const EARLIER_MS = 150;
/** Held only by what is accepted before the request. */
const CANARY = 'xylorimba';
const SETTINGS = { SERVICE_ERASURE_SETTLE_SECONDS: '3', SERVICE_UNATTENDED: 'true' };
const COMPLETE_WITHIN_MS = 300_000;

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

interface Sent {
  readonly speaker: string;
  readonly status: number;
}

/** What is said: a third by Alice, a third about Alice, a third by others about themselves. What others say stays theirs. */
function observation(
  n: number,
  word: string,
): { readonly speaker: string; readonly content: string } {
  if (n % 3 === 0) return { speaker: 'alice', content: `I play the ${word} number ${n}.` };
  if (n % 3 === 1) return { speaker: 'bob', content: `Alice plays the oboe number ${n}.` };
  return { speaker: 'carol', content: `I keep goat number ${n}.` };
}

async function load(from: number, count: number, word: string): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < from + count) {
      const n = (next += 1);
      const { content, speaker } = observation(n, word);
      const json = { session_id: `talk-${n % 20}`, scope_path: SCOPE, peer_key: speaker, content };
      const { status } = await send(stack.baseUrl, {
        path: '/api/v1/ingest',
        token: stack.apiKey,
        json,
      });
      sent.push({ speaker, status });
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return sent;
}

/** Every file below the folder of the start that holds the word; the servers' own data aside. */
function filesWith(word: string): readonly string[] {
  const root = join(directory.path, '.vouch');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes('/blobs/') || path.endsWith('.log') || path.endsWith('.json'))
    .filter((path) => readFileSync(path).includes(word));
}

test('nothing of the person is left, and everything of the others', async () => {
  await scene.say(stack.apiKey, 'alice', 'I am Alice.');
  const token = await signUp(directory, stack.baseUrl, 'alice');
  const half = Math.floor(MESSAGES / 2);
  await load(0, half, CANARY);
  expect((await scene.everything()).includes(CANARY)).toBe(true);
  // From here on the canary is said no more; half of what was said is still being extracted and indexed.
  const second = load(half, MESSAGES - half, 'cello');
  await sleep(EARLIER_MS);
  const id = idOf(await scene.ask('/api/v1/self/erasure', token, {}), 'id');
  const statuses = new Set(
    (await second).map(
      ({ speaker, status }) => `${speaker === 'alice' ? 'alice' : 'others'} ${status}`,
    ),
  );
  expect([...statuses].toSorted()).toEqual(['alice 202', 'alice 409', 'others 202']);
  await until('the erasure is complete', COMPLETE_WITHIN_MS, async () => {
    return idOf(await scene.ask(`/api/v1/self/erasure/${id}`, token), 'state') === 'completed';
  });
  await until('everything is extracted and indexed', COMPLETE_WITHIN_MS, async () => {
    const open = await scene.rows(`
      select from extraction_anchors where status in ('pending', 'failed')
      union all select from dirty_marks limit 1`);
    return open.length === 0;
  });
  expect((await scene.everything()).includes(CANARY)).toBe(false);
  expect(await searchEverywhere(directory, CANARY)).toBe(0);
  expect(filesWith(CANARY)).toEqual([]);
  expect(stack.outputSoFar()).not.toContain(CANARY);
  const [kept] = await scene.rows(
    `select count(*)::int as n from knowledge k join peers p on p.account_id = k.account_id and p.id = k.subject_peer_id
     where p.key = 'carol' and k.state = 'active'`,
  );
  expect(z.object({ n: z.number() }).parse(kept).n).toBe(Math.floor((MESSAGES + 1) / 3));
  expect(await verifyIndex(directory, SETTINGS)).toMatchObject({ consistent: true });
}, 900_000);
