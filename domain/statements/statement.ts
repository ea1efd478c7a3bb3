/**
 * A statement as governance sees it, and the standing that its state gives it. Two statements say the same
 * when their scope, audience, subject, folded text and validity window are equal.
 */
import type { Sensitivity, TargetLevel, WindowEnd } from './candidate.ts';
import type { EvidenceLevel } from './confidence.ts';
import { KNOWLEDGE_STATES, type KnowledgeState } from './states.ts';
import type { ExtractionIdentity } from '../models/identity.ts';
import type { AttributeClaim } from './attributes.ts';
import type { Attestation } from './attestation.ts';
import type { Source } from './source.ts';
import type { SaidValues } from './said.ts';
import type { NamedAudience } from '../audiences/principals.ts';

export const VERIFICATIONS = [
  'pending',
  'pending_human',
  'auto_verified',
  'auto_rejected',
  'auto_rejected_stale',
  'subject_confirmed',
  'subject_disputed',
  'curator_approved',
  'curator_rejected',
  'stale',
  'sole_source_erased',
] as const;
export type Verification = (typeof VERIFICATIONS)[number];

export interface Subject {
  readonly type: 'peer' | 'scope';
  readonly id: string;
}

/** The kept text with all values of the source that it comes from. */
export interface Wording extends SaidValues {
  /** Null only for rows whose text was withdrawn. */
  readonly text: string | null;
  /** Its claim about an attribute that newer statements update; null without a claim. */
  readonly claim: AttributeClaim | null;
  readonly relevantFrom: WindowEnd | null;
  /** As the source says it; an update may end the statement earlier (`validUntil`). */
  readonly relevantUntil: WindowEnd | null;
  readonly occurredAt: string;
  /** Content hash of the source, lower-case hex. */
  readonly sourceHash: string;
  /** The extractor of the text. An edited or imported statement may lack parts. */
  readonly identity: Pick<ExtractionIdentity, 'pipelineVersion'> & {
    readonly provider: string;
    readonly model: string | null;
    readonly modelVersion: string | null;
    readonly promptVersion: string | null;
  };
}

/** The values that the gates read and decide about. */
export interface GovernedValues {
  readonly sensitivity: Sensitivity;
  readonly targetLevel: TargetLevel;
  readonly confidence: number;
  readonly evidenceLevel: EvidenceLevel;
}

/** A validated candidate, resolved to ids, that asks to be kept. */
export interface Proposal extends GovernedValues {
  readonly anchorId: string;
  readonly scopeId: string;
  /** That of its anchor: whoever the anchor is not for reads nothing that is drawn from it. */
  readonly audience: NamedAudience | null;
  readonly subject: Subject;
  /** SHA-256 of the folded text, lower-case hex. */
  readonly statementHash: string;
  readonly wording: Wording;
  /** Begins with the anchor. */
  readonly sources: readonly [Source, ...Source[]];
}

/** How a newer statement changed an older one. */
export interface Update {
  /** The newer statement. */
  readonly byId: string;
  /** Where the older one's validity ends; null when it is superseded. */
  readonly ends: WindowEnd | null;
  /** The state it has without the update. */
  readonly stateBefore: KnowledgeState;
}

export interface Statement extends GovernedValues {
  readonly id: string;
  readonly scopeId: string;
  /** Whom it is for besides its subject and its submitters; null where everybody of the scope may read it. */
  readonly audience: NamedAudience | null;
  readonly subject: Subject;
  readonly statementHash: string;
  /** Hashes of all texts that were merged into it because they say the same, sorted; none where there is one text. */
  readonly paraphraseHashes: readonly string[];
  readonly wording: Wording;
  readonly state: KnowledgeState;
  readonly verification: Verification;
  /** The scope in which an approval would place it, while it is held. */
  readonly heldScopeId: string | null;
  readonly corroboration: number;
  readonly previouslyRefused: boolean;
  /** A curator doubts it, and nobody but the item that asks about it places it again. */
  readonly isWithheld: boolean;
  readonly expiresAt: string | null;
  readonly revalidateAfter: string | null;
  readonly recordedAt: string;
  /** How a newer statement of the same attribute changed it; null while it stands. */
  readonly update: Update | null;
  /** The state that a dismissed contest gives back; null while it is not contested. */
  readonly stateBeforeContest: KnowledgeState | null;
  /** The newest of the statements that it replaced. */
  readonly supersedesId: string | null;
  /** The statement whose edited text this one is. The earlier one stands until this one is placed. */
  readonly replacesId: string | null;
  /** 1 where it is drawn from messages alone, else 1 + the highest level of the statements that it is drawn from. */
  readonly derivationLevel: number;
  /** The statement that a curator merged this one into. */
  readonly mergedIntoId: string | null;
  readonly attestation: Attestation;
}

/**
 * `unplaced`: still a proposal, its values may change. `placed`: believed, a merge adds sources only. `refused`: a
 * person or a rule refused it. `closed`: ended without a refusal.
 */
export type Standing = 'unplaced' | 'placed' | 'refused' | 'closed';

const STANDINGS: Readonly<Record<KnowledgeState, Standing>> = {
  proposed: 'unplaced',
  provisional: 'unplaced',
  held: 'unplaced',
  active: 'placed',
  needs_revalidation: 'placed',
  stale: 'placed',
  contested: 'refused',
  rejected: 'refused',
  redacted: 'refused',
  superseded: 'closed',
  expired: 'closed',
  retracted: 'closed',
};

export function standingOf(state: KnowledgeState): Standing {
  return STANDINGS[state];
}

/** States in which a statement has neither ended nor been refused. */
export const OPEN_STATES: readonly KnowledgeState[] = KNOWLEDGE_STATES.filter((state) =>
  ['placed', 'unplaced'].includes(STANDINGS[state]),
);

export function isOpen({ state }: Pick<Statement, 'state'>): boolean {
  return OPEN_STATES.includes(state);
}

/** The end of the statement's validity: by an update, else as its source says. */
export function validUntil(statement: Statement): WindowEnd | null {
  return statement.update?.ends ?? statement.wording.relevantUntil;
}

/** Whether two wordings are about the same time; null equals null. */
export function sameWindow(a: Wording, b: Wording): boolean {
  return a.relevantFrom?.at === b.relevantFrom?.at && a.relevantUntil?.at === b.relevantUntil?.at;
}

/** Whether both ends are known and the first is not before the second. */
export function isEmptyWindow(wording: Wording): boolean {
  const { relevantFrom, relevantUntil } = wording;
  return relevantFrom !== null && relevantUntil !== null && relevantFrom.at >= relevantUntil.at;
}

/** Whether two statements are equal. The attestation counts as equal as long as no source was added. */
export function isSame(a: Statement, b: Statement): boolean {
  if (a === b) return true;
  if (a.attestation !== b.attestation) return false;
  const { attestation: _a, ...valuesOfA } = a;
  const { attestation: _b, ...valuesOfB } = b;
  return JSON.stringify(valuesOfA) === JSON.stringify(valuesOfB);
}
