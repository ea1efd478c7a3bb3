/**
 * The ways in which a search looks for candidates, and the profiles that combine them.
 * Weights, deadlines and the fusion constant belong to retrieval profile `f7-1`.
 */

export const STRATEGIES = [
  'semantic',
  'lexical',
  'temporal',
  'entity_match',
  'salience_recency',
  'relation_expand',
] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const PROFILES = ['fast', 'balanced', 'thorough', 'minimal'] as const;
export type ProfileName = (typeof PROFILES)[number];

export interface RetrievalProfile {
  readonly name: ProfileName;
  /** Strategies in reporting order, each with its weight in fusion. */
  readonly strategies: ReadonlyMap<Strategy, number>;
  readonly deadlineMs: number;
  /** One strategy may take this long, or less when the deadline is nearer. */
  readonly strategyTimeoutMs: number;
  readonly reranks: boolean;
  /** The `k` of the rank tie-break in fusion. */
  readonly rrfK: number;
  /** Whether an operator set the weights. Such weights apply unchanged with any embedder. */
  readonly weightsAreGiven: boolean;
  /** Strategies of the profile that an operator switched off, in reporting order. */
  readonly switchedOff: readonly Strategy[];
}

const STRATEGY_TIMEOUT_MS = 750;
const FUSION_RANK_CONSTANT = 15;

function profile(
  name: ProfileName,
  deadlineMs: number,
  reranks: boolean,
  weights: readonly (readonly [Strategy, number])[],
): RetrievalProfile {
  return {
    name,
    strategies: new Map(weights),
    deadlineMs,
    strategyTimeoutMs: STRATEGY_TIMEOUT_MS,
    reranks,
    rrfK: FUSION_RANK_CONSTANT,
    weightsAreGiven: false,
    switchedOff: [],
  };
}

const BALANCED = [
  ['semantic', 1],
  ['lexical', 1],
  ['temporal', 0.7],
  ['entity_match', 0.9],
] as const;

export const RETRIEVAL_PROFILES: Readonly<Record<ProfileName, RetrievalProfile>> = {
  fast: profile('fast', 100, false, [
    ['semantic', 1],
    ['salience_recency', 0.8],
  ]),
  balanced: profile('balanced', 300, false, BALANCED),
  thorough: profile('thorough', 1500, true, [
    ...BALANCED,
    ['salience_recency', 0.8],
    ['relation_expand', 0.6],
  ]),
  minimal: profile('minimal', 300, false, [
    ['semantic', 1],
    ['lexical', 1],
  ]),
};

/** `deterministic`: the built-in one; `poor`: one that orders texts of known meaning hardly better than chance does. */
export type EmbedderSkill = 'able' | 'deterministic' | 'poor';

/** The weight of the built-in embedder in fusion: its hashed n-grams know letters, not meanings. */
const DETERMINISTIC_SEMANTIC_WEIGHT = 0.2;
/**
 * The weight of a poor embedder. With vectors drawn by chance the ranking of LoCoMo keeps its recall at ten (81.5, 81.4)
 * and its reciprocal rank (65.6, 65.8); with the weight 1 they fall to 65.4 and 39.0.
 */
const POOR_SEMANTIC_WEIGHT = 0.05;

/** The fusion weights: the profile's, with a lower one of `semantic` for its embedder unless an operator gave the weights. */
export function fusionWeights(
  profile: RetrievalProfile,
  skill: EmbedderSkill,
): ReadonlyMap<Strategy, number> {
  const { strategies, weightsAreGiven } = profile;
  if (skill === 'able' || weightsAreGiven || !strategies.has('semantic')) return strategies;
  const weight = skill === 'poor' ? POOR_SEMANTIC_WEIGHT : DETERMINISTIC_SEMANTIC_WEIGHT;
  return new Map([...strategies, ['semantic', weight]]);
}

/**
 * How many statements a strategy fetches for a page of `limit`: at least four times the page, so that small pages do not
 * starve fusion, and 200; 500 for checks on a wider pool. docs/design/search-cost.md has what fewer give.
 */
export function poolSize(limit: number, wide = false): number {
  return Math.max(4 * limit, wide ? 500 : 200);
}

/** How many passages a search over messages fetches. The search scores these again by their neighbours. */
export function passagePoolSize(limit: number, wide = false): number {
  return Math.max(4 * limit, wide || limit > 20 ? 500 : 200);
}
