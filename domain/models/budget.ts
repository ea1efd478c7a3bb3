/** What a hard budget means for one call: how long it may take, and what its tokens cost. */
import { priceOf } from './pricing.ts';
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

/** The price of a metered call in micro-USD, rounded up as its reservation was. Unreported tokens count as none. */
export function usdMicrosOf(usage: TokenUsage, rates: TokenRates): number {
  return priceOf(
    { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0, embedding: 0, reranker: 0 },
    {
      input: rates.inputUsdMicrosPerMillion,
      output: rates.outputUsdMicrosPerMillion,
      embedding: 0,
      reranker: 0,
    },
  );
}
