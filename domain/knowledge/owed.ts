/**
 * Which questions a change of statements opens and closes. It follows from the change alone, whatever caused the
 * change.
 */
import type { Change, Plan } from './plan.ts';
import type { Statement } from '../statements/statement.ts';
import { ASKED_KINDS, type AskedKind } from '../questions/words.ts';

export interface QuestionOpening {
  readonly statementId: string;
  readonly scopeId: string;
  /** Who is asked. */
  readonly peerId: string;
  readonly kind: AskedKind;
  /** Where the statement would be shared; null but for consent. */
  readonly targetScopeId: string | null;
  readonly statementHash: string;
}

export interface QuestionClosing {
  readonly statementId: string;
  readonly kinds: readonly AskedKind[];
  /** Why it ended: a code. */
  readonly reason: string;
}

export interface QuestionChanges {
  /** Done first: what is open of these kinds ends. */
  readonly closings: readonly QuestionClosing[];
  /** What is open already stays as it is. */
  readonly openings: readonly QuestionOpening[];
}

/**
 * What a person is asked about a statement about that person, and can be shown: a proposal is known to its submitters
 * alone. A refused wording is for a curator; its subject has spoken. So is what a curator withholds.
 */
export function owedQuestion({
  attestation,
  isWithheld,
  previouslyRefused,
  state,
  subject,
  targetLevel,
}: Statement): Exclude<AskedKind, 'consent_upward'> | null {
  if (subject.type !== 'peer') return null;
  if (state === 'needs_revalidation') return 'revalidate';
  const waits = (state === 'provisional' || state === 'held') && targetLevel === 'peer';
  return waits && !previouslyRefused && !isWithheld && attestation.submitters.has(subject.id)
    ? 'confirm'
    : null;
}

/** Whether a question that was asked about the statement before is no longer about what it is now. */
function isOther(before: Statement, after: Statement): boolean {
  return (
    before.state !== after.state ||
    before.statementHash !== after.statementHash ||
    before.scopeId !== after.scopeId ||
    before.targetLevel !== after.targetLevel
  );
}

function opening(
  { id, scopeId, statementHash, subject }: Statement,
  kind: AskedKind,
  targetScopeId: string | null,
): QuestionOpening {
  return { statementId: id, scopeId, peerId: subject.id, kind, targetScopeId, statementHash };
}

const CONSENT: readonly AskedKind[] = ['consent_upward'];

function changesOf({ before, after }: Change, reason: string): QuestionChanges {
  const owed = owedQuestion(after);
  const openings = owed === null ? [] : [opening(after, owed, null)];
  if (before === null) return { closings: [], openings };
  if (isOther(before, after)) {
    return { closings: [{ statementId: after.id, kinds: ASKED_KINDS, reason }], openings };
  }
  return { closings: [], openings: owed === owedQuestion(before) ? [] : openings };
}

/** Items whose end ends the question for consent that they wait for. */
function endsConsent({ except, kind }: Plan['closings'][number]): boolean {
  if (kind === null) return !except.includes('gate_b') && !except.includes('gate_a_b');
  return kind === 'gate_b' || kind === 'gate_a_b';
}

type Changing = Pick<Plan, 'changes' | 'closings' | 'consents' | 'transitions'>;

/** The questions that a plan opens and closes. */
export function questionChanges({
  changes,
  closings,
  consents,
  transitions,
}: Changing): QuestionChanges {
  const reasons = new Map(transitions.map(({ reason, statementId }) => [statementId, reason]));
  const each = changes.map((change) =>
    changesOf(change, reasons.get(change.after.id) ?? 'changed'),
  );
  const asked = consents
    .filter(({ status }) => status === 'pending')
    .map(
      ({ scopeId, statementHash, statementId, subjectPeerId, targetScopeId }): QuestionOpening => ({
        statementId,
        scopeId,
        peerId: subjectPeerId,
        kind: 'consent_upward',
        targetScopeId,
        statementHash,
      }),
    );
  const given = consents
    .filter(({ status }) => status === 'granted')
    .map(({ statementId }) => ({ statementId, reason: 'consent_given' }));
  const closed = each.flatMap((one) => one.closings);
  const isClosed = new Set(closed.map(({ statementId }) => statementId));
  const ended = [...closings.filter(endsConsent), ...given]
    .filter(({ statementId }) => !isClosed.has(statementId))
    .map(({ reason, statementId }) => ({ statementId, reason, kinds: CONSENT }));
  return {
    closings: [...closed, ...ended],
    openings: [...each.flatMap((one) => one.openings), ...asked],
  };
}
