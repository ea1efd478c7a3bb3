/** The usage of a call to a provider, and its upper bounds. */

/** Tokens of one call; null where the provider reported nothing. */
export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly embeddingTokens: number | null;
}

export const NO_USAGE: TokenUsage = {
  inputTokens: null,
  outputTokens: null,
  embeddingTokens: null,
};

/** Upper bounds of what a call can use, for budgets that reserve before the call. */
export interface WorstCaseUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly embeddingTokens: number;
}

/** The usage of two calls together. A sum with an unknown part is unknown. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: addTokens(a.inputTokens, b.inputTokens),
    outputTokens: addTokens(a.outputTokens, b.outputTokens),
    embeddingTokens: addTokens(a.embeddingTokens, b.embeddingTokens),
  };
}

function addTokens(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
