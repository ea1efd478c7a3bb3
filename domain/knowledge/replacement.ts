/** The two statements after a curator's edit or merge. */
import { REPLACED_AS } from '../governance/desk.ts';
import { isSameAudience } from '../audiences/principals.ts';
import { SENSITIVITIES, type Sensitivity } from '../statements/candidate.ts';
import type { AttributeClaim } from '../statements/attributes.ts';
import { unitedAttestation } from '../statements/attestation.ts';
import { knownAs } from './merge.ts';
import { stateOf } from './ruling.ts';
import { isOpen, type Statement } from '../statements/statement.ts';

export interface Edit {
  /** The id of the statement with the new text. */
  readonly newId: string;
  readonly text: string;
  /** SHA-256 of the folded text, lower-case hex. */
  readonly statementHash: string;
  /** The claim of the new text about an attribute. */
  readonly claim: AttributeClaim | null;
  /** Null keeps the sensitivity. */
  readonly sensitivity: Sensitivity | null;
}

/** Sources that one decision takes over at most. A statement with more is approved or rejected as it is. */
export const MOST_INHERITED_SOURCES = 10_000;

/** Whether a curator may replace the statement, by the table of states and by the number of its sources. */
export function mayBeReplaced(statement: Statement, now: string): boolean {
  return (
    REPLACED_AS[stateOf(statement, now)] !== undefined &&
    statement.attestation.sourceCount <= MOST_INHERITED_SOURCES
  );
}

/** The statement after another one has replaced it. A contest about it counts as upheld. */
export function replaced(statement: Statement): Statement {
  const isContested = statement.state === 'contested';
  return {
    ...statement,
    state: isContested ? 'rejected' : 'superseded',
    verification: isContested ? 'curator_rejected' : statement.verification,
    heldScopeId: null,
    stateBeforeContest: null,
  };
}

/**
 * A proposal with the new text: about the same subject, for the same window, at the same place, with the same sources,
 * evidence level and confidence. A restricted one is proposed for its subject only.
 */
export function edited(statement: Statement, edit: Edit, now: string): Statement {
  const sensitivity = edit.sensitivity ?? statement.sensitivity;
  const { wording } = statement;
  return {
    ...statement,
    id: edit.newId,
    statementHash: edit.statementHash,
    paraphraseHashes: [],
    wording: {
      ...wording,
      text: edit.text,
      claim: edit.claim,
      identity: { ...wording.identity, ...EDITED_BY_HAND },
    },
    sensitivity,
    targetLevel: sensitivity === 'restricted' ? 'peer' : statement.targetLevel,
    state: 'proposed',
    isWithheld: false,
    verification: 'pending',
    heldScopeId: null,
    revalidateAfter: null,
    recordedAt: now,
    update: null,
    stateBeforeContest: null,
    supersedesId: null,
    replacesId: statement.id,
    attestation: { ...statement.attestation, added: [] },
  };
}

const EDITED_BY_HAND = {
  provider: 'human',
  model: 'curator_edit',
  modelVersion: null,
  promptVersion: null,
} as const;

/** Whether `from` may be merged into the statement: open, about the same subject, for the same audience, no less sensitive. */
export function mayTake(into: Statement, from: Statement, now: string): boolean {
  const isOver = stateOf(into, now) === 'expired';
  return (
    into.id !== from.id &&
    isOpen(into) &&
    !isOver &&
    isSameAudience(into.audience, from.audience) &&
    into.subject.type === from.subject.type &&
    into.subject.id === from.subject.id &&
    SENSITIVITIES.indexOf(into.sensitivity) >= SENSITIVITIES.indexOf(from.sensitivity)
  );
}

/**
 * The statement with the sources of `from` and its own text. A later source with the text of `from` attests it, unless
 * `from` was contested. `corroboration` is the number of speakers and documents among the sources of both.
 */
export function united(into: Statement, from: Statement, corroboration: number): Statement {
  const texts = from.state === 'contested' ? [] : [from.statementHash, ...from.paraphraseHashes];
  const isDirect = into.evidenceLevel === 'direct' || from.evidenceLevel === 'direct';
  return {
    ...texts.reduce(knownAs, into),
    confidence: Math.max(into.confidence, from.confidence),
    evidenceLevel: isDirect ? 'direct' : 'indirect',
    corroboration,
    derivationLevel: Math.max(into.derivationLevel, from.derivationLevel),
    attestation: unitedAttestation(into.attestation, from.attestation),
  };
}
