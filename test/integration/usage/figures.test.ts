/** The figures of costs over a year of calls, held against the ledger itself, call by call. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { utcDay } from '../../../domain/models/costs.ts';
import { parseCostRates, PLANNING_REFERENCE } from '../../../domain/models/rates.ts';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import { costsInput, readFigures } from '../../../operations/models/costs.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { UsageRollupStore } from '../../../stores/postgres/models/usage-rollup.store.ts';
import { sized } from '../../support/run.ts';
import { Scene } from '../observations/scene.ts';
import { countLedger, shownBy, writeCalls, type CountedLedger, type Shown } from './ledger.ts';

const CALLS = sized({ short: 20_000, long: 1_000_000 });
/** Written after the last fold, so that the answer has to add them. */
const LATE = 500;
const STATEMENTS_OF_SQL = 20;

/** One model has no rates, another has them through its provider. */
const OPERATOR = parseCostRates(
  JSON.stringify({
    id: 'ours',
    rates: {
      'anthropic:model-1': { input: 3_000_001, output: 15_000_007, embedding: 11, reranker: 13 },
      'openai-compatible:*': { input: 7, output: 999_999, embedding: 1, reranker: 3 },
    },
  }),
);

let scene: Scene;
let accountId: string;
let counted: CountedLedger;

const now = new Date();
const asked = (input: z.input<typeof costsInput>) => costsInput.parse(input);

function figures(input: z.input<typeof costsInput> = {}, costProfile = PLANNING_REFERENCE) {
  const inAccount = createInAccount(scene.pool);
  return readFigures({ inAccount, costProfile, now, tokenLimits: {} }, accountId, asked(input));
}

async function fold(): Promise<void> {
  const store = new UsageRollupStore(scene.pool);
  while (await store.fold(accountId));
}

beforeAll(async () => {
  scene = await Scene.open();
  accountId = await scene.account();
  const { rows } = await scene.admin.query<{ id: string }>(
    `insert into scopes (account_id, id, path, parent_id)
     select $1, gen_random_uuid(), '/s' || n, root.id
     from generate_series(1, 40) n, (select id from scopes where account_id = $1 and path = '/') root returning id`,
    [accountId],
  );
  const scopes = rows.map(({ id }) => id);
  const perStatement = (CALLS - LATE) / STATEMENTS_OF_SQL;
  for (let done = 0; done < CALLS - LATE; done += perStatement) {
    await writeCalls(scene.admin, accountId, scopes, {
      from: Math.floor(done) + 1,
      to: Math.floor(done + perStatement),
    });
    if (done > 0) await fold();
  }
  await fold();
  await writeCalls(scene.admin, accountId, scopes, { from: CALLS - LATE + 1, to: CALLS });
  counted = await countLedger(scene.admin, accountId);
}, 600_000);
afterAll(() => scene?.close());

/** All rows of a counted ledger as one. */
function wholeOf(rows: ReadonlyMap<string, Shown>): Shown | undefined {
  return rows.get('whole');
}

describe('every figure of a year is what the ledger says', () => {
  test('the ledger holds calls of each end, and reservations that were never made', async () => {
    const { rows } = await scene.admin.query<{ state: string; made: boolean }>(
      `select distinct state, dispatched_at is not null as made from provider_attempts where account_id = $1`,
      [accountId],
    );
    expect(rows.length).toBeGreaterThan(5);
    const { rows: left } = await scene.admin.query(
      'select from usage_entries where account_id = $1',
      [accountId],
    );
    expect(left.length).toBeGreaterThan(0);
  });

  test.each([PLANNING_REFERENCE, OPERATOR])('totals at the rates of $id', async (profile) => {
    const shown = await figures({}, profile);
    const whole = wholeOf(shownBy(counted.days, profile, () => 'whole'));
    expect(shown.event_count).toBe(whole?.calls);
    expect(shown.tokens).toEqual({
      input: whole?.input_tokens,
      output: whole?.output_tokens,
      embedding: whole?.embedding_tokens,
    });
    expect(shown.estimated_model_cost_usd_micros).toBe(whole?.usd_micros);
    expect(shown.estimated_model_cost).toBe((whole?.usd_micros ?? 0) / 1_000_000);
    expect(shown.model_cost_profile).toEqual({ id: profile.id, source: profile.source });
    const unpriced = shownBy(counted.days, profile, ([, , provider = '', model = '']) =>
      profile.rateOf(provider, model) === null ? 'whole' : null,
    );
    expect(shown.unpriced_calls).toBe(wholeOf(unpriced)?.calls ?? 0);
    const roles = shownBy(counted.days, profile, ([, role = '']) => role);
    for (const role of MODEL_ROLES) {
      const of = roles.get(role);
      expect(shown.tokens_by_role[role]).toMatchObject({
        input: of?.input_tokens,
        output: of?.output_tokens,
        embedding: of?.embedding_tokens,
      });
    }
    expect(shown.ingest_economics).toMatchObject({ calls: roles.get('ingest_extractor')?.calls });
  });

  test.each(['day', 'role', 'model', 'scope'] as const)('a series by %s', async (by) => {
    const from = utcDay(now, -200);
    const to = utcDay(now, -20);
    const inside = (day = ''): boolean => day >= from && day <= to;
    const shown = await figures({ by, from, to }, OPERATOR);
    const expected =
      by === 'scope'
        ? shownBy(counted.scopeDays, OPERATOR, ([path = '', day]) => (inside(day) ? path : null))
        : shownBy(counted.days, OPERATOR, ([day, role, provider, model]) => {
            if (!inside(day)) return null;
            return { day, role, model: `${provider}:${model}` }[by] ?? null;
          });
    expect(expected.size).toBeGreaterThan(3);
    const rows = new Map(shown.series.map(({ key, ...row }) => [key ?? '', row]));
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
    expect(shown.series_more).toBe(false);
  });

  test('a series alone is bounded by its days', async () => {
    const [one, other] = await Promise.all([
      figures({ from: utcDay(now, -3) }),
      figures({ from: utcDay(now, -300), by: 'model' }),
    ]);
    expect({ ...one, series: [], series_by: null }).toEqual({
      ...other,
      series: [],
      series_by: null,
    });
    expect(one.series.map(({ key }) => key)).toEqual(
      one.series.map(({ key }) => key).toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1)),
    );
    expect(one.series.every(({ key }) => key !== null && key >= utcDay(now, -3))).toBe(true);
  });

  test('a fold changes no figure', async () => {
    const before = await figures({ by: 'scope' });
    await fold();
    const { rows } = await scene.admin.query('select from usage_entries where account_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([]);
    expect(await figures({ by: 'scope' })).toEqual(before);
  });

  test('the window begins with the first day of a call', async () => {
    const days = [...counted.days.keys()].map((key) => key.slice(0, 10)).toSorted();
    const { window } = await figures();
    expect(window.from).toBe(days[0]);
    // It is another day meanwhile if midnight has passed.
    expect([utcDay(now), utcDay(new Date())]).toContain(window.to);
  });
});
