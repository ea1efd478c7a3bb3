/** What keeps a message, and what was learnt from it, from being found, up to the indexes. */
import type { KnowledgeState } from '../statements/states.ts';
import { BELIEVED_STATES } from '../governance/visibility.ts';
import type { ErrorClass } from '../error-class.ts';
import { isEvidenceRole } from '../observations/roles.ts';
import type { CauseWord, Obstacle } from './causes.ts';

export interface ExplainedAnchor {
  readonly status: 'pending' | 'failed' | 'completed' | 'repairable' | 'terminal';
  readonly isHeld: boolean;
  /** Its statements are committed. */
  readonly isExtracted: boolean;
  /** A circuit keeps it back although it is due. */
  readonly isKeptBack: boolean;
  readonly lastErrorClass: ErrorClass | null;
}

export interface ExplainedMessage {
  readonly isSpeakerErasing: boolean;
  readonly role: string;
  /** A chunk whose document has a later version. */
  readonly isReplaced: boolean;
  readonly isMailboxPaused: boolean;
  readonly isBudgetClosed: boolean;
  readonly anchor: ExplainedAnchor | null;
  /** The states that statements drawn from it have. */
  readonly statementStates: readonly KnowledgeState[];
}

interface Named {
  readonly cause: CauseWord;
  readonly of?: string | null;
}

function whileWaiting(anchor: ExplainedAnchor, message: ExplainedMessage): Named {
  if (anchor.isExtracted) return { cause: 'statements_unacknowledged' };
  if (message.isMailboxPaused) return { cause: 'mailbox_paused' };
  if (anchor.isKeptBack || (anchor.status === 'failed' && anchor.lastErrorClass === 'circuit_open'))
    return { cause: 'circuit_open' };
  if (anchor.status === 'failed' && anchor.lastErrorClass === 'token_budget_exhausted')
    return { cause: 'token_limit_reached' };
  if (message.isBudgetClosed) return { cause: 'budget_closed' };
  if (anchor.isHeld) return { cause: 'extraction_under_way' };
  return anchor.status === 'failed'
    ? { cause: 'extraction_retried', of: anchor.lastErrorClass }
    : { cause: 'extraction_waits' };
}

function onceCompleted(states: readonly KnowledgeState[]): Named | null {
  if (states.length === 0) return { cause: 'nothing_extracted' };
  const believed: readonly KnowledgeState[] = BELIEVED_STATES;
  return states.some((state) => believed.includes(state))
    ? null
    : { cause: 'no_statement_believed' };
}

function ofExtraction(message: ExplainedMessage): Named | null {
  const { anchor, role, statementStates } = message;
  if (!isEvidenceRole(role)) return { cause: 'role_without_evidence' };
  if (anchor === null) return { cause: 'extraction_missing' };
  switch (anchor.status) {
    case 'completed':
      return onceCompleted(statementStates);
    case 'repairable':
      return { cause: 'extraction_repairable', of: anchor.lastErrorClass };
    case 'terminal':
      return anchor.lastErrorClass === 'extraction_budget_exhausted'
        ? { cause: 'budget_closed' }
        : { cause: 'extraction_given_up', of: anchor.lastErrorClass };
    case 'pending':
    case 'failed':
      return whileWaiting(anchor, message);
  }
}

/** The obstacles on the way of the message to its statements and to the indexes, in the order of that way. */
export function obstaclesOfMessage(message: ExplainedMessage): readonly Obstacle[] {
  const extraction = ofExtraction(message);
  return [
    ...(message.isSpeakerErasing
      ? [{ cause: 'speaker_being_erased', from: 'every_search', of: null } as const]
      : []),
    ...(extraction === null
      ? []
      : [{ from: 'search', of: null, ...extraction } as const satisfies Obstacle]),
    ...(message.isReplaced
      ? [{ cause: 'chunk_replaced', from: 'every_search', of: null } as const]
      : []),
  ];
}
