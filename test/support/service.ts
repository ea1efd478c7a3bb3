/**
 * The whole service for one test file: HTTP door, doorbell and worker on the real servers, in this process,
 * with a database, search indexes and task queues of its own. Accounts, people and keys are made through the
 * same operations as the command line's.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { Client } from 'pg';
import type { z } from 'zod';
import { createApp } from '../../api/app.ts';
import { execute } from '../../operations/execute.ts';
import { bootstrap } from '../../operations/identity/bootstrap.ts';
import type { Access, Operation } from '../../operations/operation.ts';
import { operations, type OperationTable } from '../../operations/registry.ts';
import { loadConfig } from '../../runtime/config/index.ts';
import { parseTrustedProxies } from '../../runtime/config/trusted-proxies.ts';
import { createContainer, type Container } from '../../runtime/container/index.ts';
import { buildLaneActivities } from '../../runtime/container/lanes.ts';
import type { Log, LogFields } from '../../runtime/logger.ts';
import { loadWorkflowBundle } from '../../runtime/temporal/prebuilt-bundle.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import { startWorkers } from '../../runtime/temporal/worker.ts';
import {
  adminEmailOf,
  createTestAccount,
  openTestAccount,
  PASSWORD,
  type TestAccount,
} from './account.ts';
import { createTestDatabase } from './database.ts';
import { testServers } from './environment.ts';
import { serve, type HttpAnswer, type HttpCall, type TestHttp } from './http.ts';
import { dropIndexes } from './indexes.ts';
import { inTurn } from './in-turn.ts';
import { HANGS_MS, eventually } from './patience.ts';

export type Body = Readonly<Record<string, unknown>>;

export interface Settled {
  readonly messageId: string;
  readonly status: Body;
  /** What the caller that sent it may read of what came out. */
  readonly knowledge: readonly Body[];
}

/** The HTTP door of one process. */
export interface Door {
  readonly url: string;
  call(call: HttpCall): Promise<HttpAnswer>;
}

export interface Service extends Door {
  /** The door of another process on the same servers, with connections and memory of its own. It ends with the service. */
  anotherDoor(): Promise<Door>;
  /** What the first account was born with. */
  readonly bootstrapToken: { readonly token: string; readonly expiresAt: string };
  /** Two accounts that know nothing of each other, with the preset `strict`. */
  readonly home: TestAccount;
  readonly other: TestAccount;
  /** A further account. */
  account(key: string): Promise<TestAccount>;
  ingest(
    token: string,
    body: Body,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer>;
  status(token: string, messageId: string, query?: string): Promise<HttpAnswer>;
  search(
    token: string,
    body: Body,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer>;
  knowledge(token: string, query?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  /** Sends an observation and waits until its extraction has come to an end. */
  ingestAndWait(token: string, body: Body): Promise<Settled>;
  /** Returns once no search index waits for anything any more. */
  quiet(): Promise<void>;
  /** Another door to the same service, with other operations behind it. Its answers are held to no description. */
  door(table: OperationTable): Promise<TestHttp>;
  /** Runs an operation in process, as the command line does. */
  operate<O extends Operation>(operation: O, input: unknown): Promise<z.output<O['output']>>;
  /** As superuser, behind row security. */
  rows(query: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Log events of level error so far: defects of ours. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

const HOME = 'home';
const OBSERVATION = { session_id: 's1', scope_path: '/team' };

/** The member `data` of an answer. Throws when there is none, showing status and body. */
export function dataOf(answer: HttpAnswer): Body {
  const body = answer.json();
  if (typeof body === 'object' && body !== null && 'data' in body) return Object(body.data);
  throw new Error(`no data in ${answer.status} ${answer.text}`);
}

/** `data` of an answer that is a list. */
export function rowsOf(answer: HttpAnswer): readonly Body[] {
  const rows: unknown = dataOf(answer);
  if (Array.isArray(rows)) return rows.map((row): Body => Object(row));
  throw new Error(`no list in ${answer.status} ${answer.text}`);
}

/** The candidates of a search. */
export function candidatesOf(answer: HttpAnswer): readonly Body[] {
  const { candidates } = dataOf(answer);
  if (Array.isArray(candidates)) return candidates.map((row): Body => Object(row));
  throw new Error(`no candidates in ${answer.status} ${answer.text}`);
}

function errorLog(errors: string[]): Log {
  return {
    info() {},
    warn() {},
    error: (event: string, fields?: LogFields) =>
      void errors.push(`${event} ${JSON.stringify(fields ?? {})}`),
  };
}

/** Starts a worker and answers how it is stopped. The runtime must be installed. */
async function startWorker(container: Container, log: Log): Promise<() => Promise<void>> {
  const { temporalAddress, namespace, queuePrefix, buildSha } = container.temporal;
  const stopping = new AbortController();
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const workers = await startWorkers({
    connection,
    namespace,
    queuePrefix,
    bundle: loadWorkflowBundle(),
    log,
    identity: 'worker',
    buildSha,
    activities: buildLaneActivities(container, log, stopping.signal),
  });
  return async () => {
    stopping.abort();
    await workers.close();
    await connection.close();
  };
}

function openContainer(
  databaseUrl: string,
  prefix: string,
  settings: Readonly<Record<string, string>>,
  log: Log,
): Promise<Container> {
  const servers = testServers();
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    MEILI_HOST: servers.meilisearch.url,
    MEILI_MASTER_KEY: servers.meilisearch.masterKey,
    QDRANT_URL: servers.qdrant.url,
    QDRANT_API_KEY: servers.qdrant.apiKey,
    SERVICE_QDRANT_SEGMENTS: String(servers.qdrant.segments),
    SERVICE_SECRET_KEY: randomBytes(32).toString('hex'),
    ...settings,
  });
  return createContainer(config, log, {
    identity: 'api',
    queuePrefix: prefix,
    indexPrefix: prefix,
    // What a deadline drops is tested without a machine: here every part has its time.
    patienceMs: HANGS_MS,
  });
}

/** The requests a test makes most, on a door that is open. */
function requests(call: Service['call']) {
  const status: Service['status'] = (token, messageId, query = '') =>
    call({ path: `/api/v1/ingest/${messageId}${query}`, token });
  const ingest: Service['ingest'] = (token, body, headers = {}) =>
    call({ path: '/api/v1/ingest', token, json: { ...OBSERVATION, ...body }, headers });
  return {
    ingest,
    status,
    search: (token: string, body: Body, headers: Readonly<Record<string, string>> = {}) =>
      call({ path: '/api/v1/search', token, json: { scope_path: '/team', ...body }, headers }),
    knowledge: (token: string, query: Readonly<Record<string, string>> = {}) => {
      const text = new URLSearchParams({ scope_path: '/team', ...query }).toString();
      return call({ path: `/api/v1/knowledge?${text}`, token });
    },
    async ingestAndWait(token: string, body: Body): Promise<Settled> {
      const messageId = String(dataOf(await ingest(token, body))['message_id']);
      const settled = await eventually(async () => {
        const answer = dataOf(await status(token, messageId, '?wait_ms=10000'));
        return answer['status'] !== 'pending' && answer;
      });
      const rows: unknown = settled['knowledge'];
      const knowledge = Array.isArray(rows) ? rows.map((row): Body => Object(row)) : [];
      return { messageId, status: settled, knowledge };
    },
  };
}

async function bootstrapped(operate: Service['operate']) {
  const made = await operate(bootstrap, {
    account: HOME,
    email: adminEmailOf(HOME),
    password: PASSWORD,
  });
  const { account_id: accountId, token, expires_at: expiresAt } = made;
  if (accountId === null || token === null || expiresAt === null) {
    throw new Error('bootstrap changed nothing');
  }
  return { accountId, token, expiresAt };
}

/** Waits until no mark of any account is left. */
async function untilNothingIsMarked(admin: Client): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await admin.query('select from dirty_marks limit 1');
    return rowCount === 0;
  });
}

/** Undoes the steps of a start, the last one first. */
async function undo(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps.toReversed()) await step();
}

/** Ends a service after the tests of a file. Fails the file when an error was logged: a defect that no answer showed. */
export async function closeWithoutErrors(service: Service | undefined): Promise<void> {
  const logged = [...(service?.errors ?? [])];
  await service?.close();
  if (logged.length > 0) throw new Error(`the service logged errors: ${logged.join('; ')}`);
}

/** Starts it all. `settings` are environment variables, as an operator would set them. */
export async function startService(
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const steps: (() => Promise<unknown>)[] = [];
  try {
    return await start(settings, steps);
  } catch (error) {
    await undo(steps);
    throw error;
  }
}

async function start(
  settings: Readonly<Record<string, string>>,
  steps: (() => Promise<unknown>)[],
): Promise<Service> {
  const prefix = `s${randomBytes(5).toString('hex')}`;
  const errors: string[] = [];
  const log = errorLog(errors);
  const database = await createTestDatabase();
  const blobs = mkdtempSync(join(tmpdir(), 'vouch-blobs-'));
  steps.push(
    () => database.drop(),
    () => rm(blobs, { recursive: true, force: true }),
  );
  const container = await openContainer(
    database.appUrl,
    prefix,
    { SERVICE_BLOB_STORE: blobs, ...settings },
    log,
  );
  steps.push(
    () => dropIndexes(prefix),
    () => container.close(),
  );
  container.db.on('error', () => undefined);
  await container.prepare();
  installRuntime(log);
  steps.push(() => Runtime.instance().shutdown());
  steps.push(await startWorker(container, log));
  const openDoor = async ({ environment }: Container, table: OperationTable = operations) => {
    const app = createApp({
      environment,
      log,
      operations: table,
      config: {
        ratePerSecond: null,
        publicHttps: false,
        trustedProxies: parseTrustedProxies(settings['SERVICE_TRUSTED_PROXIES'] ?? ''),
      },
    });
    const http = await serve(app, { described: table === operations });
    steps.push(() => http.close());
    return http;
  };
  const http = await openDoor(container);
  const anotherDoor = async () => {
    const another = await openContainer(
      database.appUrl,
      prefix,
      { SERVICE_BLOB_STORE: blobs, ...settings },
      log,
    );
    steps.push(() => another.close());
    another.db.on('error', () => undefined);
    await another.prepare();
    return openDoor(another);
  };
  container.actors.sweep.start();
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  steps.push(() => admin.end());

  const call: Service['call'] = (request) => http.call(request);
  const operate: Service['operate'] = (operation, input) =>
    execute<Access, (typeof operation)['input'], (typeof operation)['output']>(
      operation,
      container.operatorContext(),
      input,
    );
  const rows: Service['rows'] = inTurn(
    async (query: string, values: readonly unknown[] = []) =>
      (await admin.query<Record<string, unknown>>(query, [...values])).rows,
  );
  const quiet = () => untilNothingIsMarked(admin);
  const tools = { operate, call, rows, quiet };
  const account = (key: string) => createTestAccount(key, tools);
  const first = await bootstrapped(operate);
  return {
    url: http.url,
    anotherDoor,
    bootstrapToken: first,
    home: openTestAccount(HOME, first.accountId, tools),
    other: await account('other'),
    account,
    call,
    door: (table) => openDoor(container, table),
    ...requests(call),
    operate,
    rows,
    quiet,
    errors,
    close: () => undo(steps),
  };
}
