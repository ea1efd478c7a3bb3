/** The one-command start, run for a measurement in a directory of its own, with a stub of a model. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { z } from 'zod';
import { readChildList } from '../../../embedded/processes/child-list.ts';
import { stackDirectory, startStack, type RunningStack } from '../../stack.ts';

const state = z.object({
  ports: z.object({
    metrics: z.int(),
    postgres: z.int(),
    qdrant: z.int(),
    temporal: z.int(),
    temporalMetrics: z.int(),
  }),
  secrets: z.object({
    postgresApp: z.string(),
    postgresSuperuser: z.string(),
    qdrantApiKey: z.string(),
  }),
});

const credentials = z.object({ admin: z.object({ token: z.string() }) });

export interface LoadedStack {
  readonly url: string;
  /** In which the command line finds the start. */
  readonly path: string;
  readonly apiKey: string;
  /** Of the first administrator, as a person. */
  readonly personToken: string;
  /** Connected as superuser, which bypasses row security. */
  readonly admin: Client;
  /** The database for one of the two roles that may use it. */
  databaseUrlOf(login: 'vouch_app' | 'postgres'): string;
  /** Seconds from the command to the line that says it is ready, in an empty directory; `warmSeconds` with data. */
  readonly coldSeconds: number;
  readonly warmSeconds: number;
  /** Host and port of Temporal. */
  readonly temporalAddress: string;
  readonly temporalMetricsUrl: string;
  /** Metrics of the process that answers requests. */
  readonly metricsUrl: string;
  readonly qdrant: { readonly url: string; readonly apiKey: string };
  /** From now on the stub refuses all requests for `outageMs` after every `outageEvery` answers. */
  outages(outageEvery: number, outageMs: number): void;
  /** Process ids by name of server or process. */
  processes(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

interface StubProvider {
  readonly baseUrl: string;
  outages(outageEvery: number, outageMs: number): void;
  stop(): void;
}

/** The stub provider as a process. */
async function startProvider(delayMs: number): Promise<StubProvider> {
  const script = fileURLToPath(new URL('provider.ts', import.meta.url));
  const child = fork(script, [String(delayMs)], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim()));
    child.once('exit', () => reject(new Error('the stub provider ended')));
  });
  return {
    baseUrl,
    outages: (outageEvery, outageMs) => void child.send({ outageEvery, outageMs }),
    stop: () => child.kill(),
  };
}

async function timedStart(
  directory: ReturnType<typeof stackDirectory>,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly stack: RunningStack; readonly seconds: number }> {
  const startedAt = performance.now();
  const stack = await startStack(directory, settings);
  return { stack, seconds: (performance.now() - startedAt) / 1000 };
}

export interface LoadedStackOptions {
  /** Settings of the service in addition to those that name the stub. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long the stub takes for an answer, in milliseconds; 0 unless given. */
  readonly delayMs?: number;
  /** Whether the stub is the model that answers too. */
  readonly answers?: boolean;
  /** Whether the warm start counts SQL statements and calls of functions, for `pg_stat_statements`. */
  readonly countsSql?: boolean;
}

/** Settings that have the stub stand for a role. */
function stubSettings(role: string, { baseUrl }: StubProvider): Record<string, string> {
  return {
    [`SERVICE_MODEL_${role}`]: 'openai-compatible:stub',
    [`SERVICE_MODEL_${role}_BASE_URL`]: baseUrl,
    [`SERVICE_MODEL_${role}_API_KEY`]: 'stub',
  };
}

/** Settings that hold from the next start of the server on. */
async function countSql(databaseUrl: string): Promise<void> {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  try {
    await admin.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
    await admin.query('alter system set track_functions = pl');
    await admin.query('alter system set "pg_stat_statements.track_planning" = on');
    await admin.query(`alter system set "pg_stat_statements.track" = 'all'`);
  } finally {
    await admin.end();
  }
}

/** Starts everything twice, cold and warm; the second one is loaded. The extractor is a stub. */
export async function startLoadedStack(options: LoadedStackOptions = {}): Promise<LoadedStack> {
  const provider = await startProvider(options.delayMs ?? 0);
  const directory = stackDirectory();
  const settings = {
    ...stubSettings('INGEST_EXTRACTOR', provider),
    ...(options.answers === true ? stubSettings('DIALECTIC_AGENT', provider) : {}),
    SERVICE_LOG_LEVEL: 'warn',
    ...options.settings,
  };
  const cold = await timedStart(directory, settings);
  if (options.countsSql === true) await countSql(cold.stack.databaseUrl);
  await cold.stack.stop();
  const warm = await timedStart(directory, settings);
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(directory.path, '.vouch', name), 'utf8'));
  const { ports, secrets } = state.parse(read('state.json'));
  const admin = new Client({ connectionString: warm.stack.databaseUrl });
  await admin.connect();
  return {
    url: warm.stack.baseUrl,
    path: directory.path,
    apiKey: warm.stack.apiKey,
    personToken: credentials.parse(read('credentials.json')).admin.token,
    admin,
    databaseUrlOf: (login) => {
      const password = login === 'postgres' ? secrets.postgresSuperuser : secrets.postgresApp;
      return `postgres://${login}:${password}@127.0.0.1:${ports.postgres}/vouch`;
    },
    coldSeconds: cold.seconds,
    warmSeconds: warm.seconds,
    temporalAddress: `127.0.0.1:${ports.temporal}`,
    metricsUrl: `http://127.0.0.1:${ports.metrics}/metrics`,
    qdrant: { url: `http://127.0.0.1:${ports.qdrant}`, apiKey: secrets.qdrantApiKey },
    temporalMetricsUrl: `http://127.0.0.1:${ports.temporalMetrics}/metrics`,
    outages: (outageEvery, outageMs) => provider.outages(outageEvery, outageMs),
    processes() {
      const children = readChildList(join(directory.path, '.vouch', 'children.json'));
      return new Map(children.map(({ name, identity }) => [name, identity.pid]));
    },
    async stop() {
      await admin.end();
      await warm.stack.stop();
      provider.stop();
      directory.remove();
    },
  };
}
