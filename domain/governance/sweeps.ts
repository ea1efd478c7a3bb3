/**
 * What the clock makes of statements and of items of the review queue that nobody has decided. Pure: the caller says what
 * time it is. Times are ISO 8601 UTC. A further kind of sweep is a word here, a query of what is due
 * (`stores/postgres/sweeps/due.ts`), and a rule that `domain/knowledge/sweep-draft.ts` carries out.
 */
import { standingOf, type Statement } from '../knowledge/statement.ts';
import type { ItemKind, ItemState, OpenItemState } from './items.ts';

/**
 * In the order in which an account is swept: `expiry` ends statements whose time is over, `revalidation` asks whether
 * active ones still hold, `ageing` escalates items that are overdue and ends what was escalated in vain, `questions` ends
 * questions that a person did not answer in time.
 */
export const SWEEP_KINDS = ['expiry', 'revalidation', 'ageing', 'questions'] as const;
export type SweepKind = (typeof SWEEP_KINDS)[number];

/** Hours that an escalated item gives to administrators, counted from its escalation. */
export const ESCALATION_HOURS = 24;

/** Kinds of items that something becomes of when nobody decides them after their escalation. */
export const ENDED_BY_CLOCK: readonly ItemKind[] = ['contest', 'revalidation'];

/**
 * The state into which time takes the statement; null where it leaves it. A statement whose time is over expires, unless
 * it is contested: then its subject waits for an answer. An active one is due for revalidation before that.
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

/** A contest has a workflow, which acts when the item is due; sweeps take what it left undone for so long. */
export const CONTEST_GRACE_MS = 600_000;

const WAITS: readonly ItemState[] = ['pending', 'deferred'] satisfies readonly OpenItemState[];

/**
 * What an item comes to: `escalated` where it is overdue, `unanswered` where its escalation was in vain and something
 * follows from that, `left` where people alone end it; null before its time, and for one that ended or awaits consent.
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
/** The longest that a statement which failed waits until it is tried again. */
export const LONGEST_SETBACK_MS = 60 * MINUTE_MS;

/** Milliseconds until a statement is tried again that has failed so many times: a minute, doubled each time. */
export function setbackMs(attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 10), LONGEST_SETBACK_MS);
}

/** What one turn of the sweeps over one account did. */
export interface LifecycleCounts {
  /** Statements that something was due for. */
  readonly rows: number;
  /** Of these, statements that fail each time, and were set aside. */
  readonly aside: number;
}

/** How old the last completed sweep may be before readiness says so: ten times the interval of the schedule. */
export const OVERDUE_SWEEP_SECONDS = 600;
