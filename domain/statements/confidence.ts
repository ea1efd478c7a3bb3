/**
 * Confidence and evidence level of a proposed statement. Both are computed: a model says only how openly
 * the source says it, never how far it should be believed.
 */
import type { Candidate, ExtractionRequest } from './candidate.ts';
import type { ConfidenceLevel } from './said.ts';

export const EVIDENCE_LEVELS = ['direct', 'indirect'] as const;
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

export interface GradedCandidate extends Candidate {
  /** 0..1, four decimal places at most. */
  readonly confidence: number;
  readonly evidenceLevel: EvidenceLevel;
}

const BASE: Readonly<Record<ConfidenceLevel, number>> = {
  stated_explicitly: 1,
  clearly_implied: 0.8,
  inferred: 0.6,
};
const INDIRECT_FACTOR = 0.75;

/**
 * The measured precision of what proposed it, else the base of the level; times .75 for indirect evidence, rounded to four
 * decimal places. What says no level says it outright.
 */
export function confidenceOf(
  { confidence_level: level, precision }: Pick<Candidate, 'confidence_level' | 'precision'>,
  evidence: EvidenceLevel,
): number {
  const factor = evidence === 'direct' ? 1 : INDIRECT_FACTOR;
  const base = precision ?? BASE[level ?? 'stated_explicitly'];
  return Math.round(base * factor * 10_000) / 10_000;
}

/**
 * Direct if and only if the subject peer spoke a cited message that holds the supporting span. A statement about a scope
 * is always indirect, so a gate that asks for direct evidence places none.
 */
export function evidenceLevelOf(candidate: Candidate, request: ExtractionRequest): EvidenceLevel {
  // A document is not a peer's own word, not even its uploader's.
  if (candidate.subjectType !== 'peer' || request.document != null) return 'indirect';
  const spoken = [request.anchor, ...request.window].some(
    (message) =>
      message.peerKey === candidate.subjectRef &&
      candidate.sourceMessageIds.includes(message.id) &&
      message.content.includes(candidate.supportingSpan),
  );
  return spoken ? 'direct' : 'indirect';
}

/** The candidate with the confidence and evidence level that the service gives it. */
export function gradeCandidate(candidate: Candidate, request: ExtractionRequest): GradedCandidate {
  const evidenceLevel = evidenceLevelOf(candidate, request);
  return {
    ...candidate,
    evidenceLevel,
    confidence: confidenceOf(candidate, evidenceLevel),
  };
}
