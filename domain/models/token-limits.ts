/**
 * Daily limits of model tokens, the same for every account. A limit of a role and the limit of `*`, the sum of all roles,
 * both hold. What they leave room for is decided in the database, where the day is counted.
 */
import type { ModelRole } from './roles.ts';

export const TOKEN_METRICS = ['input_tokens', 'output_tokens', 'embedding_tokens'] as const;
export type TokenMetric = (typeof TOKEN_METRICS)[number];

/** All roles together. */
export const ALL_ROLES = '*';

/** The most tokens of a UTC day. A metric without a number has no limit; 0 leaves room for nothing. */
export type TokenLimits = {
  readonly [Role in ModelRole | typeof ALL_ROLES]?:
    | { readonly [M in TokenMetric]?: number | undefined }
    | undefined;
};

/** What an account has used and reserved of one limit today. */
export interface TokenBudget {
  readonly role: ModelRole | typeof ALL_ROLES;
  readonly metric: TokenMetric;
  readonly limit: number;
  readonly used: number;
  /** Worst cases of calls that are under way. */
  readonly reserved: number;
  /** ISO 8601 UTC: the next midnight. */
  readonly resets_at: string;
}

/** How near to a limit the account is that is nearest to it. */
export interface TokenShare {
  readonly role: ModelRole | typeof ALL_ROLES;
  readonly metric: TokenMetric;
  /** 1 for all of it; null without a limit. */
  readonly share: number | null;
}
