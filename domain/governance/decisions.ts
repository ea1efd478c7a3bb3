/** The decisions of curators about items: what they say, and how long they can be taken back. */
import type { ItemKind } from './items.ts';

export const DECISION_ACTIONS = ['approve', 'reject', 'defer', 'edit', 'merge'] as const;
export type DecisionAction = (typeof DECISION_ACTIONS)[number];

/** Seconds that a decision waits at most before it is carried out. */
export const LONGEST_UNDO_SECONDS = 60;

/** Characters of what a person says about an item: a reason, or a correction. */
export const LONGEST_WORDS = 1_000;

/** Kinds of items that ask about two sides: who decides has read both, so they are not decided among many. */
export const DECIDED_ALONE: readonly ItemKind[] = ['contest', 'conflict'];

/**
 * Why a decision that waited was not carried out: its item ended meanwhile, its item or the statement changed, its curator may
 * no longer decide, its time is over, or what it would do is no longer possible.
 */
export const VOID_REASONS = [
  'item_ended',
  'item_changed',
  'role_lost',
  'deadline_passed',
  'not_possible',
] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

export interface WaitingDecision {
  /** The version of the item that the curator saw, and when the curator decided: ISO 8601 UTC. */
  readonly version: number;
  readonly decidedAt: string;
  /** The end of what the decision gives: of the statement, or of the item's new time. ISO 8601 UTC; null for none. */
  readonly endsAt: string | null;
}

export interface DecidedItem {
  readonly version: number;
  readonly isOpen: boolean;
  /** ISO 8601 UTC. */
  readonly dueAt: string;
}

/** Why a decision must not be carried out at `now` (ISO 8601 UTC), as far as its item tells; null where it may. */
export function voidReasonOf(
  { decidedAt, endsAt, version }: WaitingDecision,
  item: DecidedItem,
  now: string,
): VoidReason | null {
  if (!item.isOpen) return 'item_ended';
  const fellDue = decidedAt < item.dueAt && item.dueAt <= now;
  if (fellDue || (endsAt !== null && endsAt <= now)) return 'deadline_passed';
  return item.version === version ? null : 'item_changed';
}
