/** What somebody does at the desk, and what is asked at that moment: the columns of the tables. */
import { SUBJECT_ACTIONS } from '../../../domain/governance/desk.ts';
import { ITEM_KINDS, type ItemKind } from '../../../domain/governance/items.ts';
import type { KnowledgeState } from '../../../domain/statements/states.ts';

/** `sensitivity` is a conflict that names no other statement. */
export type Question = ItemKind | 'sensitivity';
const DECISIONS = ['approve', 'reject', 'defer', 'edit', 'edit and approve', 'merge'] as const;
type Decision = (typeof DECISIONS)[number];

export type Action =
  | { readonly does: (typeof SUBJECT_ACTIONS)[number] | 'promote' }
  | { readonly does: Decision; readonly question: Question }
  | {
      readonly does: 'grant' | 'deny';
      readonly consent: 'pending' | 'granted' | 'denied';
    };

const QUESTIONS: readonly Question[] = [...ITEM_KINDS, 'sensitivity'];

/** Columns of each table, by the name of the table. */
export const TABLES: ReadonlyMap<string, ReadonlyMap<string, Action>> = new Map<
  string,
  ReadonlyMap<string, Action>
>([
  ['subject', new Map([...SUBJECT_ACTIONS, 'promote' as const].map((does) => [does, { does }]))],
  ...DECISIONS.map(
    (does) => [does, new Map(QUESTIONS.map((question) => [question, { does, question }]))] as const,
  ),
  ...(['grant', 'deny'] as const).map(
    (does) =>
      [
        does,
        new Map(
          (['pending', 'granted', 'denied'] as const).map((consent) => [
            consent,
            { does, consent },
          ]),
        ),
      ] as const,
  ),
]);

const NATURAL: Readonly<Partial<Record<KnowledgeState, Question>>> = {
  proposed: 'gate_a_b',
  provisional: 'gate_a_b',
  held: 'gate_a_b',
  needs_revalidation: 'revalidation',
  stale: 'revalidation',
  contested: 'contest',
};

/** What is asked about a statement when the action comes; null for nothing. */
export function questionAt(action: Action, state: KnowledgeState): Question | null {
  if ('question' in action) return action.question;
  if ('consent' in action && state === 'active') return 'gate_b';
  return NATURAL[state] ?? null;
}
