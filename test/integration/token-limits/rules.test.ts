/** Daily token limits: what fits, what is refused and until when, and what a call counts as once it has ended. */
import { afterAll, beforeAll, beforeEach, describe, expect, test as once } from '@jest/globals';
import type { AttemptStatus } from '../../../domain/models/ledger.ts';
import type { TokenLimits } from '../../../domain/models/token-limits.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { ReconcileStore } from '../../../stores/postgres/reconcile/reconcile.store.ts';
import { TokenSharesStore } from '../../../stores/postgres/models/token-shares.store.ts';
import { onOneDay } from '../../support/one-day.ts';
import { path } from '../observations/scene.ts';
import { call, ended, LimitsScene, type Worst } from './scene.ts';

const REFUSED = { errorClass: 'token_budget_exhausted' };
const DAY_MS = 86_400_000;

let scene: LimitsScene;
let accountId: string;

beforeAll(async () => {
  scene = await LimitsScene.open();
});
afterAll(() => scene.database.close());
async function begin(): Promise<void> {
  accountId = await scene.account();
}
beforeEach(begin);
const test = (name: string, body: () => Promise<void>): void => once(name, onOneDay(body, begin));

const reserve = (limits: TokenLimits, worst: Worst) =>
  scene.ledger(limits).reserve(call(accountId, worst));

async function spend(limits: TokenLimits, worst: Worst, reported = worst): Promise<void> {
  const { id } = await reserve(limits, worst);
  const usage = {
    inputTokens: reported.input ?? 0,
    outputTokens: reported.output ?? 0,
    embeddingTokens: reported.embedding ?? 0,
  };
  await scene.ledger(limits).finish(id, ended('success', usage), accountId);
}

describe('a call fits', () => {
  test('as long as what is used, what is reserved and its own worst case reach no limit', async () => {
    const limits = { ingest_extractor: { input_tokens: 100 } };
    await spend(limits, { input: 60 }, { input: 40 });
    await reserve(limits, { input: 30 });
    await reserve(limits, { input: 30 });
    await expect(reserve(limits, { input: 1 })).rejects.toMatchObject(REFUSED);
    expect(await scene.day(accountId)).toEqual([
      { role: '*', used: [40, 0, 0], reserved: [60, 0, 0] },
      { role: 'ingest_extractor', used: [40, 0, 0], reserved: [60, 0, 0] },
    ]);
  });

  test('where both the limit of its role and the limit of all roles have room', async () => {
    const limits = {
      '*': { output_tokens: 100 },
      dialectic_agent: { output_tokens: 30 },
    };
    await expect(reserve(limits, { role: 'dialectic_agent', output: 31 })).rejects.toMatchObject(
      REFUSED,
    );
    await reserve(limits, { role: 'dialectic_agent', output: 30 });
    await expect(reserve(limits, { output: 71 })).rejects.toMatchObject(REFUSED);
    await reserve(limits, { output: 70 });
  });

  test('whatever is left of tokens that it cannot use', async () => {
    const limits = { '*': { input_tokens: 10, embedding_tokens: 1 } };
    await spend(limits, { role: 'embedder', embedding: 5 });
    await reserve(limits, { input: 10 });
  });

  test('never where a limit is 0, and always where none is set', async () => {
    const limits = { ingest_extractor: { output_tokens: 0 } };
    await expect(reserve(limits, { output: 1 })).rejects.toMatchObject(REFUSED);
    await reserve(limits, { input: 1_000_000_000 });
    await reserve(limits, { role: 'dialectic_agent', output: 1_000_000_000 });
  });

  test('in another account, however much one has used', async () => {
    const limits = { '*': { input_tokens: 10 } };
    await spend(limits, { input: 10 });
    const other = await scene.account();
    await scene.ledger(limits).reserve(call(other, { input: 10 }));
  });
});

describe('the order of yielding', () => {
  const limits = { '*': { input_tokens: 100 } };

  test('the dream gets four fifths of the sum, and all of a limit of its own', async () => {
    await spend(limits, { input: 60 });
    await reserve(limits, { role: 'dream_reasoner', input: 20 });
    await expect(reserve(limits, { role: 'dream_reasoner', input: 1 })).rejects.toMatchObject(
      REFUSED,
    );
    await reserve(limits, { role: 'dialectic_agent', input: 20 });
    const own = { dream_reasoner: { input_tokens: 10 } };
    accountId = await scene.account();
    await reserve(own, { role: 'dream_reasoner', input: 10 });
  });

  test('embedder and reranker count and are never refused', async () => {
    await reserve(limits, { role: 'embedder', input: 0, embedding: 9_000 });
    const { id } = await reserve(limits, { role: 'reranker', input: 150 });
    await scene.ledger(limits).finish(id, ended('success', { rerankerTokens: 120 }), accountId);
    expect(await scene.day(accountId)).toContainEqual({
      role: 'reranker',
      used: [120, 0, 0],
      reserved: [0, 0, 0],
    });
    await expect(reserve(limits, { input: 1 })).rejects.toMatchObject(REFUSED);
  });

  test('a check of the models counts and is never refused', async () => {
    await spend(limits, { input: 100 });
    await reserve(limits, { input: 50, isCheck: true });
    const [all] = await scene.day(accountId);
    expect(all).toEqual({ role: '*', used: [100, 0, 0], reserved: [50, 0, 0] });
  });
});

describe('a refusal', () => {
  const limits = { '*': { input_tokens: 100 } };

  test('by tokens that others hold is worth another try in five seconds', async () => {
    await reserve(limits, { input: 100 });
    await expect(reserve(limits, { input: 1 })).rejects.toMatchObject({
      ...REFUSED,
      retryAfterMs: 5_000,
    });
  });

  test('by tokens that are used is worth another try after the next midnight', async () => {
    await spend(limits, { input: 100 });
    const error = await reserve(limits, { input: 1 }).catch((thrown: unknown) => thrown);
    const [row] = await scene.database.rows(`
      select (1000 * extract(epoch from
        date_trunc('day', clock_timestamp() at time zone 'UTC') + interval '1 day'
          - clock_timestamp() at time zone 'UTC'))::integer as "leftMs"`);
    const { retryAfterMs } = Object(error);
    const leftMs = Number(row?.['leftMs']);
    // Less time is left now than when the call was refused, unless midnight has passed meanwhile.
    const sinceMidnight = (retryAfterMs - leftMs + DAY_MS) % DAY_MS;
    expect(sinceMidnight).toBeGreaterThanOrEqual(0);
    expect(retryAfterMs).toBeLessThanOrEqual(DAY_MS + 60_000);
    expect(retryAfterMs).toBeGreaterThan(0);
  });

  test('has no row and reserves nowhere', async () => {
    await expect(reserve(limits, { input: 101 })).rejects.toMatchObject(REFUSED);
    const [all] = await scene.day(accountId);
    expect(all).toEqual({ role: '*', used: [0, 0, 0], reserved: [0, 0, 0] });
    expect(
      await scene.database.rows('select from provider_attempts where account_id = $1', [accountId]),
    ).toEqual([]);
  });

  test('by the day touches no extraction budget, and a refusal by a budget takes nothing of the day', async () => {
    const register = (request_cap: number) =>
      createInAccount(scene.database.pool)(accountId, (stores) =>
        stores.extractionBudgets.register({
          scope_root: path('/'),
          request_cap,
          token_cap: 1_000,
          usd_micros_cap: 1_000,
          deadline_at: new Date(Date.now() + DAY_MS).toISOString(),
          input_usd_micros_per_million: 0,
          output_usd_micros_per_million: 0,
        }),
      );
    await register(1);
    await expect(reserve(limits, { input: 101 })).rejects.toMatchObject(REFUSED);
    expect(await register(1)).toMatchObject({ requests_reserved: 0, closed_at: null });
    await reserve(limits, { input: 10 });
    await expect(reserve(limits, { input: 10 })).rejects.toMatchObject({
      errorClass: 'extraction_budget_exhausted',
    });
    expect((await register(1)).closed_at).not.toBeNull();
    expect(await scene.day(accountId)).toContainEqual({
      role: '*',
      used: [0, 0, 0],
      reserved: [10, 0, 0],
    });
  });
});

describe('a call that has ended', () => {
  const limits = { '*': { input_tokens: 100, output_tokens: 100 } };
  const worst = { input: 10, output: 20 };
  const all = async () => (await scene.day(accountId))[0];

  once.each<[AttemptStatus, readonly number[] | null, readonly number[]]>([
    ['success', [7, 8], [7, 8, 0]],
    ['error', [3, 0], [3, 0, 0]],
    ['success', null, [10, 20, 0]],
    ['error', null, [10, 20, 0]],
    ['timeout', null, [10, 20, 0]],
    ['cancelled', null, [10, 20, 0]],
  ])('by %s with a report of %j counts as %j', (status, report, used) =>
    onOneDay(async () => {
      const { id } = await reserve(limits, worst);
      const [inputTokens = 0, outputTokens = 0] = report ?? [];
      const usage = report === null ? null : { inputTokens, outputTokens };
      await scene.ledger(limits).finish(id, ended(status, usage), accountId);
      expect(await all()).toEqual({ role: '*', used, reserved: [0, 0, 0] });
      // Another word about it comes too late.
      await scene.ledger(limits).finish(id, ended('success', { inputTokens: 1 }), accountId);
      expect(await all()).toEqual({ role: '*', used, reserved: [0, 0, 0] });
    }, begin)(),
  );

  test('before it was sent counts as nothing', async () => {
    const { id } = await reserve(limits, { ...worst, dispatch: false });
    expect(await all()).toMatchObject({ reserved: [10, 20, 0] });
    await scene.ledger(limits).finish(id, ended('cancelled', null), accountId);
    expect(await all()).toEqual({ role: '*', used: [0, 0, 0], reserved: [0, 0, 0] });
  });

  test('with its process counts with its worst case if it was sent, and as nothing if not', async () => {
    await reserve(limits, worst);
    await reserve(limits, { ...worst, dispatch: false });
    const lost = { olderThanMs: 0, limit: 10 };
    expect(await new ReconcileStore(scene.database.pool).closeAttempts(accountId, lost)).toBe(2);
    expect(await all()).toEqual({ role: '*', used: [10, 20, 0], reserved: [0, 0, 0] });
  });

  test('counts on the day on which it was reserved', async () => {
    const { id } = await reserve(limits, worst);
    await scene.midnight(accountId);
    await reserve(limits, { input: 1 });
    await scene.ledger(limits).finish(id, ended('success', { inputTokens: 5 }), accountId);
    expect((await scene.day(accountId, 1))[0]).toEqual({
      role: '*',
      used: [5, 0, 0],
      reserved: [0, 0, 0],
    });
    expect(await all()).toEqual({ role: '*', used: [0, 0, 0], reserved: [1, 0, 0] });
  });

  test('gives back in the same round trip what another needs', async () => {
    const ledger = scene.ledger(limits);
    const { id } = await ledger.reserve(call(accountId, { input: 100 }));
    const [, next] = await Promise.allSettled([
      ledger.finish(id, ended('success', { inputTokens: 1 }), accountId),
      ledger.reserve(call(accountId, { input: 99 })),
    ]);
    expect(next?.status).toBe('fulfilled');
  });
});

test('a call without tokens, or of a role without a limit, touches no row of the day', async () => {
  const limits = { ingest_extractor: { input_tokens: 1 } };
  await spend(limits, {});
  await spend(limits, { role: 'dialectic_agent', input: 100, output: 100 });
  expect(await scene.day(accountId)).toEqual([]);
});

test('a limit that is set in the course of a day knows what was used on it', async () => {
  await spend({}, { input: 50 }, { input: 30 });
  await spend({}, { role: 'dialectic_agent', input: 5 });
  await reserve({}, { input: 9 });
  const limits = { ingest_extractor: { input_tokens: 100 } };
  await expect(reserve(limits, { input: 62 })).rejects.toMatchObject(REFUSED);
  await reserve(limits, { input: 61 });
  const wider = { '*': { input_tokens: 106 } };
  await expect(reserve(wider, { input: 2 })).rejects.toMatchObject(REFUSED);
  expect((await scene.day(accountId))[0]).toEqual({
    role: '*',
    used: [44, 0, 0],
    reserved: [61, 0, 0],
  });
});

test('administrators see each limit with what counts against it, and metrics the highest share', async () => {
  const limits = {
    ingest_extractor: { output_tokens: 50 },
    '*': { input_tokens: 200, embedding_tokens: 7 },
  };
  const today = (account: string) =>
    createInAccount(scene.database.pool)(account, ({ tokenDays }) => tokenDays.today(limits));
  await spend(limits, { input: 20, output: 10 });
  await reserve(limits, { input: 30, output: 5 });
  const budgets = await today(accountId);
  expect(budgets).toEqual([
    expect.objectContaining({
      role: '*',
      metric: 'input_tokens',
      limit: 200,
      used: 20,
      reserved: 30,
    }),
    expect.objectContaining({
      role: '*',
      metric: 'embedding_tokens',
      limit: 7,
      used: 0,
      reserved: 0,
    }),
    expect.objectContaining({ role: 'ingest_extractor', limit: 50, used: 10, reserved: 5 }),
  ]);
  for (const { resets_at: resetsAt } of budgets) expect(resetsAt).toMatch(/T00:00:00/);
  expect(await today(await scene.account())).toHaveLength(3);
  const shares = await new TokenSharesStore(scene.database.pool).highest(limits);
  const share = Object.fromEntries(shares.map((it) => [`${it.role} ${it.metric}`, it.share]));
  expect(share['ingest_extractor output_tokens']).toBeGreaterThanOrEqual(0.3);
  expect(share['* embedding_tokens']).toBeGreaterThanOrEqual(0);
  expect(share['ingest_extractor input_tokens']).toBeNull();
});
