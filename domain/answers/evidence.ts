/**
 * The evidence for an answer: statements and, if the caller asks for them, messages, in the form that the answerer
 * reads.
 */
import type { AttributeClaim } from '../statements/attributes.ts';
import type { ValidityEnds } from '../statements/validity-phrase.ts';

export const EVIDENCE_TYPES = ['knowledge', 'source_message'] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** Where in the list an item comes from: the first candidates of the search, a tool, or the further candidates. */
export const EVIDENCE_ORIGINS = ['head', 'tool', 'tail'] as const;
export type EvidenceOrigin = (typeof EVIDENCE_ORIGINS)[number];

/** The speaker and the time of a message. */
export interface Spoken {
  readonly peerKey: string;
  readonly peerName: string;
  readonly role: string;
  /** ISO 8601. */
  readonly occurredAt: string;
}

export interface EvidenceItem {
  /** Of the statement or of the message. */
  readonly id: string;
  readonly type: EvidenceType;
  readonly text: string;
  readonly scopePath: string;
  readonly sourceMessageIds: readonly string[];
  readonly validity: ValidityEnds;
  /** The level of a statement: `peer`, `scope` or `account`. `message` for a message. */
  readonly level: string;
  readonly isProvisional: boolean;
  /** Between 0 and 1; it orders the items of one answer. */
  readonly score: number;
  /** The peer that it is about; null for a scope, and for a message. */
  readonly subjectPeerId: string | null;
  readonly subjectName: string | null;
  /** Its claim about an attribute of which a person has one value. Null without such a claim. */
  readonly claim: AttributeClaim | null;
  /** The earliest source that the reader may read, or the message itself; null when there is none. */
  readonly spoken: Spoken | null;
}

/** An item with its place in the list that the answerer reads. */
export interface AdmittedEvidence extends EvidenceItem {
  readonly origin: EvidenceOrigin;
}
