/**
 * Content safety, end to end: every field a caller fills, every error a provider or a server gives holds a
 * canary of its own. The real start is driven through all of it; then everything that lasts and everything that
 * is shown, but the tables and indexes that content belongs in, is searched for each of them.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { z } from 'zod';
import { SCHEDULE_IDS } from '../../domain/actors/names.ts';
import { ROOT } from '../architecture/source-tree.ts';
import { makeCanaries } from '../support/canaries/canary.ts';
import { leavesOf } from '../support/canaries/leaves.ts';
import { createScanner } from '../support/canaries/scanner.ts';
import { startCollector, type Collector } from '../support/collector.ts';
import { send, type HttpAnswer, type HttpCall } from '../support/http.ts';
import { parsePrometheus } from '../support/prometheus.ts';
import { stackDirectory, startStack, type RunningStack } from '../support/stack.ts';
import { startStubOpenAi, type StubOpenAi } from '../support/stub-openai.ts';
import { circuitTransitions, missingInMetrics, missingInTraces } from './evidence.ts';
import { readMetrics, readOwnMetrics } from './metrics.ts';
import {
  CALLER_CANARIES,
  headersWith,
  descriptionRequests,
  observation,
  reconcileRequest,
  refusedRequests,
  searches,
} from './requests.ts';
import {
  crashBackend,
  failMeilisearch,
  failQdrant,
  failStatements,
  SERVER_CANARIES,
} from './server-errors.ts';
import { stackFiles, type StackFiles } from './stack-files.ts';
import {
  countCompleted,
  exportTemporal,
  outsideTheGrammar,
  triggerSchedule,
  type TemporalExport,
} from './temporal-export.ts';
import { until } from './until.ts';

const PROVIDER_CANARIES = [
  'provider_500',
  'provider_400',
  'provider_429',
  'provider_text',
  'provider_embedding_error',
  'provider_outage',
] as const;

const canaries = makeCanaries(randomBytes(8).toString('hex'), [
  ...CALLER_CANARIES,
  ...SERVER_CANARIES,
  ...PROVIDER_CANARIES,
]);
const scanner = createScanner(canaries);

/** Failures in a row after which calls to a provider are kept back. */
const CIRCUIT_FAILURES = 3;

const directory = stackDirectory();
const answers: { readonly expected: number | null; readonly answer: HttpAnswer }[] = [];
let models: StubOpenAi;
let embeddings: StubOpenAi;
let collector: Collector;
let stack: RunningStack;
let files: StackFiles;
let temporal: TemporalExport;
/** What metrics and traces should have shown and did not; null before they were looked at. */
const missing: Record<'metrics' | 'workerMetrics' | 'traces', string[] | null> = {
  metrics: null,
  workerMetrics: null,
  traces: null,
};

const accepted = z.object({ data: z.object({ message_id: z.string() }) });
const anchor = z.object({
  data: z.object({ status: z.string(), last_error_class: z.string().nullable() }),
});
const newKey = z.object({ api_key: z.string() });

async function call(request: HttpCall, expected: number | null = null): Promise<HttpAnswer> {
  const answer = await send(stack.baseUrl, { token: stack.apiKey, ...request });
  answers.push({ expected, answer });
  return answer;
}

/** A probe or a refusal, without a credential unless the request has one. */
async function callAsStranger(request: HttpCall, expected: number | null): Promise<HttpAnswer> {
  const answer = await send(stack.baseUrl, request);
  answers.push({ expected, answer });
  return answer;
}

async function scanProbes(moment: string): Promise<void> {
  for (const name of ['health', 'ready']) {
    const { text } = await callAsStranger(
      { path: `/api/${name}`, headers: headersWith(canaries) },
      null,
    );
    scanner.scan(`${name} ${moment}`, text);
  }
}

async function ingest(sentence: string): Promise<string> {
  const request = observation(canaries, sentence);
  const headers = {
    ...request.headers,
    'idempotency-key': `${canaries.idempotency_key}-${sentence}`,
  };
  const answer = await call({ ...request, headers }, 202);
  return accepted.parse(answer.json()).data.message_id;
}

async function anchorOf(id: string) {
  return anchor.parse((await call({ path: `/api/v1/ingest/${id}` }, 200)).json()).data;
}

/** Runs the command line as an operator of this start does. */
async function vouch(...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'bin/vouch.ts'), ...args, '--json'],
    { cwd: directory.path, env: { PATH: process.env['PATH'] ?? '', HOME: directory.path } },
  );
  return JSON.parse(stdout);
}

async function driveModels(): Promise<void> {
  embeddings.script({
    kind: 'status',
    status: 400,
    body: { error: { message: canaries.provider_embedding_error } },
  });
  const failures = [
    { kind: 'text', text: `{"statements": [${canaries.provider_text}` },
    { kind: 'status', status: 500, body: { error: { message: canaries.provider_500 } } },
    { kind: 'status', status: 400, body: { error: { message: canaries.provider_400 } } },
    { kind: 'status', status: 429, body: { error: { message: canaries.provider_429 } } },
  ] as const;
  const ids: string[] = [];
  for (const [at, failure] of failures.entries()) {
    const before = models.requests.length;
    models.script(failure);
    ids.push(await ingest(`lost boat number ${at}`));
    await until(30_000, 'a request to the model', async () =>
      models.requests.length > before ? true : null,
    );
  }
  ids.push(await ingest('keeps a boat in Bergen'));
  // All of them come to an end or to a retry with a class; those that were retried may complete.
  await until(60_000, 'the end of every attempt', async () => {
    const states = await Promise.all(ids.map(anchorOf));
    return states.every(({ status }) => status !== 'pending') ? states : null;
  });
  await until(60_000, 'a completed anchor', async () => {
    const states = await Promise.all(ids.map(anchorOf));
    return states.some(({ status }) => status === 'completed') ? states : null;
  });
}

/** Lets the provider fail until calls are kept back, and answer again. */
async function driveOutage(): Promise<void> {
  const error = { message: canaries.provider_outage };
  const outage = { kind: 'status', status: 503, body: { error } } as const;
  models.script(...Array.from({ length: CIRCUIT_FAILURES }, () => outage));
  for (const tide of ['first', 'second', 'third']) await ingest(`waited for the ${tide} tide`);
  await until(90_000, 'a circuit that opens, probes and closes', async () => {
    const seen = circuitTransitions(files);
    return ['opened', 'probing', 'closed'].every((one) => seen.has(one)) ? true : null;
  });
}

async function driveRequests(): Promise<void> {
  for (const request of searches(canaries)) await call(request, 200);
  await call({ path: '/api/v1/knowledge?scope_path=/canary', headers: headersWith(canaries) }, 200);
  const repeated = observation(canaries, 'changed it');
  const headers = {
    ...repeated.headers,
    'idempotency-key': `${canaries.idempotency_key}-keeps a boat in Bergen`,
  };
  await call({ ...repeated, headers }, 409);
  const key = newKey.parse(
    await vouch('key', 'create', '--peer', 'stranger', '--scope', '/elsewhere', '--role', 'member'),
  );
  const refused = refusedRequests(canaries, { agent: stack.apiKey, elsewhere: key.api_key });
  for (const { status, call: request } of refused) await callAsStranger(request, status);
}

/** Takes an engine away while requests need it, and waits until it is back. */
async function driveWithout(engine: 'meilisearch' | 'qdrant'): Promise<void> {
  const pid = files.pidOf(engine);
  process.kill(pid, 'SIGKILL');
  await ingest(`noticed that ${engine} was away`);
  for (const request of searches(canaries)) await call(request, null);
  await scanProbes(`without ${engine}`);
  await until(60_000, `${engine} again`, async () => {
    const { status } = await callAsStranger({ path: '/api/ready' }, null);
    return status === 200 && files.pidOf(engine) !== pid ? true : null;
  });
}

async function driveServers(): Promise<void> {
  expect(await failStatements(stack.databaseUrl, canaries)).toEqual([
    '22P02',
    '22007',
    '42703',
    '23505',
    '23514',
    'P0001',
    '57014',
  ]);
  expect((await failMeilisearch(files, canaries)).filter((status) => status >= 400)).not.toEqual(
    [],
  );
  expect((await failQdrant(files, canaries)).filter((status) => status >= 400)).not.toEqual([]);
  await driveWithout('meilisearch');
  await driveWithout('qdrant');
  await crashBackend(stack.databaseUrl, canaries);
  for (const request of searches(canaries)) await call(request, null);
  await until(60_000, 'the database again', async () => {
    const { status } = await callAsStranger({ path: '/api/ready' }, null);
    return status === 200 ? true : null;
  });
}

/** A change of preset, a reconcile on demand and the hourly one are runs with workflows of their own. */
async function driveRuns(): Promise<void> {
  const address = `127.0.0.1:${files.ports['temporal']}`;
  await vouch('governance', 'preset', 'assisted');
  const reconcile = reconcileRequest(canaries);
  await call(reconcile, 403);
  await call({ ...reconcile, token: files.credentials.admin.token }, 202);
  await call({ ...reconcile, token: files.credentials.admin.token }, 202);
  for (const scheduleId of SCHEDULE_IDS) await triggerSchedule(address, 'vouch', scheduleId);
  await until(90_000, 'the ends of the runs', async () => {
    const completed = await countCompleted(address, 'vouch');
    return ['regate', 'reconcile', 'reconcileAccounts'].every((type) => completed.has(type))
      ? true
      : null;
  });
  temporal = await exportTemporal(address, 'vouch');
}

async function driveDescription(): Promise<void> {
  for (const request of descriptionRequests(canaries)) {
    scanner.scan('description', (await callAsStranger(request, 200)).text);
  }
}

/** Waits until metrics and traces show what was done, then searches them. */
async function scanTelemetry(): Promise<void> {
  for (const name of ['metrics', 'workerMetrics'] as const) {
    await until(30_000, `complete ${name}`, async () => {
      const scrape = parsePrometheus(await readOwnMetrics(files, name));
      missing[name] = missingInMetrics(name, scrape);
      return missing[name].length === 0 ? true : null;
    }).catch(() => undefined);
  }
  await until(30_000, 'complete traces', async () => {
    missing.traces = missingInTraces(collector);
    return missing.traces.length === 0 ? true : null;
  }).catch(() => undefined);
  for (const [name, text] of await readMetrics(files)) scanner.scan(`metrics of ${name}`, text);
  scanTraces('while it runs');
}

function scanTraces(moment: string): void {
  scanner.scan(`traces ${moment}`, collector.text());
  scanner.scanValue(`requests to the collector ${moment}`, collector.heads);
}

function scanFiles(moment: string): void {
  for (const path of files.temporalDatabase)
    scanner.scanFile(`${path.split('/').pop()} ${moment}`, path);
  for (const path of files.logs) scanner.scanFile(`log ${path.split('/').pop()} ${moment}`, path);
  scanner.scan(`output of the start ${moment}`, stack.outputSoFar());
}

beforeAll(async () => {
  [models, embeddings, collector] = await Promise.all([
    startStubOpenAi(),
    startStubOpenAi(),
    startCollector(),
  ]);
  stack = await startStack(directory, {
    NODE_ENV: 'production',
    SERVICE_LOG_LEVEL: 'info',
    SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:stub-model',
    SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: models.baseUrl,
    SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY: 'stub-key',
    SERVICE_MODEL_EMBEDDER: 'openai-compatible:stub-embedder',
    SERVICE_MODEL_EMBEDDER_BASE_URL: embeddings.baseUrl,
    SERVICE_MODEL_EMBEDDER_API_KEY: 'stub-key',
    SERVICE_MODEL_EMBEDDER_DIMENSIONS: '8',
    SERVICE_CIRCUIT_FAILURES: String(CIRCUIT_FAILURES),
    SERVICE_CIRCUIT_OPEN_SECONDS: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  files = stackFiles(directory);
  await driveModels();
  await driveOutage();
  await driveRequests();
  await driveDescription();
  await driveServers();
  await driveRuns();
  await scanProbes('at the end');
  await scanTelemetry();
  scanner.scanValue('histories', temporal.histories);
  scanner.scanValue('visibility', temporal.visibility);
  scanner.scanValue('answers to queries', temporal.queryAnswers);
  for (const { answer } of answers) {
    scanner.scan('headers of answers', JSON.stringify(answer.headers));
    if (answer.status >= 400) scanner.scan('bodies of errors', answer.text);
  }
  scanFiles('while it runs');
}, 400_000);

afterAll(async () => {
  await stack?.stop();
  await Promise.all([models?.close(), embeddings?.close(), collector?.close()]);
  directory.remove();
}, 45_000);

/** As superuser, behind row security. */
async function rowsOf(query: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

describe('the canaries went through the service', () => {
  test('every request was answered as it had to be', () => {
    const wrong = answers.filter(
      ({ expected, answer }) => expected !== null && answer.status !== expected,
    );
    expect(wrong.map(({ expected, answer }) => [expected, answer.status, answer.text])).toEqual([]);
    const statuses = new Set(answers.map(({ answer }) => answer.status));
    expect([...statuses]).toEqual(
      expect.arrayContaining([200, 202, 400, 401, 403, 404, 405, 409, 413, 415, 422]),
    );
  });

  test('they lie in the tables, where they belong', async () => {
    const rows = await rowsOf(
      ['messages', 'sessions', 'peers', 'scopes']
        .map((table) => `select string_agg(to_jsonb(t)::text, ' ') from ${table} t`)
        .join(' union all '),
    );
    const inTables = createScanner(canaries);
    inTables.scan('tables', JSON.stringify(rows));
    expect(inTables.findings.map(({ canary }) => canary)).toEqual(
      expect.arrayContaining([
        'content',
        'session_id',
        'scope_segment',
        'peer_key',
        'peer_name',
        'role',
      ]),
    );
  }, 30_000);

  test('the provider was given content, and failed in each of its ways', async () => {
    expect(JSON.stringify(models.requests)).toContain(canaries.content);
    expect(JSON.stringify(embeddings.requests)).toContain(canaries.content);
    const classes = await rowsOf(
      'select distinct error_class from provider_attempts where error_class is not null',
    );
    expect(classes.length).toBeGreaterThanOrEqual(3);
  });

  test('each kind of workflow ran', () => {
    expect(temporal.workflowTypes).toEqual([
      'ingestActor',
      'projectionActor',
      'reconcile',
      'reconcileAccounts',
      'regate',
    ]);
    expect(temporal.queryAnswers.length).toBeGreaterThan(0);
    expect(temporal.schedules).toEqual(SCHEDULE_IDS);
  });

  test('metrics of both processes and traces of each kind show what was done', () => {
    expect(missing).toEqual({ metrics: [], workerMetrics: [], traces: [] });
  });
});

test('no history holds a text outside the grammar', () => {
  expect(temporal.histories.flatMap(outsideTheGrammar)).toEqual([]);
});

test('histories name processes by their part, never by host or process id', () => {
  const identities = temporal.histories
    .flatMap((history) => [...leavesOf(history)])
    .filter(({ path }) => path.endsWith('.identity'))
    .map(({ value }) => String(value));
  expect(identities).toContain('worker');
  expect(
    identities.filter((identity) => /@/.test(identity) || identity.includes(hostname())),
  ).toEqual([]);
});

test('no canary is found in any place', () => {
  expect(scanner.findings).toEqual([]);
  expect([...scanner.scanned.keys()]).toEqual(
    expect.arrayContaining([
      'histories',
      'visibility',
      'temporal.db while it runs',
      'temporal.db-wal while it runs',
      'bodies of errors',
      'headers of answers',
      'health at the end',
      'ready at the end',
      'description',
      'metrics of metrics',
      'metrics of workerMetrics',
      'metrics of temporalMetrics',
      'traces while it runs',
      ...['api', 'worker', 'postgres', 'temporal', 'meilisearch', 'qdrant'].map(
        (name) => `log ${name}.log while it runs`,
      ),
    ]),
  );
});

test('nor after it has stopped', async () => {
  await stack.stop();
  scanFiles('after the stop');
  // The last spans are sent at the end.
  scanTraces('after the stop');
  expect(scanner.findings).toEqual([]);
}, 60_000);
