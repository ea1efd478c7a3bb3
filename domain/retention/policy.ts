/**
 * How long rows are kept that are kept for a time only. What is not named here is never pruned: messages, versions of
 * documents, statements and their periods, provenance, audit, receipts, budgets, campaigns, review items, consents.
 */

/** Days that rows are kept, by what they are about; null keeps them for ever. */
export interface RetentionPolicy {
  /** Runs that ended. */
  readonly runs: number | null;
  /** Finished calls of the ledger, and what was used on a day. */
  readonly usage: number | null;
  /** Decisions of the gates, and changes of state. */
  readonly decisions: number | null;
  /** Ended tokens and sessions of people. */
  readonly tokens: number | null;
}

export const USUAL_RETENTION = {
  runs: 30,
  usage: 400,
  decisions: 3_650,
  tokens: 30,
} as const satisfies RetentionPolicy;

/** The most days that a setting names: a century. */
export const MOST_KEPT_DAYS = 36_500;

/** What is pruned, table by table, in the order of a pass. */
export const RETENTION_KINDS = [
  'runs',
  'attempts',
  'usage_days',
  'request_days',
  'gate_decisions',
  'lifecycle_events',
  'tokens',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

const KEPT_AS: Readonly<Record<RetentionKind, keyof RetentionPolicy>> = {
  runs: 'runs',
  attempts: 'usage',
  usage_days: 'usage',
  request_days: 'usage',
  gate_decisions: 'decisions',
  lifecycle_events: 'decisions',
  tokens: 'tokens',
};

/** Days that rows of the kind are kept; null for ever. */
export function daysKept(policy: RetentionPolicy, kind: RetentionKind): number | null {
  return policy[KEPT_AS[kind]];
}

/** Rows by kind. */
export type PrunedRows = Readonly<Record<RetentionKind, number>>;

/** Where a pass over an account goes on: behind the row at which a page ended, or at the beginning of the kind. */
export interface RetentionPlace {
  readonly kind: RetentionKind;
  /** ISO 8601 UTC with microseconds. */
  readonly at: string | null;
  readonly afterId: string | null;
}

/** The place at which the kind begins that follows; null after the last. */
export function placeAfter(kind: RetentionKind): RetentionPlace | null {
  const next = RETENTION_KINDS[RETENTION_KINDS.indexOf(kind) + 1];
  return next === undefined ? null : { kind: next, at: null, afterId: null };
}

/** The place at which a pass over an account begins. */
export const FIRST_PLACE: RetentionPlace = { kind: 'runs', at: null, afterId: null };

/** The age of the last completed pass at which it counts as late: one was missed. */
export const LATE_RETENTION_SECONDS = 2 * 86_400;
