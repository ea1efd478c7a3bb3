/** `PUT /api/v1/operations/extraction-budget`: what it takes, and that nothing gets past what it allows. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROMPT_VERSION } from '../../engine/extraction/model/prompt.ts';
import { eventually } from '../support/patience.ts';
import { closeWithoutErrors, dataOf, type Body, type Service } from '../support/service.ts';
import type { StubOpenAi } from '../support/stub-openai.ts';
import { startStubbedService } from '../support/stubbed-service.ts';
import { refusal } from './answers.ts';

const PATH = '/api/v1/operations/extraction-budget';
const EXHAUSTED = 'extraction_budget_exhausted';

let stub: StubOpenAi;
let service: Service;
let boss: string;

beforeAll(async () => {
  const settings = { SERVICE_BUILD_SHA: 'ab12cd3' };
  ({ service, stub } = await startStubbedService({ settings }));
  boss = (await service.home.agent('boss', { role: 'account_admin' })).token;
});
afterAll(() => closeWithoutErrors(service));

const LIMITS = {
  scope_root: '/limits',
  request_cap: 100,
  token_cap: 10_000_000,
  usd_micros_cap: 5_000_000,
  deadline_at: '2090-01-01T02:00:00+02:00',
  input_usd_micros_per_million: 150_000,
  output_usd_micros_per_million: 600_000,
};

const put = (json: unknown, token = boss) =>
  service.call({ method: 'PUT', path: PATH, token, json });

const register = async (changes: Body): Promise<Body> => {
  const answer = await put({ ...LIMITS, ...changes });
  expect(answer.status).toBe(200);
  return dataOf(answer);
};

describe('a budget', () => {
  test('is answered with its limits, its reservations and the extractor that it applies to', async () => {
    const answer = await put({ ...LIMITS, scope_root: 'limits//first/' });
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        data: {
          ...LIMITS,
          scope_root: '/limits/first',
          deadline_at: '2090-01-01T00:00:00.000Z',
          requests_reserved: 0,
          tokens_reserved: 0,
          usd_micros_reserved: 0,
          closed_at: null,
          extraction_identity: {
            build_sha: 'ab12cd3',
            prompt_version: PROMPT_VERSION,
            pipeline_version: 'f5-1',
            batching_enabled: expect.any(Boolean),
            batching_identity: expect.stringMatching(/./),
          },
        },
      },
    ]);
  });

  test('may be changed under any spelling of its root, and each change is audited', async () => {
    await register({ scope_root: '/limits/changed' });
    const changed = await register({ scope_root: 'limits/changed/', request_cap: 7 });
    expect(changed).toMatchObject({ scope_root: '/limits/changed', request_cap: 7 });
    const audited = await service.rows(
      `select e.action, e.metadata from audit_events e
       join extraction_budgets b on b.account_id = e.account_id and b.id = e.resource_id
       where b.scope_root = '/limits/changed' order by e.id`,
    );
    expect(audited).toMatchObject([
      { action: 'extraction_budget.registered', metadata: { request_cap: 100 } },
      { action: 'extraction_budget.changed', metadata: { request_cap: 7 } },
    ]);
    expect(JSON.stringify(audited)).not.toContain('/limits');
  });

  test('may have rates of zero and a root that is not a scope, also the root "/"', async () => {
    const free = { input_usd_micros_per_million: 0, output_usd_micros_per_million: 0 };
    for (const root of ['/nobody/was/here', '/100%_*']) {
      expect(await register({ ...free, scope_root: root })).toMatchObject({ scope_root: root });
    }
    const { token } = await service.other.agent('chief', { role: 'account_admin' });
    expect((await put({ ...LIMITS, scope_root: '/' }, token)).status).toBe(200);
  });
});

describe('a request is 422 and registers nothing', () => {
  const before = { n: 0 };
  const budgets = async () => {
    const [row] = await service.rows('select count(*)::int as n from extraction_budgets');
    return Number(row?.['n']);
  };
  beforeAll(async () => {
    before.n = await budgets();
  });
  afterAll(async () => {
    expect(await budgets()).toBe(before.n);
  });

  test.each(Object.keys(LIMITS))('without %s, or with null', async (key) => {
    const { [key as keyof typeof LIMITS]: _left, ...rest } = LIMITS;
    expect(refusal(await put(rest))).toEqual([422, 'invalid_request', key]);
    expect(refusal(await put({ ...rest, [key]: null }))).toEqual([422, 'invalid_request', key]);
  });

  test.each(['account_key', 'qhvm', 'Request_cap', '__proto__', 'id'])(
    'with the unknown key %s, which is not repeated',
    async (key) => {
      for (const value of ['"x"', '1', '{}', 'null']) {
        const raw = `${JSON.stringify(LIMITS).slice(0, -1)}, "${key}": ${value}}`;
        const headers = { 'content-type': 'application/json' };
        const answer = await service.call({ method: 'PUT', path: PATH, token: boss, raw, headers });
        expect(refusal(answer)).toEqual([422, 'invalid_request', '']);
        if (key === 'qhvm') expect(answer.text).not.toContain('qhvm');
      }
    },
  );

  test.each(['', ' ', '/a/../b', '/a/ b', `/${'x'.repeat(129)}`, '/a\u0007b', 7, ['/a'], {}])(
    'with the root %j',
    async (root) => {
      const answer = await put({ ...LIMITS, scope_root: root });
      expect(refusal(answer)).toEqual([422, 'invalid_request', 'scope_root']);
    },
  );

  test.each(['request_cap', 'token_cap', 'usd_micros_cap'])('with no positive %s', async (key) => {
    for (const value of [0, -1, 1.5, '10', true, 2 ** 53, 1e300, [1]]) {
      const answer = await put({ ...LIMITS, [key]: value });
      expect(refusal(answer)).toEqual([422, 'invalid_request', key]);
    }
  });

  test.each(['input_usd_micros_per_million', 'output_usd_micros_per_million'])(
    'with a negative %s, or none',
    async (key) => {
      for (const value of [-1, 0.5, '0', false, 2 ** 53, {}]) {
        const answer = await put({ ...LIMITS, [key]: value });
        expect(refusal(answer)).toEqual([422, 'invalid_request', key]);
      }
    },
  );

  test.each(['2020-01-01T00:00:00Z', '', 'soon', '2090-13-01T00:00:00Z', 4_000_000_000, null])(
    'with the deadline %j',
    async (deadline) => {
      const answer = await put({ ...LIMITS, deadline_at: deadline });
      expect(refusal(answer)).toEqual([422, 'invalid_request', 'deadline_at']);
    },
  );
});

describe('a caller that is not an administrator of the account', () => {
  test('is 401 without a credential and 403 with a lesser role or a part of the account', async () => {
    expect(refusal(await put(LIMITS, 'nobody'))).toEqual([401, 'unauthorized']);
    const tokens = await Promise.all([
      service.home.agent('member').then(({ token }) => token),
      service.home.person('curator', { role: 'curator' }),
      service.home.agent('part', { role: 'account_admin', scope: '/part' }).then((it) => it.token),
      service.home.agent('pin', { role: 'account_admin', pin: '/part' }).then((it) => it.token),
    ]);
    for (const token of tokens)
      expect(refusal(await put(LIMITS, token))).toEqual([403, 'forbidden']);
    // Before a word of the body is judged.
    expect(refusal(await put({ qhvm: 1 }, tokens[0]))).toEqual([403, 'forbidden']);
  });
});

/** Sends `count` observations at once, each in a session of its own, and waits until all came to an end. */
async function observe(scope: string, count: number): Promise<{ id: string; status: Body }[]> {
  const { token } = await service.home.agent(`teller of ${scope}`);
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const body = { scope_path: scope, session_id: `${scope} ${n}`, content: `I own boat ${n}.` };
      const { messageId, status } = await service.ingestAndWait(token, {
        ...body,
        peer_key: 'ines',
      });
      return { id: messageId, status };
    }),
  );
}

const statuses = (found: readonly { readonly id: string; readonly status: Body }[]) =>
  Map.groupBy(found, ({ status }) => String(status['status']));

async function evidence(root: string): Promise<Body> {
  const query = new URLSearchParams({ scope_root: root }).toString();
  const path = `/api/v1/operations/extraction-evidence?${query}`;
  return dataOf(await service.call({ path, token: boss }));
}

describe('when many observations arrive at once', () => {
  const [CAP, SENT] = [6, 32];

  test('exactly as many calls reach the provider as the cap allows; the other observations are terminal', async () => {
    await register({ scope_root: '/corpus', request_cap: CAP });
    const before = stub.requests.length;
    const found = await observe('/corpus/boats', SENT);
    expect(stub.requests.length - before).toBe(CAP);
    const ended = statuses(found);
    expect(ended.get('completed')).toHaveLength(CAP);
    const terminal = ended.get('terminal') ?? [];
    expect(terminal).toHaveLength(SENT - CAP);
    for (const { status } of terminal) {
      expect(status).toMatchObject({ last_error_class: EXHAUSTED, next_attempt_at: null });
    }

    // Larger caps keep what was reserved and revive nothing.
    const raised = await register({ scope_root: '/corpus', request_cap: 1_000 });
    expect(raised).toMatchObject({ requests_reserved: CAP, closed_at: expect.any(String) });
    const again = terminal[0]?.id ?? '';
    const path = `/api/v1/operations/ingest/${again}/requeue`;
    expect((await service.call({ method: 'POST', path, token: boss })).status).toBe(202);
    await eventually(
      async () => dataOf(await service.status(boss, again))['status'] === 'terminal',
    );
    expect(stub.requests.length - before).toBe(CAP);

    // The same under a root that is registered anew.
    const renewed = await register({ scope_root: '/corpus-2', request_cap: SENT });
    expect(renewed).toMatchObject({ requests_reserved: 0, closed_at: null });
    const second = await observe('/corpus-2/boats', SENT);
    expect(statuses(second).get('completed')).toHaveLength(SENT);
    expect(stub.requests.length - before).toBe(CAP + SENT);

    for (const [root, attempts, completed, lost] of [
      ['/corpus/boats', CAP, CAP, SENT - CAP],
      ['/corpus-2/boats', SENT, SENT, 0],
    ] as const) {
      expect(await evidence(root)).toMatchObject({
        extraction: { anchors: SENT, terminal_anchors: lost, status_counts: { completed } },
        usage: { provider_attempts: attempts, total_tokens: attempts * 120 },
        batches: { unreconciled: 0 },
        accounting: { complete: true, settled: true, reasons: [] },
      });
    }
    const priced = await service.rows(
      `select b.scope_root, sum(a.usd_micros)::int as spent, bool_and(b.usd_micros_reserved >= a.usd_micros) as covered
       from provider_attempts a join extraction_budgets b on b.account_id = a.account_id and b.id = a.budget_id
       group by 1 order by 1`,
    );
    expect(priced).toEqual([
      { scope_root: '/corpus', spent: CAP * 27, covered: true },
      { scope_root: '/corpus-2', spent: SENT * 27, covered: true },
    ]);
  });
});

test('every repair call reserves again, so that one observation cannot exceed the request cap', async () => {
  await register({ scope_root: '/repairs', request_cap: 2 });
  const before = stub.requests.length;
  stub.script({ kind: 'text', text: 'no object' }, { kind: 'text', text: 'no object' });
  const [found] = await observe('/repairs', 1);
  expect(found?.status).toMatchObject({ status: 'terminal', last_error_class: EXHAUSTED });
  expect(stub.requests.length - before).toBe(2);
  expect(await register({ scope_root: '/repairs' })).toMatchObject({ requests_reserved: 2 });
});

test('a call under way is killed at the deadline, and its observation is terminal', async () => {
  const deadline = Date.now() + 3_000;
  const root = '/deadline';
  await register({ scope_root: root, deadline_at: new Date(deadline).toISOString() });
  const abandoned = stub.abandoned();
  stub.script({ kind: 'hang' });
  const [found] = await observe(root, 1);
  expect(found?.status).toMatchObject({ status: 'terminal', last_error_class: EXHAUSTED });
  expect(Date.now()).toBeGreaterThanOrEqual(deadline);
  await eventually(() => stub.abandoned() > abandoned);
  const rows = await service.rows(
    `select state, error_class, metered, usd_micros from provider_attempts a
     join scopes s on s.account_id = a.account_id and s.id = a.scope_id where s.path = $1`,
    [root],
  );
  expect(rows).toEqual([
    { state: 'timeout', error_class: EXHAUSTED, metered: false, usd_micros: null },
  ]);
  expect(await register({ scope_root: root })).toMatchObject({
    requests_reserved: 1,
    closed_at: expect.any(String),
  });
  expect(await evidence(root)).toMatchObject({
    accounting: {
      complete: false,
      settled: true,
      requests_complete: true,
      tokens_complete: false,
      cost_complete: false,
      reasons: ['attempts_unmetered'],
    },
  });
});
