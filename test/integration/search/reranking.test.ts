/** Searches whose candidates an endpoint reranks, on a real ledger and real indexes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildModelGateway } from '../../../runtime/container/models.ts';
import { eventually } from '../../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { remoteRole } from '../../unit/models/fixtures.ts';
import { RERANK_FAULTS, RERANKS } from './rerank-faults.ts';
import { MODELS, openSearchScene, texts, type AccountScene, type SearchScene } from './scene.ts';
import { transactions } from './transactions.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const QUERY = { query: 'who has a canoe' };
/** What the role may take: the deadline of these searches ends only when something hangs. */
const ROLE_MS = 400;
const PATIENT_MS = 30_000;

let scene: SearchScene;
let stub: StubOpenAi;
let closedUrl: string;

beforeAll(async () => {
  scene = await openSearchScene();
  stub = await startStubOpenAi();
  const gone = await startStubOpenAi();
  closedUrl = gone.baseUrl;
  await gone.close();
});

afterAll(async () => {
  await stub?.close();
  await scene?.close();
});

interface Reranking {
  readonly baseUrl?: string;
  readonly timeoutMs?: number;
  readonly failures?: number;
}

/** From now on the scene searches with a reranker. */
function rerankBy({ baseUrl = stub.baseUrl, timeoutMs = ROLE_MS, failures = 100 }: Reranking = {}) {
  const models = { ...MODELS, reranker: remoteRole(baseUrl, { timeoutMs }) };
  const logged: string[] = [];
  const log = (event: string, fields: unknown): void =>
    void logged.push(`${event} ${JSON.stringify(fields)}`);
  const gateway = buildModelGateway({
    db: scene.pool,
    roles: models,
    settings: {
      SERVICE_BUDGET_LIMITS_JSON: {},
      SERVICE_CIRCUIT_FAILURES: failures,
      SERVICE_CIRCUIT_OPEN_SECONDS: 30,
    },
    doorbell: { ring: () => {} },
    log: { info: log, warn: log, error: log },
  });
  scene.rebuilt({ models, gateway });
  return { logged };
}

/** An account with so many statements that the query finds, and how a search orders them without a reranker. */
async function fleet(count = 4): Promise<{
  readonly account: AccountScene;
  readonly search: (body?: object) => ReturnType<SearchScene['search']>;
  readonly fused: readonly (string | null)[];
}> {
  scene.rebuilt({});
  const account = await scene.account();
  for (let n = 0; n < count; n += 1) {
    const also = Array.from({ length: n }, (_, k) => `word${n}x${k}`).join(' ');
    await account.statement({ text: `Anna has a canoe ${also}`.trim() });
  }
  await account.refresh();
  const reader = await account.caller({ peer: 'carol' });
  const search = (body: object = {}) =>
    scene.search(reader, { ...QUERY, profile: 'thorough', ...body });
  const fused = texts(await search({ limit: 100 }));
  expect(fused).toHaveLength(count);
  return { account, search, fused };
}

function ledgerOf({ id }: AccountScene) {
  return scene.sql(
    `select state, error_class, metered, input_tokens::int, output_tokens::int from provider_attempts
     where account_id = $1 and role = 'reranker' order by reserved_at`,
    [id],
  );
}

function outcomeOf({ retrieval_outcomes: outcomes }: Awaited<ReturnType<SearchScene['search']>>) {
  const found = outcomes.at(-1);
  return [found?.component, found?.status, found?.reason_class];
}

function inOrder(fused: readonly (string | null)[], order: string): readonly (string | null)[] {
  const [first = null, second = null, ...rest] = fused;
  if (order === 'turned') return fused.toReversed();
  return order === 'moved' ? [second, first, ...rest] : fused;
}

describe('a reranker', () => {
  test.each(RERANK_FAULTS)('that $name leaves an answer: $status, $reason', async (fault) => {
    const { account, search, fused } = await fleet();
    const isPatient = fault.reason !== 'timeout';
    rerankBy({
      baseUrl: fault.does === null ? closedUrl : stub.baseUrl,
      timeoutMs: isPatient ? PATIENT_MS : ROLE_MS,
    });
    if (fault.does !== null) stub.script(fault.does);
    const answer = await search();
    expect(texts(answer)).toEqual(inOrder(fused, fault.order));
    expect(outcomeOf(answer)).toEqual(['reranker', fault.status, fault.reason]);
    expect(answer.degraded).toBe(fault.degraded);
    expect(answer.degraded_components).toEqual(fault.degraded ? ['reranker'] : []);
    expect(answer.dropped_strategies).toEqual([]);
    const [state, error_class] = fault.ledger;
    expect(await ledgerOf(account)).toMatchObject([{ state, error_class }]);
  });

  const idle = Object.entries(RERANKS).flatMap(([profile, reranks]) => (reranks ? [] : [profile]));
  test.each(idle)('is not asked under the profile %s, whatever it would do', async (profile) => {
    const { account, search } = await fleet();
    rerankBy({ baseUrl: closedUrl });
    const answer = await search({ profile });
    expect(outcomeOf(answer)).toEqual(['reranker', 'not_applicable', 'applicability']);
    expect([answer.degraded_components, answer.reserved_rerank_ms]).toEqual([[], 0]);
    expect(await ledgerOf(account)).toEqual([]);
  });

  test('brings a better candidate from beyond the page into it, and no candidate past the twentieth', async () => {
    const { search, fused } = await fleet(24);
    rerankBy({ timeoutMs: PATIENT_MS });
    const head = fused.slice(0, 20).toReversed();
    expect(texts(await search({ limit: 3 }))).toEqual(head.slice(0, 3));
    expect(texts(await search({ limit: 22 }))).toEqual([...head, ...fused.slice(20, 22)]);
  });

  test('changes the order and no score', async () => {
    const { search, fused } = await fleet();
    const scores = new Map(
      (await search()).candidates.map((found) => [found.id, found.fusion_score]),
    );
    rerankBy({ timeoutMs: PATIENT_MS });
    const { candidates } = await search();
    expect(candidates.map(({ statement }) => statement)).toEqual(fused.toReversed());
    expect(new Map(candidates.map((found) => [found.id, found.fusion_score]))).toEqual(scores);
  });

  test('is kept back by its circuit after failures in a row', async () => {
    const { account, search } = await fleet();
    rerankBy({ failures: 2, timeoutMs: PATIENT_MS });
    stub.script(...[500, 500].map((status) => ({ kind: 'status', status }) as const));
    await search();
    await search();
    const before = stub.requests.length;
    expect(outcomeOf(await search())).toEqual(['reranker', 'dropped', 'provider_error']);
    expect(stub.requests.length).toBe(before);
    expect(await ledgerOf(account)).toHaveLength(2);
  });
});

describe('what a reranker is sent', () => {
  test('is the statement with how long it holds, secrets masked, and nothing of it is kept', async () => {
    const { account, search } = await fleet(1);
    await account.statement({
      text: `Anna has a canoe under ${TOKEN}`,
      relevantFrom: '2031-03-12T00:00:00.000Z',
      relevantUntil: '2031-05-01T00:00:00.000Z',
    });
    await account.refresh();
    const { logged } = rerankBy({ timeoutMs: PATIENT_MS });
    const before = stub.requests.length;
    await search({ query: `who has a canoe under ${TOKEN}` });
    const [request] = stub.requests.slice(before);
    expect(request?.body['query']).toBe('who has a canoe under [secret]');
    expect(request?.body['documents']).toHaveLength(2);
    expect(request?.body['documents']).toEqual(
      expect.arrayContaining([
        'Anna has a canoe under [secret] (true from 2031-03-12 to 2031-05-01)',
        'Anna has a canoe (no dates known)',
      ]),
    );
    const rows = await scene.sql(`select * from provider_attempts where account_id = $1`, [
      account.id,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify([rows, logged])).not.toMatch(/canoe|Anna|ghp_/);
  });

  test('is nothing that its reader may not read', async () => {
    const { account, search } = await fleet(2);
    await account.statement({ text: 'Anna has a canoe in secret', sensitivity: 'restricted' });
    await account.refresh();
    rerankBy({ timeoutMs: PATIENT_MS });
    const before = stub.requests.length;
    const { candidates } = await search();
    expect(candidates).toHaveLength(2);
    expect(JSON.stringify(stub.requests.slice(before))).not.toContain('in secret');
  });
});

describe('while a reranker is waited for', () => {
  test('no transaction is open, and a statement that is withdrawn is not shown', async () => {
    const { account, search, fused } = await fleet();
    rerankBy({ timeoutMs: PATIENT_MS });
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    stub.script({ kind: 'held', until });
    const before = stub.requests.length;
    const searching = search();
    await eventually(() => stub.requests.length > before);
    await eventually(async () => (await transactions(scene)).open === 0);
    await scene.sql(
      `update knowledge set state = 'redacted', statement = null where account_id = $1 and statement = $2`,
      [account.id, fused[1]],
    );
    release();
    const answer = await searching;
    expect(texts(answer)).toEqual(fused.filter((text) => text !== fused[1]).toReversed());
    expect(answer.degraded).toBe(false);
  });
});
