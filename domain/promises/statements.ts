/** Which changes of a statement's state are promises. */
import type { TransitionReason } from '../knowledge/plan.ts';
import type { KnowledgeState } from '../statements/states.ts';
import type { Promised, WithdrawnAs } from './kinds.ts';

/** A change of state, with the names of its columns. */
export interface PassedRow {
  readonly knowledge_id: string;
  readonly to_state: KnowledgeState;
  readonly reason: TransitionReason;
}

/**
 * What people do, and what a person was promised if nobody decides. The other reasons are those of the clock, of the gates
 * and of sources: they apply to an earlier day again by themselves.
 */
const WITHDRAWING: Readonly<
  Partial<Record<TransitionReason, readonly [KnowledgeState, WithdrawnAs]>>
> = {
  subject_contested: ['contested', 'contested'],
  withheld_by_curator: ['held', 'withheld'],
  curator_rejected: ['rejected', 'rejected'],
  contest_unanswered: ['rejected', 'rejected'],
  // What replaces a contested statement leaves it rejected.
  edited: ['rejected', 'rejected'],
  merged: ['rejected', 'rejected'],
};

/** The promise, or null where nobody was promised anything. */
export function promisedBy({ knowledge_id, reason, to_state: state }: PassedRow): Promised | null {
  if (reason === 'subject_redacted') return { kind: 'redaction', knowledge_id };
  const withdrawing = WITHDRAWING[reason];
  if (withdrawing === undefined || withdrawing[0] !== state) return null;
  return { kind: 'withdrawal', knowledge_id, as: withdrawing[1] };
}
