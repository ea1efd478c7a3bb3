/** Who reads a statement, in a word: the visibility predicate as curators are told of it. */
import type { Sensitivity, TargetLevel } from '../extraction/candidate.ts';
import { standingOf } from '../knowledge/statement.ts';
import type { KnowledgeState } from './visibility.ts';

/** `everyone`: whoever may read the scope, without a peer, too. `scope`: every peer that may read the scope. */
export const AUDIENCES = ['submitters', 'subject', 'scope', 'everyone', 'nobody'] as const;
export type StatementAudience = (typeof AUDIENCES)[number];

/** Beside curators, who see it in the queue. Submitters are among every audience but `nobody`. */
export function audienceOf(statement: {
  readonly state: KnowledgeState;
  readonly sensitivity: Sensitivity;
  readonly level: TargetLevel;
  readonly isAboutPeer: boolean;
}): StatementAudience {
  const { isAboutPeer, level, sensitivity, state } = statement;
  if (state === 'redacted' || state === 'retracted') return 'nobody';
  if (standingOf(state) !== 'placed') return 'submitters';
  if (sensitivity === 'public') return 'everyone';
  const isShared = sensitivity === 'internal' || !isAboutPeer || level !== 'peer';
  return isShared ? 'scope' : 'subject';
}
