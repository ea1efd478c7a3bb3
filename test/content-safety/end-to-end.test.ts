/**
 * Content safety, end to end: every field a caller fills, every error a provider or a server gives holds a
 * canary of its own. The real start is driven through all of it; then everything that lasts and everything that
 * is shown, but the tables and indexes that content belongs in, is searched for each of them.
 */
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SCHEDULE_IDS } from '../../domain/actors/names.ts';
import { leavesOf } from '../support/canaries/leaves.ts';
import { createScanner } from '../support/canaries/scanner.ts';
import { parsePrometheus } from '../support/prometheus.ts';
import { drive, stillMissing, type ServerFailures } from './drive.ts';
import { missingInMetrics, missingInTraces } from './evidence.ts';
import { readMetrics, readOwnMetrics } from './metrics.ts';
import { drivenRoutes } from './routes.ts';
import { startScene, type Scene } from './scene.ts';
import { exportTemporal, outsideTheGrammar, type TemporalExport } from './temporal-export.ts';
import { SERVERS_MS } from '../support/patience.ts';

let scene: Scene;
let serverFailures: ServerFailures;
let temporal: TemporalExport;
/** What metrics and traces should have shown and did not. */
let missing: Readonly<Record<'metrics' | 'workerMetrics' | 'traces', string[]>>;

function scanFiles(moment: string): void {
  const { files, scanner, stack } = scene;
  for (const path of files.temporalDatabase) scanner.scanFile(`${basename(path)} ${moment}`, path);
  for (const path of files.logs) scanner.scanFile(`log ${basename(path)} ${moment}`, path);
  scanner.scanFile(`list of promises ${moment}`, files.promises);
  scanner.scan(`output of the start ${moment}`, stack.outputSoFar());
}

function scanTraces(moment: string): void {
  const { collector, scanner } = scene;
  scanner.scan(`traces ${moment}`, collector.text());
  scanner.scanValue(`requests to the collector ${moment}`, collector.heads);
}

/** Waits until metrics and traces show what was done, then searches them. */
async function scanTelemetry(): Promise<void> {
  const { collector, files, scanner } = scene;
  const inMetrics = (name: 'metrics' | 'workerMetrics'): Promise<string[]> =>
    stillMissing(async () =>
      missingInMetrics(name, parsePrometheus(await readOwnMetrics(files, name))),
    );
  missing = {
    metrics: await inMetrics('metrics'),
    workerMetrics: await inMetrics('workerMetrics'),
    traces: await stillMissing(async () => missingInTraces(collector)),
  };
  for (const [name, text] of await readMetrics(files)) scanner.scan(`metrics of ${name}`, text);
  scanTraces('while it runs');
}

function scanAnswers(): void {
  for (const { answer } of scene.answers) {
    scene.scanner.scan('headers of answers', JSON.stringify(answer.headers));
    if (answer.status >= 400) scene.scanner.scan('bodies of errors', answer.text);
  }
}

beforeAll(async () => {
  scene = await startScene();
  serverFailures = await drive(scene);
  await scanTelemetry();
  temporal = await exportTemporal(`127.0.0.1:${scene.files.ports['temporal']}`, 'vouch');
  scene.scanner.scanValue('histories', temporal.histories);
  scene.scanner.scanValue('visibility', temporal.visibility);
  scene.scanner.scanValue('answers to queries', temporal.queryAnswers);
  scanAnswers();
  scanFiles('while it runs');
}, SERVERS_MS);

afterAll(() => scene?.close(), SERVERS_MS);

describe('the canaries went through the service', () => {
  test('every request was answered with the expected status', () => {
    const wrong = scene.answers.filter(
      ({ expected, answer }) => expected !== null && answer.status !== expected,
    );
    expect(wrong.map(({ expected, answer }) => [expected, answer.status, answer.text])).toEqual([]);
    const statuses = new Set(scene.answers.map(({ answer }) => answer.status));
    expect([...statuses]).toEqual(
      expect.arrayContaining([200, 202, 400, 401, 403, 404, 405, 409, 413, 415, 422]),
    );
  });

  test('every route was asked with a canary, answered, and refused where it can refuse', () => {
    const driven = drivenRoutes(scene);
    const isVersioned = ({ route }: { readonly route: string }) => route.includes('/api/v1/');
    const of = (routes: typeof driven) => routes.map(({ route }) => route);
    const without = (from: number, to: number) =>
      driven.filter(({ statuses }) => !statuses.some((status) => status >= from && status < to));
    // Extraction gave up no observation of this drive.
    expect(of(without(200, 300))).toEqual(['POST /api/v1/operations/ingest/:message_id/requeue']);
    expect(of(without(400, 500)).filter((route) => isVersioned({ route }))).toEqual([]);
    expect(of(driven.filter((one) => isVersioned(one) && !one.hadCanary))).toEqual([]);
  });

  test('the canaries are stored in the tables', async () => {
    const rows = await scene.rowsOf(
      ['messages', 'sessions', 'peers', 'scopes']
        .map((table) => `select string_agg(to_jsonb(t)::text, ' ') from ${table} t`)
        .join(' union all '),
    );
    const inTables = createScanner(scene.canaries);
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
  });

  test('the provider was given content, and failed in each of its ways', async () => {
    expect(JSON.stringify(scene.models.requests)).toContain(scene.canaries.content);
    expect(JSON.stringify(scene.embeddings.requests)).toContain(scene.canaries.content);
    expect(JSON.stringify(scene.rerankings.requests)).toContain(scene.canaries.content);
    expect(JSON.stringify(scene.answering.requests)).toContain(scene.canaries.query);
    const classes = await scene.rowsOf(
      'select distinct error_class from provider_attempts where error_class is not null',
    );
    expect(classes.length).toBeGreaterThanOrEqual(3);
  });

  test('each server failed on text', () => {
    expect(serverFailures.postgres).toEqual([
      '22P02',
      '22007',
      '42703',
      '23505',
      '23514',
      'P0001',
      '57014',
    ]);
    for (const statuses of [serverFailures.meilisearch, serverFailures.qdrant]) {
      expect(statuses.filter((status) => status >= 400)).not.toEqual([]);
    }
  });

  test('each kind of workflow ran', () => {
    expect(temporal.workflowTypes).toEqual([
      'contest',
      'decision',
      'erasure',
      'forgetting',
      'ingestActor',
      'projectionActor',
      'readDocument',
      'reconcile',
      'reconcileAccounts',
      'regate',
      'retainAccounts',
      'sweepLifecycle',
    ]);
    expect(temporal.queryAnswers.length).toBeGreaterThan(0);
    expect(temporal.schedules.toSorted()).toEqual(SCHEDULE_IDS.toSorted());
  });

  test('metrics of both processes and traces of each kind exist', () => {
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

test('no canary is found in any place while the stack runs', () => {
  expect(scene.scanner.findings).toEqual([]);
  expect([...scene.scanner.scanned.keys()]).toEqual(
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

test('no canary is found after the stack has stopped', async () => {
  await scene.stack.stop();
  scanFiles('after the stop');
  // The last spans are sent at the end.
  scanTraces('after the stop');
  expect(scene.scanner.findings).toEqual([]);
});
