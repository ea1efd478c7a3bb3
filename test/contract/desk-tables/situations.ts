/** In which situations a statement may be when somebody decides about it: the rows of the tables. */
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../../domain/statements/states.ts';

export interface Situation {
  readonly state: KnowledgeState;
  /** Of a contested statement: its state before. */
  readonly before?: KnowledgeState;
  /** Its `expires_at` has passed, and no sweep has come yet. */
  readonly isOver?: true;
  readonly level?: 'peer' | 'scope' | 'account';
  readonly sensitivity?: 'internal' | 'personal' | 'restricted';
  /** Words alike were refused before. */
  readonly wasRefused?: true;
  /** Another open statement at the scope says the same. */
  readonly isTaken?: true;
}

const BEFORE_CONTEST = [
  'proposed',
  'provisional',
  'held',
  'active',
  'needs_revalidation',
  'stale',
] as const satisfies readonly KnowledgeState[];

const plain = KNOWLEDGE_STATES.filter((state) => state !== 'contested').map(
  (state) => [state, { state }] as const,
);
const contested = BEFORE_CONTEST.map(
  (before) => [`contested, was ${before}`, { state: 'contested', before }] as const,
);
const over = BEFORE_CONTEST.map(
  (state) => [`${state}, time over`, { state, isOver: true }] as const,
);

/** By name. A new state of statements is in here by itself, so that its cells are missing until somebody fills them. */
export const SITUATIONS: ReadonlyMap<string, Situation> = new Map<string, Situation>([
  ...plain,
  ...contested,
  ['contested, before unknown', { state: 'contested' }],
  ...over,
  ['contested, time over', { state: 'contested', before: 'active', isOver: true }],
  ['held for the scope', { state: 'held', level: 'scope' }],
  ['held for the account', { state: 'held', level: 'account' }],
  ['held for the scope, personal', { state: 'held', level: 'scope', sensitivity: 'personal' }],
  ['held, restricted', { state: 'held', sensitivity: 'restricted' }],
  ['held, refused before', { state: 'held', wasRefused: true }],
  ['held, said by another', { state: 'held', wasRefused: true, isTaken: true }],
  ['active for the scope', { state: 'active', level: 'scope' }],
  ['active, personal', { state: 'active', sensitivity: 'personal' }],
  ['active, restricted', { state: 'active', sensitivity: 'restricted' }],
]);
