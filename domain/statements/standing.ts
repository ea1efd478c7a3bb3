/** The standing of two statements: which one may change the other, and which peers would see the change. */
import { SENSITIVITIES, TARGET_LEVELS } from './candidate.ts';
import { comparedSubmitters } from './attestation.ts';
import { standingOf, type Statement } from './statement.ts';

/**
 * The readers of the statement besides curators: its submitters, with or without its subject. Null if more peers read
 * it.
 */
function fewReaders({
  audience,
  sensitivity,
  state,
  targetLevel,
}: Statement): 'submitters' | 'subject too' | null {
  if (standingOf(state) === 'unplaced') return 'submitters';
  // Who belongs to an audience may change, so its members are not counted on.
  if (audience !== null) return 'subject too';
  const isPrivate = sensitivity === 'personal' || sensitivity === 'restricted';
  return isPrivate && targetLevel === 'peer' ? 'subject too' : null;
}

/** Whether all of these peers, who are at the statement's scope, may read it. */
export function isReadableBy(statement: Statement, peers: Iterable<string>): boolean {
  const readers = fewReaders(statement);
  if (readers === null) return true;
  const { attestation, subject } = statement;
  for (const peer of peers) {
    const isSubject = readers === 'subject too' && peer === subject.id;
    if (!isSubject && !attestation.submitters.has(peer)) return false;
  }
  return true;
}

/** Whether every submitter of the older statement may read the newer one. */
export function isKnownToReadersOf(older: Statement, newer: Statement): boolean {
  if (fewReaders(newer) === null) return true;
  const submitters = comparedSubmitters(older.attestation);
  return submitters !== null && isReadableBy(newer, submitters);
}

const DECIDED_BY_PERSON: readonly Statement['verification'][] = [
  'curator_approved',
  'subject_confirmed',
];

/** Placed before unplaced, wide before narrow, direct before indirect, open before confidential. */
export function standsHigher(older: Statement, newer: Statement): boolean {
  const isPlaced = standingOf(newer.state) === 'placed';
  if (standingOf(older.state) === 'placed' && !isPlaced) return true;
  if (isPlaced && DECIDED_BY_PERSON.includes(newer.verification)) return false;
  const { evidenceLevel, sensitivity, targetLevel } = older;
  return (
    TARGET_LEVELS.indexOf(targetLevel) > TARGET_LEVELS.indexOf(newer.targetLevel) ||
    (evidenceLevel === 'direct' && newer.evidenceLevel === 'indirect') ||
    SENSITIVITIES.indexOf(sensitivity) < SENSITIVITIES.indexOf(newer.sensitivity)
  );
}

/**
 * Where the scope of a newer statement lies: `within` when it is the older one's scope or above it, so that every
 * reader there reads the newer one; `below` when it is below the older one's scope; `apart` otherwise. `chains` are
 * ids, outermost first, by scope id.
 */
export function placeOf(
  newerScopeId: string,
  olderScopeId: string,
  chains: ReadonlyMap<string, readonly string[]>,
): 'within' | 'below' | 'apart' {
  if (newerScopeId === olderScopeId) return 'within';
  const newer = chains.get(newerScopeId) ?? [];
  const older = chains.get(olderScopeId) ?? [];
  if (older.includes(newer.at(-1) ?? '')) return 'within';
  return newer.includes(older.at(-1) ?? '') ? 'below' : 'apart';
}
