/**
 * A person is erased while observations by and about that person come in and are indexed, and while an operator builds
 * the indexes anew: what was accepted before the request is found nowhere afterwards, and what others said of others is
 * all there.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { stackDirectory, startStack, type RunningStack } from '../../measure/stack.ts';
import { send } from '../support/http.ts';
import { verifyIndex, vouch } from './harness/command-line.ts';
import { idOf, openErasureScene, type ErasureScene } from './harness/erasure.ts';
import { searchEverywhere } from './harness/indexes.ts';
import { agentKey, signUp } from './harness/people.ts';
import { SCOPE } from './harness/service-client.ts';
import { sized } from '../support/run.ts';
import { until } from './harness/until.ts';
import { SERVERS_MS } from '../support/patience.ts';

/** Of each half of them a third is about nobody who is erased. */
const MESSAGES = sized({ short: 120, long: 2_000 });
const LANES = 8;
const PAUSE_MS = 20;
/** Of the second half, so much is sent before the request, and after its answer. */
const EARLIER_MS = 150;
const LATER_MS = 500;
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
}, SERVERS_MS);
afterAll(async () => {
  await stack?.stop();
  directory.remove();
}, SERVERS_MS);

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

/** Sends the observations, and more until it is over. */
async function load(
  from: number,
  count: number,
  word: string,
  isOver: () => boolean = () => true,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < from + count || !isOver()) {
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

/** Where the erasure stands, in numbers: what is said when it does not end. */
async function standing(): Promise<string> {
  const tables = [
    'select state, erased, first_verified_at from erasure_requests',
    'select engine, unit, shard, count(*), max(attempt_count) from dirty_marks group by 1, 2, 3',
    'select kind, status, attempt_count, last_error_class from pipeline_runs',
    'select status, count(*) from extraction_anchors group by 1',
  ];
  const rows = await Promise.all(tables.map((table) => scene.rows(table)));
  const log = readFileSync(join(directory.path, '.vouch/logs/worker.log'), 'utf8');
  return [JSON.stringify(rows), ...log.split('\n').slice(-20)].join('\n');
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
  // Alice has replaced a version of the agent's.
  await scene.upload(stack.apiKey, 'minutes', 'Carol owns a boat.');
  await scene.upload(await agentKey(directory, 'alice'), 'minutes', `Carol owns a ${CANARY}.`);
  const half = Math.floor(MESSAGES / 2);
  const first = await load(0, half, CANARY);
  expect((await scene.everything()).includes(CANARY)).toBe(true);
  // From here on the canary is said no more; half of what was said is still being extracted and indexed.
  let isOver = false;
  const second = load(half, MESSAGES - half, 'cello', () => isOver);
  await sleep(EARLIER_MS);
  const id = idOf(await scene.ask('/api/v1/self/erasure', token, {}), 'id');
  const rebuilt = vouch(directory, ['index', 'rebuild'], SETTINGS);
  await sleep(LATER_MS);
  isOver = true;
  const sent = [...first, ...(await second)];
  const statuses = new Set(
    sent.map(({ speaker, status }) => `${speaker === 'alice' ? 'alice' : 'others'} ${status}`),
  );
  expect([...statuses].toSorted()).toEqual(['alice 202', 'alice 409', 'others 202']);
  expect(await rebuilt).toMatchObject({ exitCode: 0 });
  await until('the erasure is complete', COMPLETE_WITHIN_MS, async () => {
    return idOf(await scene.ask(`/api/v1/self/erasure/${id}`, token), 'state') === 'completed';
  }).catch(async (error: unknown) => {
    throw new Error(await standing(), { cause: error });
  });
  await until('everything is extracted and indexed', COMPLETE_WITHIN_MS, async () => {
    const open = await scene.rows(`
      select from extraction_anchors where status in ('pending', 'failed')
      union all select from dirty_marks
      union all select from pipeline_runs where kind = 'document' and status <> 'completed' limit 1`);
    return open.length === 0;
  });
  expect((await scene.everything()).includes(CANARY)).toBe(false);
  expect(await searchEverywhere(directory, CANARY)).toBe(0);
  expect(filesWith(CANARY)).toEqual([]);
  expect(stack.outputSoFar()).not.toContain(CANARY);
  expect(await searchEverywhere(directory, 'boat')).toBeGreaterThan(0);
  const [kept] = await scene.rows(
    `select count(*)::int as n from knowledge k join peers p on p.account_id = k.account_id and p.id = k.subject_peer_id
     where p.key = 'carol' and k.state = 'active'`,
  );
  expect(z.object({ n: z.number() }).parse(kept).n).toBe(
    sent.filter(({ speaker }) => speaker === 'carol').length,
  );
  expect(await verifyIndex(directory, SETTINGS)).toMatchObject({ consistent: true });
}, 900_000);
