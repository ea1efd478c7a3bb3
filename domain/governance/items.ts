/** Items of the review queue: the questions that wait for a person, and why. */
import type { Sensitivity, TargetLevel } from '../statements/candidate.ts';

export const ITEM_KINDS = ['gate_a_b', 'gate_b', 'revalidation', 'contest', 'conflict'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export const OPEN_ITEM_STATES = ['pending', 'escalated', 'awaiting_consent', 'deferred'] as const;
export type OpenItemState = (typeof OPEN_ITEM_STATES)[number];

/** Whether a curator may decide about an item in this state: one that awaits consent waits for its subject alone. */
export function isDecidable({ state }: { readonly state: ItemState }): boolean {
  return state === 'pending' || state === 'escalated' || state === 'deferred';
}
export const ITEM_STATES = [
  ...OPEN_ITEM_STATES,
  'approved',
  'rejected',
  'merged',
  'closed',
] as const;
export type ItemState = (typeof ITEM_STATES)[number];
/** `closed`: the statement changed by itself, or by a ruling of its subject, and the question no longer arises. */
export type EndedItemState = Exclude<ItemState, (typeof OPEN_ITEM_STATES)[number]>;

/** Hours that a person has to decide. */
export const GATE_DUE_HOURS = 168;
export const CONTEST_DUE_HOURS = 24;
export const REVALIDATION_DUE_HOURS = 14 * 24;

/** A question for people. A statement has one open item for each kind and, of conflicts, each other statement. */
export interface ItemOpening {
  readonly statementId: string;
  readonly scopeId: string;
  readonly subjectPeerId: string | null;
  /** Whether the statement has an audience. */
  readonly hasAudience: boolean;
  readonly kind: ItemKind;
  /** Why it waits: a code. */
  readonly reason: string;
  /** The statement that it contradicts; null for every other reason. */
  readonly conflictId: string | null;
  /** The scope in which an approval places the statement; null if it stays in its scope. */
  readonly targetScopeId: string | null;
  readonly targetLevel: TargetLevel;
  /** The sensitivity after an approval; null if it stays. */
  readonly proposedSensitivity: Sensitivity | null;
  readonly dueHours: number;
}

export interface ItemClosing {
  readonly statementId: string;
  /** Null closes all items of the statement but those of `except` and those that name a conflict. */
  readonly kind: ItemKind | null;
  readonly conflictId: string | null;
  readonly except: readonly ItemKind[];
  readonly state: EndedItemState;
  /** Why it ended: a code. */
  readonly reason: string;
  /** The peer who decided; null when nobody did. */
  readonly by: string | null;
}
