/**
 * Costs from sums of days. The price of a key of a day, that is of one role, provider and model, is rounded up to a
 * micro-USD once; every total is a sum of these prices, so that parts and whole agree.
 */
import type { CostProfile, CostRates } from './rates.ts';
import { MODEL_ROLES, type ModelRole } from './roles.ts';

/** Tokens by what they cost. */
export interface PricedTokens {
  readonly input: number;
  readonly output: number;
  readonly embedding: number;
  readonly reranker: number;
}

/** The calls of one role, provider and model on one UTC day. Tokens are those of metered calls. */
export interface DayUsage extends PricedTokens {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly role: ModelRole;
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  readonly errors: number;
  readonly unmetered: number;
}

/** Tokens as they are shown: a reranker's tokens are input. */
export interface TokenTotals {
  input: number;
  output: number;
  embedding: number;
}

export interface RoleTotals extends TokenTotals {
  calls: number;
  usdMicros: number;
}

export interface UsageTotals {
  readonly calls: number;
  readonly tokens: TokenTotals;
  readonly byRole: Readonly<Record<ModelRole, RoleTotals>>;
  readonly usdMicros: number;
  /** Calls of models that the profile does not name. */
  readonly unpricedCalls: number;
}

export const SERIES_KINDS = ['day', 'role', 'model', 'scope'] as const;
export type SeriesKind = (typeof SERIES_KINDS)[number];

/** One row of a series. */
export interface SeriesRow {
  /** Null for calls that belong to no one scope. */
  readonly key: string | null;
  readonly calls: number;
  readonly errors: number;
  readonly unmetered: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly embedding_tokens: number;
  readonly usd_micros: number;
}

const MILLION = 1_000_000n;

/** The price of tokens in micro-USD, rounded up; 0 without rates. */
export function priceOf(tokens: PricedTokens, rates: CostRates | null): number {
  if (rates === null) return 0;
  const price =
    BigInt(tokens.input) * BigInt(rates.input) +
    BigInt(tokens.output) * BigInt(rates.output) +
    BigInt(tokens.embedding) * BigInt(rates.embedding) +
    BigInt(tokens.reranker) * BigInt(rates.reranker);
  return Number((price + MILLION - 1n) / MILLION);
}

const noTotals = (): RoleTotals => ({
  input: 0,
  output: 0,
  embedding: 0,
  calls: 0,
  usdMicros: 0,
});

/** The totals of rows of which each key of a day stands once. */
export function totalUsage(rows: readonly DayUsage[], profile: CostProfile): UsageTotals {
  const byRole: Record<ModelRole, RoleTotals> = {
    embedder: noTotals(),
    reranker: noTotals(),
    ingest_extractor: noTotals(),
    dream_reasoner: noTotals(),
    dialectic_agent: noTotals(),
  };
  let unpricedCalls = 0;
  for (const row of rows) {
    const rates = profile.rateOf(row.provider, row.model);
    const of = byRole[row.role];
    of.calls += row.calls;
    of.input += row.input + row.reranker;
    of.output += row.output;
    of.embedding += row.embedding;
    of.usdMicros += priceOf(row, rates);
    if (rates === null) unpricedCalls += row.calls;
  }
  const sum = (part: keyof RoleTotals): number =>
    MODEL_ROLES.reduce((total, role) => total + byRole[role][part], 0);
  return {
    calls: sum('calls'),
    tokens: { input: sum('input'), output: sum('output'), embedding: sum('embedding') },
    byRole,
    usdMicros: sum('usdMicros'),
    unpricedCalls,
  };
}

const KEYS: Readonly<Record<Exclude<SeriesKind, 'scope'>, (row: DayUsage) => string>> = {
  day: ({ day }) => day,
  role: ({ role }) => role,
  model: ({ provider, model }) => `${provider}:${model}`,
};

export interface SeriesRange {
  /** Both inclusive, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
}

const byKey = (a: string, b: string): number => (a < b ? -1 : 1);

/** The rows of a series between two days: days in their order, everything else with the most calls first. */
export function seriesOf(
  rows: readonly DayUsage[],
  by: Exclude<SeriesKind, 'scope'>,
  { from, to }: SeriesRange,
  profile: CostProfile,
): readonly SeriesRow[] {
  const keyOf = KEYS[by];
  const found = new Map<string, { -readonly [Part in keyof SeriesRow]: SeriesRow[Part] }>();
  for (const row of rows) {
    if (row.day < from || row.day > to) continue;
    const key = keyOf(row);
    const of = found.get(key) ?? {
      key,
      calls: 0,
      errors: 0,
      unmetered: 0,
      input_tokens: 0,
      output_tokens: 0,
      embedding_tokens: 0,
      usd_micros: 0,
    };
    found.set(key, of);
    of.calls += row.calls;
    of.errors += row.errors;
    of.unmetered += row.unmetered;
    of.input_tokens += row.input + row.reranker;
    of.output_tokens += row.output;
    of.embedding_tokens += row.embedding;
    of.usd_micros += priceOf(row, profile.rateOf(row.provider, row.model));
  }
  return [...found.entries()]
    .toSorted(([a, { calls }], [b, { calls: others }]) =>
      by === 'day' || calls === others ? byKey(a, b) : others - calls,
    )
    .map(([, row]) => row);
}
