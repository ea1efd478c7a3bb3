/**
 * Workers as processes, one of which is told to stop in the middle of a batch. Real: bin/worker.ts and the four
 * servers. Faked: the model provider, which holds its answers back until it is told to give them.
 */
import { SCHEDULE_IDS } from '../../domain/actors/names.ts';
import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import type { DatabasePool } from 'slonik';
import { loadConfig } from '../../runtime/config/index.ts';
import { openActorClient } from '../../runtime/actors/connection.ts';
import { createContainer } from '../../runtime/container/index.ts';
import { ROOT } from '../architecture/source-tree.ts';
import { openTestDatabase, type OpenDatabase } from '../support/database.ts';
import { testServers } from '../support/environment.ts';
import { extractionMaterial, startStubOpenAi, type StubOpenAi } from '../support/stub-openai.ts';
import { silentLog } from '../workflow/harness.ts';
import { insertAccount, observe } from '../workflow/observations.ts';
import { eventually, SERVERS_MS } from '../support/patience.ts';

/** As many calls as an account may have open at a time, so that each has one question open. */
const SESSIONS = 6;
const EACH = 4;
/** So many of them are asked about in one question: half of a session is left when it is answered. */
const TOGETHER = 2;

/** Passes questions on to the stub, and its answers back once the gate is open. */
class HeldEndpoint {
  readonly #server: Server;
  readonly #gate = Promise.withResolvers<void>();
  /** How often each observation was asked about. */
  readonly asked = new Map<string, number>();

  constructor(stub: StubOpenAi) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const asked = extractionMaterial(JSON.parse(String(body)));
        if (asked.length === 0) throw new Error('a question about nothing');
        for (const { anchor_message: anchor } of asked) {
          this.asked.set(anchor.id, (this.asked.get(anchor.id) ?? 0) + 1);
        }
        const answer = async (): Promise<void> => {
          await this.#gate.promise;
          const target = `${stub.baseUrl}${(request.url ?? '').replace(/^\/v1/, '')}`;
          const answered = await fetch(target, { method: 'POST', body });
          response.writeHead(answered.status, { 'content-type': 'application/json' });
          response.end(await answered.text());
        };
        answer().catch(() => response.destroy());
      });
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  answer(): void {
    this.#gate.resolve();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

interface WorkerProcess {
  stop(): void;
  kill(): void;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  readonly output: () => string;
}

let directory: string;
let database: OpenDatabase;
let db: DatabasePool;
let admin: Client;
let stub: StubOpenAi;
let endpoint: HeldEndpoint;
let environment: Record<string, string>;
let workers: WorkerProcess[];
let sent: string[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vouch-workers-'));
  workers = [];
  sent = [];
  const servers = testServers();
  database = await openTestDatabase();
  ({ pool: db, admin } = database);
  stub = await startStubOpenAi();
  endpoint = new HeldEndpoint(stub);
  environment = {
    DATABASE_URL: database.appUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: `workers-${randomBytes(4).toString('hex')}`,
    MEILI_HOST: servers.meilisearch.url,
    MEILI_MASTER_KEY: servers.meilisearch.masterKey,
    QDRANT_URL: servers.qdrant.url,
    QDRANT_API_KEY: servers.qdrant.apiKey,
    SERVICE_SECRET_KEY: randomBytes(32).toString('hex'),
    SERVICE_MODEL_EMBEDDER: 'none',
    SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:stub-model',
    SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: await endpoint.open(),
    SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY: 'stub-key',
    SERVICE_EXTRACTION_BATCH_ANCHORS: String(TOGETHER),
  };
  const container = await createContainer(loadConfig(environment), silentLog);
  await container.prepare();
  await container.close();
  const account = await insertAccount(admin);
  for (let n = 0; n < SESSIONS * EACH; n += 1) {
    sent.push((await observe(db, account, `session ${n % SESSIONS}`)).messageId);
  }
});

afterEach(async () => {
  endpoint.answer();
  for (const worker of workers) worker.kill();
  await Promise.all(workers.map(({ ended }) => ended));
  endpoint.close();
  await stub.close();
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

async function startWorker(): Promise<WorkerProcess> {
  const ready = join(directory, `worker-${workers.length}.ready`);
  const child = spawn(process.execPath, [join(ROOT, 'bin/worker.ts')], {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', ...environment, SERVICE_READY_FILE: ready },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const worker: WorkerProcess = {
    stop: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise((resolve) => {
      child.once('close', (exitCode) => resolve(exitCode));
    }),
    output: () => output,
  };
  workers.push(worker);
  await eventually(() => existsSync(ready));
  return worker;
}

/** The schedules that the workers keep. */
async function schedules(): Promise<string[]> {
  const client = openActorClient({
    address: testServers().temporalAddress,
    namespace: environment['TEMPORAL_NAMESPACE'] ?? '',
    identity: 'api-1',
  });
  try {
    return await eventually(async () => {
      const ids: string[] = [];
      for await (const { scheduleId } of client.schedule.list()) ids.push(scheduleId);
      return ids.length >= SCHEDULE_IDS.length && ids.toSorted();
    });
  } finally {
    await client.connection.close();
  }
}

async function number(query: string): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(`select (${query})::integer as n`);
  return rows[0]?.n ?? 0;
}

const HELD = 'select count(*) from extraction_anchors where claim_epoch is not null';
const DONE = `select count(*) from extraction_anchors where status = 'completed'`;
const EPOCH = `select max(epoch) from mailboxes where kind = 'ingest'`;
/** Holds of a drain that is over: another drain would have to outlast them. */
const ORPHANED = `select count(*) from extraction_anchors a join mailboxes m
  on m.account_id = a.account_id and m.kind = 'ingest' and m.shard = a.shard
  where a.claim_epoch is not null and (a.claim_epoch < m.epoch or m.awake_until <= clock_timestamp())`;

/** One worker with a question open in every session, and another that waits beside it. */
async function midBatch(): Promise<{ first: WorkerProcess; epoch: number }> {
  const first = await startWorker();
  await eventually(() => endpoint.asked.size === SESSIONS * TOGETHER);
  expect(await number(HELD)).toBe(sent.length);
  await startWorker();
  return { first, epoch: await number(EPOCH) };
}

test(
  'a worker that is stopped finishes its calls under way, gives back other anchors and exits',
  async () => {
    const { first, epoch } = await midBatch();
    expect(await schedules()).toEqual(SCHEDULE_IDS.toSorted());
    first.stop();
    // It waits for the answers to what it asked.
    expect(await Promise.race([first.ended, sleep(1_000, 'waits')])).toBe('waits');
    expect(await number(DONE)).toBe(0);
    endpoint.answer();
    expect([await first.ended, first.output()]).toEqual([0, expect.any(String)]);
    // What is held, if anything, is held by a drain of the other worker: it had no lease to wait for.
    expect(await number(ORPHANED)).toBe(0);

    await eventually(async () => (await number(DONE)) === sent.length);
    expect(await number(HELD)).toBe(0);
    expect(await number(EPOCH)).toBeGreaterThan(epoch);
    // The first asked no further question once it was told to stop, and nothing was asked twice.
    expect(
      await number(`select count(*) from provider_attempts where claim_epoch <= ${epoch}`),
    ).toBe(SESSIONS);
    expect(Object.fromEntries(endpoint.asked)).toEqual(
      Object.fromEntries(sent.map((id) => [id, 1])),
    );
  },
  SERVERS_MS,
);

test(
  'a worker whose provider does not answer gives back all anchors within the grace time',
  async () => {
    const { first } = await midBatch();
    const open = [...endpoint.asked.keys()];
    first.stop();
    expect([await first.ended, first.output()]).toEqual([0, expect.any(String)]);
    expect(await number(DONE)).toBe(0);
    expect(await number(ORPHANED)).toBe(0);

    endpoint.answer();
    await eventually(async () => (await number(DONE)) === sent.length);
    expect(await number(HELD)).toBe(0);
    const twice = [...endpoint.asked].filter(([, times]) => times > 1).map(([id]) => id);
    expect(twice.toSorted()).toEqual(open.toSorted());
    expect(Math.max(...endpoint.asked.values())).toBe(2);
  },
  SERVERS_MS,
);
