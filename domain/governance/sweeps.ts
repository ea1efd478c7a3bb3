/**
 * The effect of time on statements and on undecided items of the review queue. Pure: the caller passes the time. Times
 * are ISO 8601 UTC. A new kind of sweep needs a word here, a query for due work (`stores/postgres/sweeps/due.ts`) and a
 * rule in `domain/knowledge/sweep-draft.ts`.
 */
import { standingOf, type Statement } from '../statements/statement.ts';
import type { ItemKind, ItemState, OpenItemState } from './items.ts';

/**
 * In the order in which an account is swept: `expiry` ends statements whose time is over, `revalidation` asks whether
 * active ones still hold, `ageing` escalates overdue items and ends items that nobody decided after the escalation,
 * `questions` ends questions that a person did not answer in time.
 */
export const SWEEP_KINDS = ['expiry', 'revalidation', 'ageing', 'questions'] as const;
export type SweepKind = (typeof SWEEP_KINDS)[number];

/** Hours that an escalated item gives to administrators, counted from its escalation. */
export const ESCALATION_HOURS = 24;

/** Kinds of items that a sweep ends if nobody decides them after their escalation. */
export const ENDED_BY_CLOCK: readonly ItemKind[] = ['contest', 'revalidation'];

/**
 * The state that the statement enters at this time; null if it keeps its state. A statement expires at the end of its
 * time, unless it is contested, because its subject waits for an answer. An active statement may be due for
 * revalidation earlier.
 */
export function dueState(
  { expiresAt, revalidateAfter, state }: Pick<Statement, 'expiresAt' | 'revalidateAfter' | 'state'>,
  now: string,
): 'expired' | 'needs_revalidation' | null {
  const standing = standingOf(state);
  const mayExpire = standing === 'placed' || standing === 'unplaced';
  if (mayExpire && expiresAt !== null && expiresAt <= now) return 'expired';
  const isDue = state === 'active' && revalidateAfter !== null && revalidateAfter <= now;
  return isDue ? 'needs_revalidation' : null;
}

export interface AgeingItem {
  readonly kind: ItemKind;
  readonly state: ItemState;
  readonly dueAt: string;
}

/**
 * A contest has a workflow that acts when the item is due. Sweeps act only after this time, in case the workflow did
 * not.
 */
export const CONTEST_GRACE_MS = 600_000;

const WAITS: readonly ItemState[] = ['pending', 'deferred'] satisfies readonly OpenItemState[];

/**
 * The effect of time on an item: `escalated` if it is overdue, `unanswered` if nobody decided after the escalation and
 * the kind has an effect for that, `left` if only people end it. Null before its time, and for an item that ended or
 * awaits consent.
 */
export function ageOf(
  { dueAt, kind, state }: AgeingItem,
  now: string,
): 'escalated' | 'unanswered' | 'left' | null {
  const graceMs = kind === 'contest' ? CONTEST_GRACE_MS : 0;
  if (Date.parse(dueAt) + graceMs > Date.parse(now)) return null;
  if (WAITS.includes(state)) return 'escalated';
  if (state !== 'escalated') return null;
  return ENDED_BY_CLOCK.includes(kind) ? 'unanswered' : 'left';
}

const MINUTE_MS = 60_000;
/** The longest wait before a sweep tries a failed statement again. */
export const LONGEST_SETBACK_MS = 60 * MINUTE_MS;

/** Milliseconds before the next try of a statement after so many failures: a minute, doubled each time. */
export function setbackMs(attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 10), LONGEST_SETBACK_MS);
}

/** The result of one turn of the sweeps over one account. */
export interface LifecycleCounts {
  /** Statements for which work was due. */
  readonly rows: number;
  /** Statements among these that the sweep set aside, because they fail each time. */
  readonly aside: number;
}

/** The age of the last completed sweep at which readiness reports an error: ten times the interval of the schedule. */
export const OVERDUE_SWEEP_SECONDS = 600;
