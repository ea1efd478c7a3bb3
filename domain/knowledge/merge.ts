/**
 * How a further source changes a statement. Every value of an unplaced row is a least upper bound over its sources
 * (union, maximum, strictest, narrowest, earliest wording), so the result is the same in whatever order, and however
 * often, the sources arrive.
 */
import { SENSITIVITIES, TARGET_LEVELS } from '../statements/candidate.ts';
import { saidText } from '../statements/said.ts';
import { comparedSubmitters, newAttesters, withSources } from '../statements/attestation.ts';
import { compareWords, submittersOf } from '../statements/source.ts';
import type { Proposal, Statement, Wording } from '../statements/statement.ts';

/** Earliest said first; then by content hash; then by text, for two sayings within one message. */
function compareWordings(a: Wording, b: Wording): number {
  return (
    compareWords(a.occurredAt, b.occurredAt) ||
    compareWords(a.sourceHash, b.sourceHash) ||
    compareWords(a.text ?? '', b.text ?? '') ||
    compareWords(saidText(a), saidText(b)) ||
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
export function addSources(statement: Statement, proposal: Proposal): Statement {
  const attestation = withSources(statement.attestation, proposal.sources);
  const corroboration = statement.corroboration + newAttesters(statement.attestation, attestation);
  const known = knownAs(statement, proposal.statementHash);
  return attestation === statement.attestation ? known : { ...known, attestation, corroboration };
}

/** The statement in the proposal's words. Its own hash stays known, and its own attribute claim where the proposal has none. */
export function reworded(statement: Statement, { statementHash, wording }: Proposal): Statement {
  const claim = wording.claim ?? statement.wording.claim;
  return { ...knownAs(statement, statementHash), statementHash, wording: { ...wording, claim } };
}

/** The statement with the proposal's attribute claim, where its own wording shows none. */
function withClaimOf(statement: Statement, { wording }: Proposal): Statement {
  if (statement.wording.claim !== null || wording.claim === null) return statement;
  return { ...statement, wording: { ...statement.wording, claim: wording.claim } };
}

/** The statement, with `hash` among the texts by which it is found. */
export function knownAs(statement: Statement, hash: string): Statement {
  const { paraphraseHashes, statementHash } = statement;
  if (hash === statementHash || paraphraseHashes.includes(hash)) return statement;
  const hashes = new Set([...paraphraseHashes, statementHash, hash]);
  return { ...statement, paraphraseHashes: [...hashes].toSorted(compareWords) };
}

/**
 * The statement with the proposal's wording when that was said earlier. Another text is taken only where every
 * submitter of the statement also submitted the proposal, since it may say more than they said.
 */
export function keepEarliest(statement: Statement, proposal: Proposal): Statement {
  if (compareWordings(proposal.wording, statement.wording) >= 0) {
    return withClaimOf(statement, proposal);
  }
  const isOwnText = proposal.statementHash === statement.statementHash;
  return isOwnText || areAmong(submittersOf(proposal.sources), statement)
    ? reworded(statement, proposal)
    : withClaimOf(statement, proposal);
}

/** Whether every submitter of the statement is among these peers. */
function areAmong(peers: readonly string[], { attestation }: Statement): boolean {
  const submitters = comparedSubmitters(attestation);
  return submitters !== null && [...submitters].every((peer) => peers.includes(peer));
}

/** Merges a proposal that says the same into a row that is not placed yet. */
export function mergeUnplaced(statement: Statement, proposal: Proposal): Statement {
  const sensitivity = later(SENSITIVITIES, statement.sensitivity, proposal.sensitivity);
  const narrowest = later(TARGET_LEVELS.toReversed(), statement.targetLevel, proposal.targetLevel);
  return {
    ...addSources(keepEarliest(statement, proposal), proposal),
    confidence: Math.max(statement.confidence, proposal.confidence),
    evidenceLevel:
      statement.evidenceLevel === 'direct' || proposal.evidenceLevel === 'direct'
        ? 'direct'
        : 'indirect',
    sensitivity,
    targetLevel: sensitivity === 'restricted' ? 'peer' : narrowest,
  };
}

/** Whether the proposal is more sensitive than the placed statement. */
export function isStricter(proposal: Proposal, statement: Statement): boolean {
  return SENSITIVITIES.indexOf(proposal.sensitivity) > SENSITIVITIES.indexOf(statement.sensitivity);
}
