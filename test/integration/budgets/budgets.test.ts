/** Budgets in Postgres: which one governs a call, what it reserves, and how it closes. */
import { NO_USAGE } from '../../../domain/models/usage.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { AttemptReservation, ProviderLedger } from '../../../domain/models/ledger.ts';
import type { ModelRole } from '../../../domain/models/roles.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { BudgetLimits } from '../../../stores/postgres/extraction/budgets.store.ts';
import { ProviderAttemptsStore } from '../../../stores/postgres/models/provider-attempts.store.ts';
import { drain } from '../extraction/scene.ts';
import { path, Scene } from '../observations/scene.ts';

const HOUR_MS = 3_600_000;
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();

let scene: Scene;
let ledger: ProviderLedger;
let accountId: string;

beforeAll(async () => {
  scene = await Scene.open();
  ledger = new ProviderAttemptsStore(scene.pool);
});
afterAll(() => scene.close());
beforeEach(async () => {
  accountId = await scene.account();
});

function register(root: string, limits: Partial<BudgetLimits> = {}, account = accountId) {
  const all = {
    scope_root: path(root),
    request_cap: 1_000,
    token_cap: 1_000_000,
    usd_micros_cap: 1_000_000,
    deadline_at: inAnHour(),
    input_usd_micros_per_million: 0,
    output_usd_micros_per_million: 0,
    ...limits,
  };
  return createInAccount(scene.pool)(account, (stores) => stores.extractionBudgets.register(all));
}

async function scope(scopePath: string, account = accountId): Promise<string> {
  const id = uuidv7();
  await scene.admin.query(
    `insert into scopes (account_id, id, path, parent_id)
     select $1, $2, $3, id from scopes where account_id = $1 and path = '/'`,
    [account, id, scopePath],
  );
  return id;
}

function call(
  scopeId: string | null,
  worst: { readonly input?: number; readonly output?: number; readonly role?: ModelRole } = {},
  account = accountId,
): AttemptReservation {
  const { input = 10, output = 5, role = 'ingest_extractor' } = worst;
  return {
    accountId: account,
    runId: null,
    anchorMessageIds: [],
    traceId: null,
    scopeId,
    role,
    identity: { provider: 'openai-compatible', model: 'tiny', modelVersion: '1' },
    promptVersion: null,
    pipelineVersion: null,
    repairIndex: 0,
    worstCase: { inputTokens: input, outputTokens: output, embeddingTokens: 0 },
    dispatch: true,
  };
}

const EXHAUSTED = { errorClass: 'extraction_budget_exhausted' };

async function counters(root: string, account = accountId) {
  const [row] = await scene.rows(
    `select requests_reserved::int as requests, tokens_reserved::int as tokens,
       usd_micros_reserved::int as usd_micros, closed_at is not null as closed
     from extraction_budgets where account_id = $1 and scope_root = $2`,
    [account, root],
  );
  return row;
}

const attempts = () =>
  scene.count('select from provider_attempts where account_id = $1', [accountId]);

describe('the budget that governs a call', () => {
  test('is the nearest root at or above its scope', async () => {
    await register('/');
    await register('/a');
    await register('/a/b/c');
    const scopes = await Promise.all(['/a', '/a/b', '/a/b/c/d', '/z'].map((it) => scope(it)));
    for (const id of scopes) await ledger.reserve(call(id));
    expect(await counters('/')).toMatchObject({ requests: 1 });
    expect(await counters('/a')).toMatchObject({ requests: 2 });
    expect(await counters('/a/b/c')).toMatchObject({ requests: 1 });
  });

  test('is found by its literal path: wildcard characters in a root match only themselves', async () => {
    const roots = ['/100%', '/a_b', '/team', '/x*'];
    for (const root of roots) await register(root);
    const beside = ['/100 percent', '/axb', '/team2', '/teams/x', '/xyz', '/TEAM'];
    for (const it of beside) {
      expect((await ledger.reserve(call(await scope(it)))).budget).toBeNull();
    }
    for (const root of roots) {
      await ledger.reserve(call(await scope(`${root}/below`)));
      expect(await counters(root)).toMatchObject({ requests: 1 });
    }
  });

  test('belongs to the account of the call', async () => {
    const other = await scene.account();
    await register('/', { request_cap: 1 }, other);
    const { budget } = await ledger.reserve(call(await scope('/a')));
    expect(budget).toBeNull();
    expect(await counters('/', other)).toMatchObject({ requests: 0 });
  });

  test('is none for a call of another role, with or without a scope', async () => {
    await register('/', { request_cap: 1 });
    for (const role of ['embedder', 'reranker', 'dream_reasoner', 'dialectic_agent'] as const) {
      expect((await ledger.reserve(call(null, { role }))).budget).toBeNull();
    }
    expect(await counters('/')).toMatchObject({ requests: 0, closed: false });
    expect(await attempts()).toBe(4);
  });

  test('is the budget of the root for a call that names no scope', async () => {
    await register('/');
    expect((await ledger.reserve(call(null))).budget).not.toBeNull();
    expect(await counters('/')).toMatchObject({ requests: 1 });
  });
});

describe('a reservation', () => {
  test('holds the worst case at the current rates, and the time left until the deadline', async () => {
    await register('/', {
      input_usd_micros_per_million: 150_000,
      output_usd_micros_per_million: 600_000,
    });
    const { id, budget } = await ledger.reserve(call(null, { input: 1_000, output: 201 }));
    expect(budget).toMatchObject({
      inputUsdMicrosPerMillion: 150_000,
      outputUsdMicrosPerMillion: 600_000,
    });
    expect(budget?.leftMs).toBeGreaterThan(HOUR_MS / 2);
    expect(budget?.leftMs).toBeLessThanOrEqual(HOUR_MS);
    // 150 + 120.6, rounded up.
    expect(await counters('/')).toEqual({
      requests: 1,
      tokens: 1_201,
      usd_micros: 271,
      closed: false,
    });
    const [row] = await scene.rows(
      `select b.scope_root from provider_attempts a
       join extraction_budgets b on b.account_id = a.account_id and b.id = a.budget_id where a.id = $1`,
      [id],
    );
    expect(row).toEqual({ scope_root: '/' });
  });

  test('is never given back, however the call ends', async () => {
    await register('/', { request_cap: 4 });
    for (const status of ['success', 'error', 'timeout', 'cancelled'] as const) {
      const { id } = await ledger.reserve(call(null));
      const tokens = { ...NO_USAGE, inputTokens: 1, outputTokens: 1 };
      const failed = status === 'error' || status === 'timeout';
      const errorClass = failed ? ('transport_error' as const) : null;
      const outcome = { ...tokens, status, errorClass, metered: true, durationMs: 1, usdMicros: 0 };
      await ledger.finish(id, outcome, accountId);
    }
    expect(await counters('/')).toMatchObject({ requests: 4, tokens: 60, closed: false });
    await expect(ledger.reserve(call(null))).rejects.toMatchObject(EXHAUSTED);
  });

  test.each([
    ['requests', { request_cap: 2 }],
    ['tokens', { token_cap: 44 }],
    [
      'micro-USD',
      { usd_micros_cap: 2, input_usd_micros_per_million: 1, output_usd_micros_per_million: 1 },
    ],
  ])('past the cap of %s is refused, has no row, and closes the budget', async (_name, caps) => {
    await register('/', caps);
    await ledger.reserve(call(null));
    await ledger.reserve(call(null));
    expect(await counters('/')).toMatchObject({ requests: 2, closed: false });
    await expect(ledger.reserve(call(null))).rejects.toMatchObject(EXHAUSTED);
    expect(await counters('/')).toMatchObject({ requests: 2, tokens: 30, closed: true });
    expect(await attempts()).toBe(2);
  });

  test('that reaches a cap exactly is allowed', async () => {
    await register('/', { request_cap: 1, token_cap: 15 });
    await ledger.reserve(call(null, { input: 10, output: 5 }));
    expect(await counters('/')).toMatchObject({ tokens: 15, closed: false });
  });

  test('too large for any counter is refused as exhausted', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    await register('/', {
      token_cap: most,
      usd_micros_cap: most,
      input_usd_micros_per_million: most,
      output_usd_micros_per_million: most,
    });
    const huge = call(null, { input: 1_000_000_000, output: 1_000_000_000 });
    await expect(ledger.reserve(huge)).rejects.toMatchObject(EXHAUSTED);
  });

  test('that one budget refuses does not affect other reservations of the same round', async () => {
    await register('/full', { request_cap: 1 });
    await register('/free');
    const [full, free, nobody] = await Promise.all(
      ['/full', '/free', '/none'].map((it) => scope(it)),
    );
    const ends = await Promise.allSettled(
      [full, full, free, nobody].map((id) => ledger.reserve(call(id ?? null))),
    );
    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await attempts()).toBe(3);
  });
});

describe('a budget that is closed', () => {
  test('by a refusal stays closed under larger caps and keeps its counters', async () => {
    await register('/', { request_cap: 1 });
    await ledger.reserve(call(null));
    await expect(ledger.reserve(call(null))).rejects.toMatchObject(EXHAUSTED);
    const changed = await register('/', { request_cap: 1_000 });
    expect(changed).toMatchObject({ is_new: false, request_cap: 1_000, requests_reserved: 1 });
    expect(changed.closed_at).not.toBeNull();
    await expect(ledger.reserve(call(null))).rejects.toMatchObject(EXHAUSTED);
    expect(await counters('/')).toMatchObject({ requests: 1 });
  });

  test('by its deadline stays closed under a later deadline, also when no call was reserved meanwhile', async () => {
    await register('/', { deadline_at: new Date(Date.now() - 1).toISOString() });
    const changed = await register('/', { deadline_at: inAnHour() });
    expect(changed.closed_at).not.toBeNull();
    await expect(ledger.reserve(call(null))).rejects.toMatchObject(EXHAUSTED);
    expect(await attempts()).toBe(0);
  });

  test('does not apply to a root that is registered below it', async () => {
    await register('/', { request_cap: 1 });
    const below = await scope('/below');
    await ledger.reserve(call(below));
    await expect(ledger.reserve(call(below))).rejects.toMatchObject(EXHAUSTED);
    await register('/below');
    expect((await ledger.reserve(call(below))).budget).not.toBeNull();
  });

  test('is only one that refused: one that was used up exactly and then raised allows further calls', async () => {
    await register('/', { request_cap: 1 });
    await ledger.reserve(call(null));
    expect((await register('/', { request_cap: 2 })).closed_at).toBeNull();
    await ledger.reserve(call(null));
    expect(await counters('/')).toMatchObject({ requests: 2, closed: false });
  });
});

test('several concurrent processes never reserve more than the caps', async () => {
  const roots = ['/a', '/b', '/c'];
  for (const root of roots) await register(root, { request_cap: 20, token_cap: 20 * 15 });
  const scopes = await Promise.all(roots.map((root) => scope(root)));
  const ledgers = Array.from({ length: 16 }, () => new ProviderAttemptsStore(scene.pool));
  const ends = await Promise.allSettled(
    ledgers.flatMap((process, n) =>
      // Each process meets the budgets in another order.
      Array.from({ length: 9 }, (_, turn) =>
        process.reserve(call(scopes[(n + turn * (1 + (n % 2))) % 3] ?? null)),
      ),
    ),
  );
  const allowed = ends.filter(({ status }) => status === 'fulfilled');
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  expect(new Set(refused.map((reason) => Object(reason).errorClass))).toEqual(
    new Set([EXHAUSTED.errorClass]),
  );
  expect(allowed).toHaveLength(60);
  expect(await attempts()).toBe(60);
  for (const root of roots) {
    expect(await counters(root)).toMatchObject({ requests: 20, tokens: 300, closed: true });
  }
});

test('the built-in provider reserves its calls too, and an observation that is refused one is terminal', async () => {
  await register('/team', { request_cap: 2 });
  const agent = await scene.caller(accountId, { key: 'agent' });
  for (let n = 0; n < 5; n += 1) {
    await scene.ingest(agent, { session_id: `s${n}`, content: `I own boat number ${n}.` });
  }
  await scene.ingest(agent, { session_id: 'role', role: 'assistant', content: 'Noted.' });
  await scene.ingest(agent, { scope_path: '/teams', session_id: 'x', content: 'I own a ship.' });
  expect(await drain(scene, accountId)).toMatchObject({ ok: 4, failed: 3 });
  expect(await counters('/team')).toEqual({ requests: 2, tokens: 0, usd_micros: 0, closed: true });
  const ended = await scene.rows(
    `select status, last_error_class, count(*)::int as n from extraction_anchors
     where account_id = $1 group by 1, 2 order by 1`,
    [accountId],
  );
  expect(ended).toEqual([
    { status: 'completed', last_error_class: null, n: 4 },
    { status: 'terminal', last_error_class: 'extraction_budget_exhausted', n: 3 },
  ]);
  expect(await attempts()).toBe(3);
});
