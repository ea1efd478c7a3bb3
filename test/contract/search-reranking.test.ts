/** `POST /api/v1/search` with a reranker: what its answer changes, and what the envelope says of it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  candidatesOf,
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type Body,
  type OwnService,
} from '../support/service.ts';
import { eventually } from '../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../support/stub-openai.ts';

const QUERY = { query: 'Who likes what is green?', profile: 'thorough' };

let reranker: StubOpenAi;
let service: OwnService;
let agent: string;

const search = (body: Body = {}) => service.search(agent, { ...QUERY, ...body });

async function order(body: Body = {}): Promise<unknown[]> {
  return candidatesOf(await search(body)).map(({ statement }) => statement);
}

beforeAll(async () => {
  reranker = await startStubOpenAi();
  service = await startOwnService({
    SERVICE_MODEL_RERANKER: 'openai-compatible:judge',
    SERVICE_MODEL_RERANKER_BASE_URL: reranker.baseUrl,
    SERVICE_MODEL_RERANKER_API_KEY: 'rerank-key',
  });
  await service.home.preset('assisted');
  agent = (await service.home.agent('agent')).token;
  await service.ingestAndWait(agent, {
    peer_key: 'alice',
    content: 'I like green tea. I grow green beans. I own a green canoe.',
  });
  // The names of statements are written a moment after the observation is completed, and change the scores.
  await eventually(async () => {
    const found = dataOf(await search())['contributed_strategies'];
    return Array(found).flat().includes('relation_expand');
  });
});

afterAll(async () => {
  await closeWithoutErrors(service);
  await reranker.close();
});

describe('a search under the profile that reranks', () => {
  test('answers the candidates in the order of the reranker, with the scores of fusion', async () => {
    reranker.script({ kind: 'rankings', answer: { results: [] } });
    const fused = candidatesOf(await search());
    expect(fused).toHaveLength(3);
    const turned = candidatesOf(await search());
    expect(turned).toEqual(fused.toReversed());
  });

  test('says what the reranker did, and what was kept back for it', async () => {
    const answer = dataOf(await search());
    expect(answer).toMatchObject({
      degraded: false,
      degraded_components: [],
      pre_rerank_remaining_ms: expect.any(Number),
      reserved_rerank_ms: expect.any(Number),
    });
    expect(answer['reserved_rerank_ms']).toBeGreaterThanOrEqual(50);
    const outcomes = answer['retrieval_outcomes'];
    expect(Array.isArray(outcomes) ? outcomes.at(-1) : null).toEqual({
      component: 'reranker',
      status: 'completed',
      reason_class: null,
      elapsed_ms: expect.any(Number),
      budget_remaining_ms: expect.any(Number),
    });
  });

  test('keeps nothing back without a deadline', async () => {
    const boss = await service.home.agent('boss', { role: 'account_admin' });
    const body = { ...QUERY, deadline: 'disabled' };
    const answer = dataOf(await service.search(boss.token, body));
    expect(answer).toMatchObject({
      pre_rerank_remaining_ms: null,
      reserved_rerank_ms: 0,
      degraded: false,
    });
  });

  test('is degraded by a reranker that fails, and answers in the fused order', async () => {
    const turned = await order();
    reranker.script({ kind: 'status', status: 503 });
    const answer = await search();
    expect(dataOf(answer)).toMatchObject({
      degraded: true,
      degraded_components: ['reranker'],
      dropped_strategies: [],
    });
    expect(answer.text).not.toContain('SECRET-PROVIDER-TEXT');
    expect(candidatesOf(answer).map(({ statement }) => statement)).toEqual(turned.toReversed());
  });

  test('shows a reranker neither a query nor a statement of a page that has one candidate', async () => {
    const before = reranker.requests.length;
    expect(await order({ query: '"green beans"' })).toHaveLength(1);
    expect(reranker.requests.length).toBe(before);
  });
});

test('a profile that does not rerank asks nothing', async () => {
  const before = reranker.requests.length;
  const answer = dataOf(await search({ profile: 'balanced' }));
  expect(answer).toMatchObject({ reserved_rerank_ms: 0, degraded: false });
  expect(reranker.requests.length).toBe(before);
});
