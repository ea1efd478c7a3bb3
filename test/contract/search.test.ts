/** `POST /api/v1/search`: the whole envelope, where and how it looks, and what each wrong field is answered. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeWithoutErrors,
  candidatesOf,
  dataOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { eventually } from '../support/patience.ts';
import { refusal, withoutTimes } from './answers.ts';

const INSTANT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

let service: Service;
let agent: string;
let admin: string;
let messageId: string;

/** Without a deadline nothing can be dropped for want of time: only an administrator may ask for it. */
const search = (body: Body, headers: Readonly<Record<string, string>> = {}) =>
  service.search(admin, { deadline: 'disabled', ...body }, headers);

async function statements(body: Body): Promise<unknown[]> {
  return candidatesOf(await search(body)).map(({ statement }) => statement);
}

beforeAll(async () => {
  service = await startService();
  await service.home.preset('assisted');
  agent = (await service.home.agent('agent')).token;
  admin = (await service.home.agent('boss', { role: 'account_admin' })).token;
  const said = await service.ingestAndWait(agent, {
    peer_key: 'alice',
    peer_name: 'Alice',
    content: 'I moved to Porto in March 2020. I like green tea. I grow green beans.',
    occurred_at: '2024-05-01T10:00:00Z',
  });
  messageId = said.messageId;
  expect(said.knowledge.map(({ state }) => state)).toEqual(['active', 'active', 'active']);
  await service.ingestAndWait(agent, {
    scope_path: '/poc',
    peer_key: 'alice',
    content: 'I play the cello.',
  });
});

/** The names of statements are written with the marks of the indexes, a moment after an observation is completed. */
beforeAll(() =>
  eventually(async () => {
    const body = { query: 'Who moved to Porto?', profile: 'thorough' };
    const found = dataOf(await service.search(agent, body))['contributed_strategies'];
    return ['entity_match', 'relation_expand'].every((name) => Array(found).flat().includes(name));
  }),
);

afterAll(() => closeWithoutErrors(service));

describe('the envelope', () => {
  test('has every field of the contract', async () => {
    const answer = await service.search(agent, {
      query: 'Who moved to Porto?',
      profile: 'thorough',
    });
    expect(answer.status).toBe(200);
    const outcome = (component: string, status: string, reason: string | null = null) => ({
      component,
      status,
      reason_class: reason,
      elapsed_ms: expect.any(Number),
      budget_remaining_ms: expect.any(Number),
    });
    const away = (component: string) => outcome(component, 'not_applicable', 'applicability');
    expect(dataOf(answer)).toEqual({
      query: 'Who moved to Porto?',
      scope_path: '/team',
      profile: 'thorough',
      profile_version: 'f7-1',
      profile_override: null,
      deadline: 'enabled',
      latency_ms: expect.any(Number),
      candidates: expect.any(Array),
      contributed_strategies: ['semantic', 'lexical', 'entity_match', 'relation_expand'],
      empty_strategies: [],
      dropped_strategies: [],
      retrieval_outcomes: [
        outcome('semantic', 'completed'),
        outcome('lexical', 'completed'),
        away('temporal'),
        outcome('entity_match', 'completed'),
        away('salience_recency'),
        outcome('relation_expand', 'completed'),
        away('reranker'),
      ],
      reader_posture: 'peer',
      degraded: false,
      degraded_components: [],
      pre_rerank_remaining_ms: expect.any(Number),
      reserved_rerank_ms: 0,
      disagreement: {
        strategy_count: 4,
        disjoint: false,
        low_score: false,
        query_dependent_empty: false,
      },
      identity_profile_status: 'not_requested',
    });
  });

  test('has every field of a candidate', async () => {
    const [first] = candidatesOf(await search({ query: 'Porto' }));
    expect(first).toEqual({
      id: UUID,
      scope_id: UUID,
      scope_path: '/team',
      statement: 'Alice moved to Porto in March 2020.',
      kind: 'event',
      confidence: 0.91,
      sensitivity: 'internal',
      state: 'active',
      // The administrator was not there: it sees how many sources there are, and none of them.
      source_message_ids: [],
      source_count: 1,
      extracting_provider: 'deterministic',
      extracting_model: expect.any(String),
      pipeline_version: 'f5-1',
      corroboration_count: 1,
      relevant_from: '2020-03-01T00:00:00.000Z',
      relevant_from_precision: 'month',
      relevant_until: '2020-04-01T00:00:00.000Z',
      relevant_until_precision: 'month',
      recorded_at: INSTANT,
      candidate_type: 'knowledge',
      fusion_score: expect.any(Number),
      rrf_score: first?.['fusion_score'],
      strategies: ['semantic', 'lexical', 'entity_match'],
    });
  });

  test('names the source of a statement to its relay', async () => {
    const [first] = candidatesOf(
      await service.search(agent, { query: 'Porto', profile: 'thorough' }),
    );
    expect(first?.['source_message_ids']).toEqual([messageId]);
  });

  test('orders candidates by fusion score, from 0 to 1', async () => {
    const scores = candidatesOf(await search({ query: 'Alice likes green tea' })).map((row) =>
      Number(row['fusion_score']),
    );
    expect(scores.length).toBeGreaterThan(1);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const score of scores) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  test('without a match is empty, and no strategy that read the query reports a result', async () => {
    const data = dataOf(await search({ query: 'xylophone', profile: 'fast', min_score: 0.9 }));
    expect(data).toMatchObject({
      candidates: [],
      contributed_strategies: [],
      empty_strategies: ['semantic'],
      disagreement: { strategy_count: 0, query_dependent_empty: true },
    });
  });
});

describe('the profile', () => {
  test.each([
    [{}, 'balanced', ['semantic', 'lexical', 'temporal', 'entity_match']],
    [{ profile: null }, 'balanced', ['semantic', 'lexical', 'temporal', 'entity_match']],
    [{ profile: 'fast' }, 'fast', ['semantic', 'salience_recency']],
    [
      { profile: 'thorough' },
      'thorough',
      ['semantic', 'lexical', 'temporal', 'entity_match', 'salience_recency', 'relation_expand'],
    ],
  ])('%j is %s', async (body, profile, strategies) => {
    const data = dataOf(await search({ query: 'Porto', ...body }));
    expect(data).toMatchObject({ profile, profile_version: 'f7-1' });
    const outcomes = data['retrieval_outcomes'];
    const components = Array.isArray(outcomes)
      ? outcomes.map((outcome) => Object(outcome).component)
      : [];
    expect(components).toEqual([...strategies, 'reranker']);
  });

  test.each([
    [{ profile: 'deepest' }, 'profile'],
    [{ profile: 3 }, 'profile'],
    [{ profile: 'minimal' }, 'profile'],
    [{ strategies: ['lexical'] }, 'strategies'],
    [{ strategies: {} }, 'strategies'],
  ])('%j is refused', async (body, field) => {
    expect(refusal(await search({ query: 'Porto', ...body }))).toEqual([
      422,
      'invalid_request',
      field,
    ]);
  });
});

describe('the deadline', () => {
  test('is on by default, and the answer reports the time that was left', async () => {
    expect(dataOf(await service.search(agent, {}))).toMatchObject({
      deadline: 'enabled',
      pre_rerank_remaining_ms: expect.any(Number),
    });
  });

  test('may be switched off by an account-admin', async () => {
    expect(dataOf(await search({ query: 'Porto' }))).toMatchObject({
      deadline: 'disabled',
      pre_rerank_remaining_ms: null,
    });
  });

  test('may not be switched off by other callers, not even by an account-admin of a subtree', async () => {
    const part = await service.home.agent('part', { role: 'account_admin', scope: '/team' });
    const curator = await service.home.agent('curating', { role: 'curator' });
    for (const token of [agent, part.token, curator.token]) {
      const answer = await service.search(token, { deadline: 'disabled' });
      expect(refusal(answer)).toEqual([403, 'forbidden']);
    }
  });

  test.each([['enabled'], [100], [false]])('rejects the value %j', async (deadline) => {
    expect(refusal(await search({ deadline }))).toEqual([422, 'invalid_request', 'deadline']);
  });
});

describe('the scope', () => {
  const path = async (scope_path: unknown) => dataOf(await search({ scope_path }))['scope_path'];

  test.each([[undefined], [null], [''], ['  ']])('of %j is /poc', async (scope) => {
    expect(await path(scope)).toBe('/poc');
  });

  test('is echoed in its normal form', async () => {
    expect(await path('team//north/')).toBe('/team/north');
    expect(await path('/')).toBe('/');
  });

  test('is searched with its ancestors, and never with its descendants', async () => {
    expect(await statements({ query: 'Porto', scope_path: '/team/north' })).toHaveLength(1);
    expect(await statements({ query: 'Porto', scope_path: '/' })).toEqual([]);
    expect(await statements({ query: 'cello', scope_path: undefined })).toEqual([
      'Alice plays the cello.',
    ]);
  });

  test.each([['/a/../b'], ['/a/ b'], [7], ['/a\u0000'], [`/${'x'.repeat(129)}`]])(
    '%j is refused',
    async (scope_path) => {
      expect(refusal(await search({ scope_path }))).toEqual([422, 'invalid_request', 'scope_path']);
    },
  );
});

describe('the account', () => {
  test('comes from the credential alone: a header or a field of the body does not change it', async () => {
    const plain = await search({ query: 'Porto' });
    const named = await search(
      { query: 'Porto', account_key: service.other.key },
      { 'x-memhouse-account-key': service.other.key },
    );
    expect(withoutTimes(named)).toEqual(withoutTimes(plain));
    expect(candidatesOf(named)).toHaveLength(1);
  });
});

describe('the identity profile', () => {
  test('is not part of a search unless it is asked for', async () => {
    const data = dataOf(await search({ query: 'Porto', include_identity_profile: false }));
    expect(data['identity_profile_status']).toBe('not_requested');
    expect(data).not.toHaveProperty('identity_profile');
  });

  test('has its status when asked for, and changes no rank', async () => {
    const data = dataOf(await search({ query: 'green', include_identity_profile: true }));
    expect(['ready', 'empty', 'unavailable']).toContain(data['identity_profile_status']);
    expect(data).toHaveProperty('identity_profile');
    const plain = dataOf(await search({ query: 'green' }));
    expect(data['candidates']).toEqual(plain['candidates']);
  });
});

describe('a body of the wrong shape', () => {
  test.each([
    ['query', 7],
    ['query', 'a\u0000b'],
    ['peer_key', 7],
    ['include_cross_links', 'yes'],
    ['include_identity_profile', 1],
    ['source_filters', 'all'],
  ])('%s of %j is 422', async (field, value) => {
    expect(refusal(await search({ [field]: value }))).toEqual([422, 'invalid_request', field]);
  });

  test('that is not an object is 422, and one that is not JSON is 400', async () => {
    const send = (raw: string) => service.call({ path: '/api/v1/search', token: agent, raw });
    expect(refusal(await send('[]')).slice(0, 2)).toEqual([422, 'invalid_request']);
    expect(refusal(await send('{'))).toEqual([400, 'malformed_json']);
  });

  test('every field may be left out, or null', async () => {
    const names = ['query', 'scope_path', 'peer_key', 'profile', 'limit', 'include_cross_links'];
    const more = ['as_of', 'min_score', 'source_filters', 'deadline', 'include_identity_profile'];
    const nothing = Object.fromEntries([...names, ...more].map((name) => [name, null]));
    for (const json of [{}, nothing]) {
      const answer = await service.call({ path: '/api/v1/search', token: agent, json });
      expect(dataOf(answer)).toMatchObject({ query: '', scope_path: '/poc', profile: 'balanced' });
    }
  });
});
