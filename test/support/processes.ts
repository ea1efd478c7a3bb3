/**
 * The real processes, API and worker, in this process on the real servers, started as their entry points start
 * them. A word of the test's stands in everything that a caller may choose.
 */
import { randomBytes } from 'node:crypto';
import { Runtime } from '@temporalio/worker';
import { execute } from '../../operations/execute.ts';
import { bootstrap } from '../../operations/identity/bootstrap.ts';
import { createKey } from '../../operations/identity/keys.ts';
import { loadConfig, type Config } from '../../runtime/config/index.ts';
import { createContainer } from '../../runtime/container/index.ts';
import { randomPorts } from '../../embedded/port-numbers.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { startApi } from '../../runtime/processes/api.ts';
import { startWorker } from '../../runtime/processes/worker.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { serverVariables } from './environment.ts';
import { HANGS_MS } from './patience.ts';
import { dropIndexes } from './indexes.ts';

export interface Call {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Processes {
  readonly accountId: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
  readonly metricsUrl: Readonly<Record<'api' | 'worker', string>>;
  /** A request with the key and the word in every header that a caller may choose. */
  readonly send: (path: string, call?: Call) => Promise<Response>;
  readonly post: (
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  close(): Promise<void>;
}

interface Shared {
  readonly word: string;
  readonly prefix: string;
  readonly log: Log;
}

function configOf(
  database: TestDatabase,
  ports: { readonly api: number; readonly metrics: number },
  settings: Readonly<Record<string, string>>,
): Config {
  return loadConfig({
    DATABASE_URL: database.appUrl,
    ...serverVariables(),
    SERVICE_SECRET_KEY: 'a secret key that every process of this test shares',
    SERVICE_PORT: String(ports.api),
    SERVICE_METRICS_PORT: String(ports.metrics),
    ...settings,
  });
}

/** Indexes, an account, its administrator and a machine's key. */
async function prepareAccount(config: Config, { word, prefix, log }: Shared) {
  const container = await createContainer(config, log, {
    queuePrefix: prefix,
    indexPrefix: prefix,
  });
  try {
    await container.prepare();
    const context = container.operatorContext();
    const account = `${word}-account`;
    const email = `${word}@example.org`;
    const password = `${word} horse battery`;
    const made = await execute(bootstrap, context, { account, email, password });
    const { api_key: apiKey } = await execute(createKey, context, {
      account,
      peer: `${word}-agent`,
      scope: '/',
      role: 'member',
    });
    return { accountId: String(made.account_id), apiKey, email, password };
  } finally {
    await container.close();
  }
}

function requests(base: string, word: string, apiKey: string): Pick<Processes, 'send' | 'post'> {
  const send: Processes['send'] = (path, call = {}) =>
    fetch(`${base}${path}`, {
      ...call,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'user-agent': word,
        'x-forwarded-for': word,
        tracestate: `${word}=${word}`,
        baggage: `${word}=${word}`,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
    });
  return {
    send,
    post: (path, body, headers = {}) =>
      send(path, { method: 'POST', body: JSON.stringify(body), headers }),
  };
}

async function start(
  word: string,
  settings: Readonly<Record<string, string>>,
  closing: (() => Promise<unknown>)[],
): Promise<Omit<Processes, 'close'>> {
  const prefix = `p${randomBytes(5).toString('hex')}`;
  const log: Log = { info() {}, warn() {}, error() {} };
  const {
    api = 0,
    metrics = 0,
    workerMetrics = 0,
  } = await randomPorts(['api', 'metrics', 'workerMetrics']);
  const database = await createTestDatabase();
  closing.push(() => database.drop());
  const config = configOf(database, { api, metrics }, settings);
  const account = await prepareAccount(config, { word, prefix, log });
  closing.push(() => dropIndexes(prefix));
  const options = { queuePrefix: prefix, indexPrefix: prefix, patienceMs: HANGS_MS };
  const apiProcess = await startApi(config, log, options);
  closing.push(() => apiProcess.close());
  closing.push(() => Runtime.instance().shutdown());
  const workerConfig = configOf(database, { api, metrics: workerMetrics }, settings);
  const worker = await startWorker(workerConfig, log, options);
  closing.push(() => worker.close());
  return {
    ...account,
    ...requests(`http://127.0.0.1:${api}`, word, account.apiKey),
    metricsUrl: {
      api: `http://127.0.0.1:${metrics}/metrics`,
      worker: `http://127.0.0.1:${workerMetrics}/metrics`,
    },
  };
}

/** Starts both. `settings` are environment variables, as an operator would set them. */
export async function startProcesses(
  word: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Processes> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await start(word, settings, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
