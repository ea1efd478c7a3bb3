/**
 * What a second source makes of a statement. Every value of an unplaced row is a least upper bound over its
 * sources (union, maximum, strictest, narrowest, earliest wording), so the result is the same in whatever
 * order, and however often, the sources arrive.
 */
import { SENSITIVITIES, TARGET_LEVELS } from '../extraction/candidate.ts';
import { compareWords, corroborationOf, unionOfSources } from './source.ts';
import type { Proposal, Statement, Wording } from './statement.ts';

/** Earliest said first; then by content hash; then by text, for two sayings within one message. */
function compareWordings(a: Wording, b: Wording): number {
  return (
    compareWords(a.occurredAt, b.occurredAt) ||
    compareWords(a.sourceHash, b.sourceHash) ||
    compareWords(a.text ?? '', b.text ?? '') ||
    compareWords(a.kind, b.kind) ||
    compareWords(precisionsOf(a), precisionsOf(b))
  );
}

function precisionsOf(wording: Wording): string {
  return `${wording.relevantFrom?.precision ?? ''}|${wording.relevantUntil?.precision ?? ''}`;
}

/** The member that stands later in `order`. */
function later<T>(order: readonly T[], a: T, b: T): T {
  return order.indexOf(a) >= order.indexOf(b) ? a : b;
}

/** Adds the proposal's sources: provenance, submitting peers and corroboration, nothing else. */
export function addEvidence(statement: Statement, proposal: Proposal): Statement {
  const sources = unionOfSources(statement.sources, proposal.sources);
  return { ...statement, sources, corroboration: corroborationOf(sources) };
}

/** The statement with the wording that was said first, when the proposal's was. */
export function keepEarliest(statement: Statement, { wording }: Proposal): Statement {
  return compareWordings(wording, statement.wording) < 0 ? { ...statement, wording } : statement;
}

/** Merges a proposal of the same claim into a row that is not placed yet. */
export function mergeUnplaced(statement: Statement, proposal: Proposal): Statement {
  const sensitivity = later(SENSITIVITIES, statement.sensitivity, proposal.sensitivity);
  const narrowest = later(TARGET_LEVELS.toReversed(), statement.targetLevel, proposal.targetLevel);
  return {
    ...keepEarliest(addEvidence(statement, proposal), proposal),
    confidence: Math.max(statement.confidence, proposal.confidence),
    evidenceLevel:
      statement.evidenceLevel === 'direct' || proposal.evidenceLevel === 'direct'
        ? 'direct'
        : 'indirect',
    sensitivity,
    targetLevel: sensitivity === 'restricted' ? 'peer' : narrowest,
  };
}

/** Whether the proposal asks for more discretion than the placed statement has. */
export function isStricter(proposal: Proposal, statement: Statement): boolean {
  return SENSITIVITIES.indexOf(proposal.sensitivity) > SENSITIVITIES.indexOf(statement.sensitivity);
}
