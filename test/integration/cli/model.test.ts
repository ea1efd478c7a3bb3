/** `vouch model check` on a real ledger and a stub endpoint. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { buildModelGateway, modelsForOperations } from '../../../runtime/container/models.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { createScene, onlyThese, type Scene } from '../identity/scene.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

const WORD = { kind: 'text', text: '{"word": "tea"}' } as const;

let scene: Scene;
let stub: StubOpenAi;
beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
  stub = await startStubOpenAi({ dimensions: 8 });
});
afterAll(async () => {
  await stub?.close();
  await scene?.close();
});
beforeEach(async () => {
  await scene.rows('delete from provider_attempts');
});

async function* nothing(): AsyncGenerator<string> {}

async function check(variables: Readonly<Record<string, string>>, ...args: string[]) {
  const { models, settings } = loadConfig(variables);
  const gateway = buildModelGateway({
    db: scene.pool,
    roles: models,
    settings,
    doorbell: { ring: () => {} },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const environment = onlyThese({
    ...scene.environment,
    models: modelsForOperations(gateway),
  });
  let out = '';
  let err = '';
  const code = await runCli(['model', 'check', ...args], {
    stdin: nothing(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => new Date(scene.clock),
    signal: new AbortController().signal,
    promiseLines: readPromiseFiles,
    receiptKeyPem: () => Promise.resolve(''),
    open: async () => ({ environment, close: async () => undefined }),
  });
  return { code, out, err };
}

function ledger() {
  return scene.rows(
    `select role, state, error_class, provider, prompt_version from provider_attempts order by role`,
  );
}

test('reports that the built-in models answer, and calls no role that is set to none', async () => {
  const { code, out, err } = await check({}, '--json');
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out).roles).toMatchObject([
    { role: 'embedder', provider: 'deterministic', status: 'ok', error_class: null },
    { role: 'reranker', provider: 'none', status: 'not_applicable', duration_ms: null },
    { role: 'ingest_extractor', provider: 'deterministic', status: 'ok' },
    { role: 'dream_reasoner', status: 'not_applicable', model: null },
    { role: 'dialectic_agent', status: 'not_applicable' },
  ]);
  // The built-in embedder leaves none.
  expect(await ledger()).toMatchObject([{ role: 'ingest_extractor', state: 'success' }]);
});

test('calls remote roles in their protocols, with one request and one ledger row each', async () => {
  const before = stub.requests.length;
  stub.script(WORD, WORD, WORD, WORD);
  const { code, out } = await check(
    {
      OPENAI_BASE_URL: stub.baseUrl,
      SERVICE_MODEL_EMBEDDER: 'openai-compatible:e',
      SERVICE_MODEL_EMBEDDER_DIMENSIONS: '8',
      SERVICE_MODEL_RERANKER: 'openai-compatible:r',
      SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:m',
      SERVICE_MODEL_DIALECTIC_AGENT: 'anthropic:c',
      SERVICE_MODEL_DIALECTIC_AGENT_BASE_URL: stub.baseUrl,
      SERVICE_MODEL_DIALECTIC_AGENT_API_KEY: 'k',
    },
    '--json',
  );
  expect(code).toBe(0);
  const statuses = JSON.parse(out).roles.map(({ status }: { status: string }) => status);
  expect(statuses).toEqual(['ok', 'ok', 'ok', 'not_applicable', 'ok']);
  const paths = stub.requests.slice(before).map(({ path }) => path);
  expect(paths.toSorted()).toEqual([
    '/v1/chat/completions',
    '/v1/embeddings',
    '/v1/messages',
    '/v1/rerank',
  ]);
  expect(await ledger()).toMatchObject([
    { role: 'embedder', state: 'success', prompt_version: null },
    { role: 'reranker', state: 'success', prompt_version: null },
    { role: 'ingest_extractor', state: 'success', prompt_version: 'vouch-check-1' },
    { role: 'dialectic_agent', state: 'success', provider: 'anthropic' },
  ]);
});

test.each([
  ['credentials_rejected', { kind: 'status', status: 401 }],
  ['missing_structured_object', { kind: 'text', text: 'Tea.' }],
  ['structured_validation_failed', { kind: 'text', text: '{"word": 1}' }],
] as const)(
  'answers 1 and says %s, and nothing that the provider said',
  async (errorClass, does) => {
    stub.script(does);
    const environment = {
      SERVICE_MODEL_EMBEDDER: 'none',
      SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:m',
      SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: stub.baseUrl,
    };
    const { code, out, err } = await check(environment);
    expect(code).toBe(1);
    expect(err).toBe('vouch: No usable answer: ingest_extractor.\n');
    expect(out).toMatch(
      new RegExp(`ingest_extractor +openai-compatible +m .*failed +${errorClass}`),
    );
    expect(out + err).not.toMatch(/SECRET|Tea/);
    expect(await ledger()).toMatchObject([{ state: 'error', error_class: errorClass }]);
  },
);

test('says of a reranker whose answer cannot be used that it failed', async () => {
  stub.script({ kind: 'rankings', answer: [{ index: 7, score: 1 }] });
  const { code, out, err } = await check({
    SERVICE_MODEL_EMBEDDER: 'none',
    SERVICE_MODEL_INGEST_EXTRACTOR: 'none',
    SERVICE_MODEL_RERANKER: 'openai-compatible:r',
    SERVICE_MODEL_RERANKER_BASE_URL: stub.baseUrl,
  });
  expect([code, err]).toEqual([1, 'vouch: No usable answer: reranker.\n']);
  expect(out).toMatch(/reranker +openai-compatible +r .*failed +structured_validation_failed/);
});
