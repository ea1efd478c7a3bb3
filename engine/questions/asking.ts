/**
 * Asks a person beside a read. The read waits for it a few milliseconds at most, and never fails because of it: what
 * fails or is late asks nothing, and a delivery that was written too late is taken back.
 */
import { visibleToQuestions } from '../../domain/governance/visibility.ts';
import { fitsTo, questionWords } from '../../domain/questions/shared-words.ts';
import { LONGEST_ASKING_MS, type AskedKind } from '../../domain/questions/words.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { AskableQuestion } from '../../stores/postgres/questions/asking.store.ts';
import { within } from '../async.ts';

/** How asking ended. `late`: the read went on without it. */
export const ASKING_OUTCOMES = ['asked', 'nothing', 'late', 'failed'] as const;
export type AskingOutcome = (typeof ASKING_OUTCOMES)[number];

export interface AskingRequest {
  readonly accountId: string;
  readonly credentialId: string;
  /** The reader of the read. */
  readonly peerId: string;
  /** As callers name it. */
  readonly sessionId: string;
  readonly scopeIds: readonly string[];
  /** Blank: every question fits. */
  readonly query: string;
  /** The operation that reads. */
  readonly operation: string;
  readonly now: Date;
}

/** A question that was handed out. */
export interface AskedQuestion {
  /** Names the delivery: an answer goes to it. */
  readonly id: string;
  readonly kind: AskedKind;
  readonly statement: string;
  /** Where the statement would be shared, of questions for consent. */
  readonly targetScopePath: string | null;
}

export interface Questions {
  /** The question to hand out with the answer of the read; null in most cases. Never throws. */
  ask(request: AskingRequest): Promise<AskedQuestion | null>;
}

export interface QuestionsDeps {
  readonly inAccount: InAccount;
  /** Told how each asking ended, with the error of one that failed. Must not throw. */
  readonly observe: (outcome: AskingOutcome, error?: unknown) => void;
  /** Milliseconds that a read waits; the usual ones unless given. */
  readonly longestMs?: number;
}

interface Delivered {
  readonly id: string;
  readonly question: AskableQuestion;
}

/** A statement of SQL may run so much longer than the read waits: then nobody needs it. */
const GRACE_MS = 85;

function deliver(
  { inAccount, longestMs = LONGEST_ASKING_MS }: QuestionsDeps,
  request: AskingRequest,
  isLate: () => boolean,
): Promise<Delivered | null> {
  const { accountId, credentialId, operation, peerId, query, scopeIds, sessionId } = request;
  const work: Parameters<typeof inAccount<Delivered | null>>[1] = async ({ asking }) => {
    if (!(await asking.mayAsk(peerId)) || isLate()) return null;
    const reader = { posture: 'peer', peerId } as const;
    const visible = visibleToQuestions({ scopeIds, reader, at: request.now.toISOString() });
    const askable = await asking.askable({ peerId, sessionId, scopeIds, visible });
    const words = query.trim() === '' ? null : questionWords(query);
    const question = askable.find(({ statement }) => fitsTo(words, statement));
    if (question === undefined || isLate()) return null;
    const id = await asking.deliver({ question, peerId, credentialId, operation });
    return id === null ? null : { id, question };
  };
  return inAccount(accountId, work, { statementTimeoutMs: longestMs + GRACE_MS });
}

const LATE = Symbol('late');

/** Asks through the database of `deps`. */
export function createQuestions(deps: QuestionsDeps): Questions {
  const { inAccount, longestMs = LONGEST_ASKING_MS, observe } = deps;
  const takeBack = async (accountId: string, delivering: Promise<Delivered | null>) => {
    try {
      const delivered = await delivering;
      if (delivered === null) return;
      const { id, question } = delivered;
      await inAccount(accountId, ({ asking }) => asking.takeBack(id, question));
    } catch (error) {
      observe('failed', error);
    }
  };
  return {
    async ask(request) {
      if (request.scopeIds.length === 0) return null;
      let late = false;
      const delivering = deliver(deps, request, () => late);
      try {
        const delivered = await within(longestMs, delivering, () => LATE);
        if (delivered === LATE) {
          late = true;
          observe('late');
          void takeBack(request.accountId, delivering);
          return null;
        }
        const { id, question } = (delivered as Delivered | null) ?? {};
        observe(id === undefined ? 'nothing' : 'asked');
        if (id === undefined || question === undefined) return null;
        const { kind, statement, target_scope_path: targetScopePath } = question;
        return { id, kind, statement, targetScopePath };
      } catch (error) {
        observe('failed', error);
        return null;
      }
    },
  };
}
