/**
 * The effect of a ruling on a statement: one table for each action. If a table lacks a state, the action is
 * refused in that state. docs/design/desk.md says why.
 */
import type { Sensitivity } from '../statements/candidate.ts';
import type { ItemKind } from './items.ts';
import type { KnowledgeState } from '../statements/states.ts';

/**
 * `placed`: active in its scope, at peer level. `kept`: active as it is, with a new date. `restored`: its state before
 * the contest. `proposed`: placed as proposed. `moved`: placed where the item says. `settled`: believed instead of the
 * statement that it contradicts. `stricter`: takes the item's sensitivity. `left`: unchanged. `same`: the ruling was
 * given before.
 */
export type RulingEffect =
  | 'placed'
  | 'kept'
  | 'restored'
  | 'contested'
  | 'redacted'
  | 'proposed'
  | 'moved'
  | 'settled'
  | 'stricter'
  | 'rejected'
  | 'left'
  | 'same';

type Table = Readonly<Partial<Record<KnowledgeState, RulingEffect>>>;

/** The actions of a statement's subject. */
export const SUBJECT_ACTIONS = ['confirm', 'contest', 'redact'] as const;
export type SubjectAction = (typeof SUBJECT_ACTIONS)[number];

export const SUBJECT_TABLES: Readonly<Record<SubjectAction, Table>> = {
  confirm: {
    provisional: 'placed',
    // At peer level; a wider place is for others to decide.
    held: 'placed',
    active: 'kept',
    needs_revalidation: 'kept',
    stale: 'kept',
    contested: 'restored',
  },
  contest: {
    proposed: 'contested',
    provisional: 'contested',
    held: 'contested',
    active: 'contested',
    needs_revalidation: 'contested',
    stale: 'contested',
    contested: 'same',
  },
  redact: {
    proposed: 'redacted',
    provisional: 'redacted',
    held: 'redacted',
    active: 'redacted',
    needs_revalidation: 'redacted',
    stale: 'redacted',
    contested: 'redacted',
    superseded: 'redacted',
    expired: 'redacted',
    rejected: 'redacted',
    redacted: 'same',
    retracted: 'redacted',
  },
};

/**
 * What becomes of a statement when its only attester takes back what it said. `withheld`: held until a curator decides.
 * `left`: as it is, and withheld once its contest is dismissed. If the table lacks a state, nothing can be taken back.
 */
export const SPEAKER_TABLE: Readonly<Partial<Record<KnowledgeState, 'withheld' | 'left'>>> = {
  proposed: 'withheld',
  provisional: 'withheld',
  held: 'withheld',
  active: 'withheld',
  needs_revalidation: 'withheld',
  stale: 'withheld',
  contested: 'left',
};

/** A conflict over sensitivity names no other statement. */
export type QuestionKind = ItemKind | 'sensitivity';

/** An item as far as that decides what it asks. */
export interface AskingItem {
  readonly kind: ItemKind;
  readonly proposedSensitivity: Sensitivity | null;
  /** The other statement of a contradiction, where that is told. */
  readonly conflictId?: string | null;
}

/** What an item asks: a conflict may be about how private the statement is, and then about no other statement. */
export function questionOf({ conflictId, kind, proposedSensitivity }: AskingItem): QuestionKind {
  const isAlone = (conflictId ?? null) === null;
  return kind === 'conflict' && isAlone && proposedSensitivity !== null ? 'sensitivity' : kind;
}

/** The effect of a decision about an item on its statement, and the states in which such an item is open. */
export interface ItemRule {
  readonly openIn: readonly KnowledgeState[];
  readonly approve: RulingEffect;
  readonly reject: RulingEffect;
}

const UNPLACED = ['proposed', 'provisional', 'held'] as const;
const PLACED = ['active', 'needs_revalidation', 'stale'] as const;

export const ITEM_RULES: Readonly<Record<QuestionKind, ItemRule>> = {
  gate_a_b: { openIn: UNPLACED, approve: 'proposed', reject: 'rejected' },
  gate_b: { openIn: ['active'], approve: 'moved', reject: 'left' },
  // Held: what a curator withholds while this is asked.
  revalidation: { openIn: [...PLACED, 'held'], approve: 'kept', reject: 'rejected' },
  contest: { openIn: ['contested'], approve: 'restored', reject: 'rejected' },
  conflict: { openIn: [...UNPLACED, ...PLACED], approve: 'settled', reject: 'rejected' },
  sensitivity: { openIn: PLACED, approve: 'stricter', reject: 'left' },
};

/** States from which a curator's edit or merge takes a statement, and the state in which it leaves it. */
export const REPLACED_AS: Table = {
  provisional: 'left',
  held: 'left',
  active: 'left',
  needs_revalidation: 'left',
  stale: 'left',
  contested: 'rejected',
};
