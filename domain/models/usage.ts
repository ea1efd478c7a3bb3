/** The usage of a call to a provider, and its upper bounds. */

/** Tokens of one call; null where the provider reported nothing. */
export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly embeddingTokens: number | null;
  /** The one number that a reranker's provider reports. It counts as input in every total. */
  readonly rerankerTokens: number | null;
}

export const NO_USAGE: TokenUsage = {
  inputTokens: null,
  outputTokens: null,
  embeddingTokens: null,
  rerankerTokens: null,
};

/** Upper bounds of what a call can use, for budgets that reserve before the call. A reranker's tokens are its input. */
export interface WorstCaseUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly embeddingTokens: number;
}

/** Usage of the built-in provider: known to be zero. */
export const NOTHING_USED = {
  inputTokens: 0,
  outputTokens: 0,
  embeddingTokens: 0,
  rerankerTokens: 0,
} as const satisfies TokenUsage & WorstCaseUsage;

/** The usage of two calls together. A sum with an unknown part is unknown. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: addTokens(a.inputTokens, b.inputTokens),
    outputTokens: addTokens(a.outputTokens, b.outputTokens),
    embeddingTokens: addTokens(a.embeddingTokens, b.embeddingTokens),
    rerankerTokens: addTokens(a.rerankerTokens, b.rerankerTokens),
  };
}

function addTokens(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
