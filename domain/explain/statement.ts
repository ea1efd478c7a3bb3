/** What keeps a statement from being found, up to the indexes. */
import type { KnowledgeState } from '../statements/states.ts';
import type { CauseWord, Obstacle } from './causes.ts';

export interface ExplainedStatement {
  readonly state: KnowledgeState;
  readonly isSubjectErasing: boolean;
  /** Its `expires_at` has passed, whatever its state. */
  readonly isOver: boolean;
  readonly awaitsConsent: boolean;
  readonly mergedIntoId: string | null;
  /** The newer statement that changed or replaced it. */
  readonly newerId: string | null;
}

interface StateCause {
  readonly cause: CauseWord;
  readonly of: string | null;
}

/** States that say by themselves why searches leave a statement out. */
const CLOSED = [
  'needs_revalidation',
  'stale',
  'contested',
  'expired',
  'rejected',
  'redacted',
  'retracted',
] as const satisfies readonly KnowledgeState[];

function ofState({ awaitsConsent, isOver, ...statement }: ExplainedStatement): StateCause | null {
  const { mergedIntoId, newerId, state } = statement;
  if (mergedIntoId !== null) return { cause: 'merged', of: mergedIntoId };
  if (state === 'superseded') return { cause: 'superseded', of: newerId };
  const closed = CLOSED.find((one) => one === state);
  if (closed !== undefined) return { cause: closed, of: null };
  if (isOver) return { cause: 'expired', of: null };
  if (state === 'active') return null;
  if (awaitsConsent) return { cause: 'consent_missing', of: null };
  return state === 'provisional'
    ? { cause: 'provisional', of: null }
    : { cause: 'gate_pending', of: state };
}

/** The obstacles on the way of the statement to the indexes, in the order of that way. */
export function obstaclesOfStatement(statement: ExplainedStatement): readonly Obstacle[] {
  const state = ofState(statement);
  return [
    ...(statement.isSubjectErasing
      ? [{ cause: 'subject_being_erased', from: 'search', of: null } as const]
      : []),
    ...(state === null ? [] : [{ ...state, from: 'search' } as const]),
  ];
}
