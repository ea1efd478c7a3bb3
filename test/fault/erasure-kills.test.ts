/**
 * An erasure ends as it would have, whichever process dies in the middle of whichever step: a lock of the test stops
 * each step where it works, and then a process is killed. In a short run that is one process a step, so that each
 * process dies at least once; in a long run every process dies in every step.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { z } from 'zod';
import type { ErasureStep } from '../../domain/erasure/words.ts';
import { stackDirectory, startStack, type RunningStack } from '../../measure/stack.ts';
import { brokenLaws } from '../integration/governance/laws.ts';
import { sized } from '../support/run.ts';
import {
  freezeNow,
  killNow,
  PROCESSES,
  untilReplaced,
  type ProcessName,
} from './harness/children.ts';
import { verifyIndex } from './harness/command-line.ts';
import { idOf, openErasureScene, type ErasureScene } from './harness/erasure.ts';
import { agentKey, signUp } from './harness/people.ts';
import { until } from './harness/until.ts';
import { HANGS_MS, SERVERS_MS } from '../support/patience.ts';

const CANARY = 'xylorimba';
const SETTINGS = { SERVICE_ERASURE_SETTLE_SECONDS: '2', SERVICE_UNATTENDED: 'true' };
const PATIENCE_MS = HANGS_MS;

/** Rows of the person that only this step changes. */
const ofPerson = (table: string, column: string): string =>
  `select from ${table} where ${column} = $1 for update`;

interface Stop {
  readonly step: ErasureStep;
  /** What the step waits for; `$1` is the person. */
  readonly lock: string;
  /**
   * What dies in a short run. A step whose worker died is done again only once its heartbeat is missed, so that there
   * the worker dies twice: once alone, and once with Postgres.
   */
  readonly victim: ProcessName;
}

const wholeTable = (table: string, mode: string): string =>
  `select $1::uuid; lock table ${table} in ${mode} mode`;

const STOPS: readonly Stop[] = [
  {
    step: 'anchors',
    lock: wholeTable('extraction_anchors', 'share row exclusive'),
    victim: 'api',
  },
  { step: 'statements', lock: ofPerson('knowledge', 'subject_peer_id'), victim: 'worker' },
  { step: 'messages', lock: ofPerson('messages', 'speaker_peer_id'), victim: 'meilisearch' },
  { step: 'relays', lock: ofPerson('messages', 'relay_peer_id'), victim: 'qdrant' },
  { step: 'documents', lock: ofPerson('document_versions', 'uploader_peer_id'), victim: 'api' },
  { step: 'sessions', lock: ofPerson('session_participants', 'peer_id'), victim: 'postgres' },
  { step: 'identity', lock: ofPerson('credentials', 'peer_id'), victim: 'temporal' },
  { step: 'indexes', lock: wholeTable('erasure_units', 'access exclusive'), victim: 'meilisearch' },
  {
    step: 'blobs',
    lock: 'select from erasure_blobs where $1::uuid is not null for update',
    victim: 'temporal',
  },
];

const MOST_MS = sized({ short: 600_000, long: 1_800_000 });
const victimsOf = ({ victim }: Stop): readonly ProcessName[] =>
  sized<readonly ProcessName[]>({ short: [victim], long: PROCESSES });

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

interface Held {
  release(): Promise<void>;
}

/** A lock of the test, held until it is let go or the database dies. */
async function hold(lock: string, peerId: string): Promise<Held> {
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

/** The steps of the erasure of one person, stopped one after the other. */
class StoppedSteps {
  readonly #peerId: string;
  #held = new Map<ErasureStep, Held>();

  constructor(peerId: string) {
    this.#peerId = peerId;
  }

  /** Takes the locks of this step and of the next one, which is stopped before this one can go on. */
  async hold(at: number): Promise<void> {
    for (const { lock, step } of STOPS.slice(at, at + 2)) {
      if (!this.#held.has(step)) this.#held.set(step, await hold(lock, this.#peerId));
    }
  }

  async release(step: ErasureStep): Promise<void> {
    await this.#held.get(step)?.release();
    this.#held.delete(step);
  }

  /** The worker is frozen meanwhile, so that nothing slips past the locks, which die with Postgres. */
  async killPostgres(at: number): Promise<void> {
    const worker = freezeNow(directory, 'worker');
    await kill('postgres');
    this.#held = new Map();
    await until('Postgres answers', PATIENCE_MS, () =>
      this.hold(at).then(
        () => true,
        () => false,
      ),
    );
    process.kill(worker, 'SIGKILL');
    await untilReplaced(directory, 'worker', worker);
  }
}

/** The list of promises, which no restore puts back. */
const promised = (): string =>
  readFileSync(join(directory.path, '.vouch', 'promises.jsonl'), 'utf8');

/** Alice says things, passes something on, and uploads a document. Answers her token and her id. */
async function prepare(): Promise<{ readonly token: string; readonly peerId: string }> {
  for (const thing of [CANARY, 'cello', 'oboe'])
    await scene.say(stack.apiKey, 'alice', `I play the ${thing}.`);
  await scene.say(stack.apiKey, 'bob', 'I like tea.');
  const token = await signUp(directory, stack.baseUrl, 'alice');
  const ofAlice = await agentKey(directory, 'alice');
  await scene.say(ofAlice, 'bob', 'I keep bees.');
  await scene.upload(ofAlice, CANARY, `The ${CANARY} is in tune.`);
  const [row] = await scene.rows("select id from peers where key = 'alice'");
  return { token, peerId: z.object({ id: z.uuid() }).parse(row).id };
}

test(
  'whichever process is killed in whichever step of an erasure, it ends with nothing left of the person',
  async () => {
    const { peerId, token } = await prepare();
    expect(await scene.everything()).toContain(CANARY);
    const steps = new StoppedSteps(peerId);
    await steps.hold(0);
    const id = idOf(await scene.ask('/api/v1/self/erasure', token, {}), 'id');
    // The first step waits: it is promised before anything is deleted.
    await untilStopped('anchors');
    expect(promised()).toContain(id);
    for (const [at, stop] of STOPS.entries()) {
      for (const victim of victimsOf(stop)) {
        await untilStopped(stop.step);
        await steps.hold(at);
        if (victim === 'postgres') await steps.killPostgres(at);
        else await kill(victim);
      }
      await untilStopped(stop.step);
      await steps.release(stop.step);
    }
    await until('the erasure is complete', 2 * PATIENCE_MS, async () => {
      const answer = await scene.ask(`/api/v1/self/erasure/${id}`, token).catch(() => null);
      return answer !== null && idOf(answer, 'state') === 'completed';
    });
    const text = (await scene.everything()) + promised();
    expect(text).not.toContain(CANARY);
    expect(text).not.toMatch(/"alice/);
    const [account] = await scene.rows('select account_id from erasure_requests');
    expect(await brokenLaws(scene, String(account?.['account_id']))).toEqual([]);
    const kept = await scene.rows(
      "select statement from knowledge where state <> 'retracted' order by 1",
    );
    expect(kept).toEqual([{ statement: 'Bob keeps bees.' }, { statement: 'Bob likes tea.' }]);
    expect(await verifyIndex(directory, SETTINGS)).toMatchObject({ consistent: true });
  },
  MOST_MS,
);
