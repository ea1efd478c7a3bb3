/** What costs are compared with: the days that a series covers, the observations that calls were made for, stored bytes. */
import type { RoleTotals, SeriesRange } from './pricing.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** Days that a series may cover. */
export const MOST_SERIES_DAYS = 400;

/** The UTC day of an instant, moved by some days. */
export function utcDay(instant: Date, moved = 0): string {
  return new Date(instant.getTime() + moved * DAY_MS).toISOString().slice(0, 10);
}

/** The first day that a series may name. Nothing is older than the service. */
const FIRST_DAY = '2000-01-01';

/** The days of a series, or what is wrong with the named ones. Unnamed ones make it thirty days that end today. */
export function seriesRange(
  given: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): SeriesRange | { readonly field: 'from' | 'to'; readonly problem: string } {
  const to = given.to ?? utcDay(now);
  if (to < FIRST_DAY) return { field: 'to', problem: `must not be before ${FIRST_DAY}` };
  const from = given.from ?? utcDay(new Date(to), 1 - DEFAULT_DAYS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1)
    return { field: 'from', problem: 'must not be after `to`, which is today if absent' };
  if (days > MOST_SERIES_DAYS) {
    return { field: 'from', problem: `must leave at most ${MOST_SERIES_DAYS} days until \`to\`` };
  }
  return { from, to };
}

const MICROS = 1_000_000;
const SHARES = 10_000;
const HUNDRED = 100;

/** Micro-USD as USD with six decimals. */
export const usdOf = (micros: number): number => micros / MICROS;

const perMessage = (sum: number, messages: number): number | null =>
  messages === 0 ? null : Math.round((sum / messages) * SHARES) / SHARES;

/** What extraction costs for each message. The ratios are null without messages. */
export function ingestEconomics(messages: number, extractor: RoleTotals) {
  const { calls, input, output, embedding, usdMicros } = extractor;
  const micros = messages === 0 ? null : Math.round(usdMicros / messages);
  return {
    messages,
    calls,
    calls_per_message: perMessage(calls, messages),
    tokens_per_message: perMessage(input + output + embedding, messages),
    cost_per_message: micros === null ? null : usdOf(micros),
    cost_per_message_usd_micros: micros,
  };
}

/** Bytes of what was said and drawn from it, beside bytes of what the service keeps about its work. */
export function storageOf(durable: number, operational: number) {
  return {
    durable_bytes: durable,
    operational_bytes: operational,
    operational_to_durable_ratio: ratioOf(durable, operational),
    'inverted?': operational > durable,
  };
}

function ratioOf(durable: number, operational: number): number | null {
  if (durable === 0) return operational === 0 ? 0 : null;
  return Math.round((operational / durable) * HUNDRED) / HUNDRED;
}

/** A table with its rows and the mean width of some of them. */
export interface SampledTable {
  readonly rows: number;
  readonly width: number;
}

/** Bytes of tables of which the number of rows is known, and the width of some. */
export function sampledBytes(tables: readonly SampledTable[]): number {
  return Math.round(tables.reduce((bytes, { rows, width }) => bytes + rows * width, 0));
}
