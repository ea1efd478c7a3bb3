/**
 * Daily limits of model tokens, the same for every account. A limit of a role and the limit of `*`, the sum of all roles,
 * both hold. What they leave room for is decided in the database, where the day is counted.
 */
import type { ModelRoles } from './role-config.ts';
import { MODEL_ROLES, type ModelRole } from './roles.ts';

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

/** A role none of whose calls a limit ever lets through. */
export interface ClosedRole {
  readonly role: ModelRole;
  readonly limitOf: ModelRole | typeof ALL_ROLES;
  readonly limit: number;
  /** The most output of one call, which each call reserves. */
  readonly outputTokens: number;
}

/** What is never refused, because without it nothing is found. */
const NEVER_REFUSED: ReadonlySet<ModelRole> = new Set(['embedder', 'reranker']);
/** The share of the limit of all roles that a role may use: the dream yields first. */
const shareOfAll = (role: ModelRole): number => (role === 'dream_reasoner' ? 4 / 5 : 1);

/** The roles that call a provider, of which a limit lets not one call through even on an empty day. A limit of 0 is meant so. */
export function closedRoles(limits: TokenLimits, roles: ModelRoles): readonly ClosedRole[] {
  return MODEL_ROLES.flatMap((role) => {
    const config = roles[role];
    if (NEVER_REFUSED.has(role) || !('maxOutputTokens' in config)) return [];
    const outputTokens = config.maxOutputTokens;
    return ([role, ALL_ROLES] as const).flatMap((limitOf) => {
      const limit = limits[limitOf]?.output_tokens ?? 0;
      const most = limitOf === ALL_ROLES ? limit * shareOfAll(role) : limit;
      return limit > 0 && most < outputTokens ? [{ role, limitOf, limit, outputTokens }] : [];
    });
  });
}

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
