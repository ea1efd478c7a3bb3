/** What a hard budget means for one call: how long it may take, and what its tokens cost. */
import type { TokenUsage } from './usage.ts';

/** Micro-USD for a million tokens. */
export interface TokenRates {
  readonly inputUsdMicrosPerMillion: number;
  readonly outputUsdMicrosPerMillion: number;
}

/** The terms that a call was reserved on. Later changes of its budget do not touch it. */
export interface BudgetTerms extends TokenRates {
  /** Until the deadline of the budget, in milliseconds from the reservation's answer. The call is killed then. */
  readonly leftMs: number;
}

const MILLION = 1_000_000n;

/** The price of a metered call in micro-USD, rounded up as its reservation was. Unreported tokens count as none. */
export function usdMicrosOf(usage: TokenUsage, rates: TokenRates): number {
  const price =
    BigInt(usage.inputTokens ?? 0) * BigInt(rates.inputUsdMicrosPerMillion) +
    BigInt(usage.outputTokens ?? 0) * BigInt(rates.outputUsdMicrosPerMillion);
  return Number((price + MILLION - 1n) / MILLION);
}
