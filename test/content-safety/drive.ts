/** Drives a start through everything that could let a canary out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SCHEDULE_IDS } from '../../domain/actors/names.ts';
import { until } from '../fault/harness/until.ts';
import { HANGS_MS } from '../support/patience.ts';
import { driveAnswers } from './answers.ts';
import { driveDesk } from './desk.ts';
import { driveTools } from './tools.ts';
import { driveErasure } from './erasure.ts';
import { circuitTransitions } from './evidence.ts';
import {
  batch,
  descriptionRequests,
  documents,
  extractionRequests,
  headersWith,
  observation,
  reconcileRequest,
  refusedRequests,
  ruleRequests,
  searches,
} from './requests.ts';
import { furtherReads } from './reads.ts';
import { CIRCUIT_FAILURES, type Scene } from './scene.ts';
import { crashBackend, failMeilisearch, failQdrant, failStatements } from './server-errors.ts';
import { countCompleted, triggerSchedule } from './temporal-export.ts';

const EVERY_MS = 200;

const anchor = z.object({ data: z.object({ status: z.string() }) });
const newKey = z.object({ api_key: z.string() });

async function anchorStatus({ call }: Scene, id: string): Promise<string> {
  return anchor.parse((await call({ path: `/api/v1/ingest/${id}` }, 200)).json()).data.status;
}

async function driveModels(scene: Scene): Promise<void> {
  const { canaries, embeddings, ingest, models } = scene;
  const status = (code: number, message: string) =>
    ({ kind: 'status', status: code, body: { error: { message } } }) as const;
  embeddings.script(status(400, canaries.provider_embedding_error));
  const failures = [
    { kind: 'text', text: `{"statements": [${canaries.provider_text}` },
    status(500, canaries.provider_500),
    status(400, canaries.provider_400),
    status(429, canaries.provider_429),
  ] as const;
  const ids: string[] = [];
  for (const [at, failure] of failures.entries()) {
    const before = models.requests.length;
    models.script(failure);
    ids.push(await ingest(`lost boat number ${at}`));
    await until('a request', HANGS_MS, async () => models.requests.length > before, EVERY_MS);
  }
  ids.push(await ingest('keeps a boat in Bergen'));
  const statuses = (): Promise<string[]> => Promise.all(ids.map((id) => anchorStatus(scene, id)));
  // All of them come to an end or to a retry with a class; those that were retried may complete.
  const tried = async (): Promise<boolean> => !(await statuses()).includes('pending');
  await until('the end of every attempt', HANGS_MS, tried, EVERY_MS);
  const completed = async (): Promise<boolean> => (await statuses()).includes('completed');
  await until('a completed anchor', HANGS_MS, completed, EVERY_MS);
}

/** Lets the provider fail until calls are kept back, and answer again. */
async function driveOutage({ canaries, files, ingest, models }: Scene): Promise<void> {
  const error = { message: canaries.provider_outage };
  const outage = { kind: 'status', status: 503, body: { error } } as const;
  models.script(...Array.from({ length: CIRCUIT_FAILURES }, () => outage));
  for (const tide of ['first', 'second', 'third']) await ingest(`waited for the ${tide} tide`);
  const isOver = async (): Promise<boolean> => {
    const seen = circuitTransitions(files);
    return ['opened', 'probing', 'closed'].every((one) => seen.has(one));
  };
  await until('a circuit that opens, probes and closes', HANGS_MS, isOver, EVERY_MS);
}

const version = z.object({
  data: z.object({ document_id: z.string(), document_version_id: z.string() }),
});

/** One is read into statements, of the other it is found that it cannot be; that one is withdrawn. */
async function driveDocuments({ call, canaries }: Scene): Promise<void> {
  for (const [at, request] of documents(canaries).entries()) {
    const { data } = version.parse((await call(request, 202)).json());
    const path = `/api/v1/documents/${data.document_version_id}`;
    const expected = at === 0 ? 'completed' : 'terminal';
    await until(
      `a ${expected} document`,
      60_000,
      async () => {
        const answer = await call({ path, headers: headersWith(canaries) }, 200);
        return anchor.parse(answer.json()).data.status === expected;
      },
      EVERY_MS,
    );
    if (at === 0) continue;
    const headers = headersWith(canaries);
    await call({ method: 'DELETE', path: `/api/v1/documents/${data.document_id}`, headers }, 202);
  }
}

/** Searches until the reranker was asked, failed with a text, and answered with one that cannot be used. */
async function driveReranker({ call, canaries, rerankings }: Scene): Promise<void> {
  const { provider_rerank_error: message, provider_rerank_text: text } = canaries;
  const behaviours = [
    { kind: 'status', status: 400, body: { error: { message } } },
    { kind: 'rankings', answer: { results: [{ index: text, score: 1, document: { text } }] } },
    { kind: 'default' },
  ] as const;
  for (const behaviour of behaviours) {
    const before = rerankings.requests.length;
    rerankings.script(behaviour);
    const asked = async (): Promise<boolean> => {
      for (const request of searches(canaries)) await call(request, 200);
      return rerankings.requests.length > before;
    };
    await until('a question to the reranker', HANGS_MS, asked, EVERY_MS);
  }
}

const rows = z.object({ data: z.array(z.object({ id: z.string() })) });

async function driveRequests(scene: Scene): Promise<void> {
  const { call, callAsStranger, canaries, stack, vouch } = scene;
  for (const request of searches(canaries)) await call(request, 200);
  const path = `/api/v1/knowledge?scope_path=/canary/${canaries.scope_segment}`;
  const listed = rows.parse((await call({ path, headers: headersWith(canaries) }, 200)).json());
  for (const read of furtherReads(canaries, listed.data[0]?.id ?? '')) {
    await call(read.call, read.status);
  }
  const repeated = observation(canaries, 'changed it');
  const headers = {
    ...repeated.headers,
    'idempotency-key': `${canaries.idempotency_key}-keeps a boat in Bergen`,
  };
  await call({ ...repeated, headers }, 409);
  const many = batch(canaries);
  await call(many, 202);
  await call({ ...many, json: { observations: canaries.content } }, 422);
  const key = newKey.parse(
    await vouch('key', 'create', '--peer', 'stranger', '--scope', '/elsewhere', '--role', 'member'),
  );
  const refused = refusedRequests(canaries, { agent: stack.apiKey, elsewhere: key.api_key });
  for (const { status, call: request } of refused) await callAsStranger(request, status);
}

async function driveDescription({ callAsStranger, canaries, scanner }: Scene): Promise<void> {
  for (const request of descriptionRequests(canaries)) {
    scanner.scan('description', (await callAsStranger(request, 200)).text);
  }
}

export async function scanProbes(scene: Scene, moment: string): Promise<void> {
  const { callAsStranger, canaries, scanner } = scene;
  for (const name of ['health', 'ready']) {
    const request = { path: `/api/${name}`, headers: headersWith(canaries) };
    scanner.scan(`${name} ${moment}`, (await callAsStranger(request, null)).text);
  }
}

async function untilReady({ callAsStranger }: Scene, what: string): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    (await callAsStranger({ path: '/api/ready' }, null)).status === 200;
  await until(what, HANGS_MS, isReady, EVERY_MS);
}

/** Takes an index away while requests need it, and waits until it is back. */
async function driveWithout(scene: Scene, index: 'meilisearch' | 'qdrant'): Promise<void> {
  const { call, canaries, files, ingest } = scene;
  const pid = files.pidOf(index);
  if (pid === null) throw new Error(`${index} does not run`);
  process.kill(pid, 'SIGKILL');
  await ingest(`noticed that ${index} was away`);
  for (const request of searches(canaries)) await call(request, null);
  await scanProbes(scene, `without ${index}`);
  const isBack = async (): Promise<boolean> => ![pid, null].includes(files.pidOf(index));
  await until(`${index} again`, HANGS_MS, isBack, EVERY_MS);
  await untilReady(scene, `readiness with ${index}`);
}

/** The SQLSTATEs of the statements that failed, and the statuses of the requests that indexes refused. */
async function driveServers(scene: Scene): Promise<ServerFailures> {
  const { call, canaries, files, stack } = scene;
  const failures = {
    postgres: await failStatements(stack.databaseUrl, canaries),
    meilisearch: await failMeilisearch(files, canaries),
    qdrant: await failQdrant(files, canaries),
  };
  await driveWithout(scene, 'meilisearch');
  await driveWithout(scene, 'qdrant');
  await crashBackend(stack.databaseUrl, canaries);
  for (const request of searches(canaries)) await call(request, null);
  await untilReady(scene, 'the database again');
  return failures;
}

/** A change of preset, a reconcile on demand and the hourly one are runs with workflows of their own. */
async function driveRuns({ call, canaries, files, vouch }: Scene): Promise<void> {
  const address = `127.0.0.1:${files.ports['temporal']}`;
  await vouch('governance', 'preset', 'assisted');
  const request = reconcileRequest(canaries);
  const { token } = files.credentials.admin;
  await call(request, 403);
  // The second is answered from the first: it has the same key.
  for (const again of [request, request]) await call({ ...again, token }, 202);
  const ofAdministrators = [...extractionRequests(canaries), ...ruleRequests(canaries)];
  for (const { status, call: asked } of ofAdministrators) {
    await call({ ...asked, token }, status);
  }
  for (const scheduleId of SCHEDULE_IDS) await triggerSchedule(address, 'vouch', scheduleId);
  const haveEnded = async (): Promise<boolean> => {
    const completed = await countCompleted(address, 'vouch');
    return [
      'forgetting',
      'regate',
      'reconcile',
      'reconcileAccounts',
      'retainAccounts',
      'sweepLifecycle',
    ].every((type) => completed.has(type));
  };
  await until('the ends of the runs', HANGS_MS, haveEnded, EVERY_MS);
}

export interface ServerFailures {
  readonly postgres: readonly string[];
  readonly meilisearch: readonly number[];
  readonly qdrant: readonly number[];
}

/** All of it, one after the other. */
export async function drive(scene: Scene): Promise<ServerFailures> {
  await driveModels(scene);
  await driveOutage(scene);
  await driveDocuments(scene);
  await driveRequests(scene);
  await driveReranker(scene);
  await driveAnswers(scene);
  await driveDesk(scene);
  await driveTools(scene);
  await driveErasure(scene);
  await driveDescription(scene);
  const failures = await driveServers(scene);
  await driveRuns(scene);
  await scanProbes(scene, 'at the end');
  return failures;
}

/** Looks until nothing is missing, or what is will stay so; what still is. */
export async function stillMissing(look: () => Promise<string[]>): Promise<string[]> {
  const giveUpAt = performance.now() + HANGS_MS;
  for (;;) {
    const missing = await look();
    if (missing.length === 0 || performance.now() > giveUpAt) return missing;
    await sleep(EVERY_MS);
  }
}
