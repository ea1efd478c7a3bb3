/** How two statements stand to each other: what may change the other, and who would learn of it. */
import { SENSITIVITIES, TARGET_LEVELS } from '../extraction/candidate.ts';
import { submittersOf } from './source.ts';
import { standingOf, type Statement } from './statement.ts';

/** Who reads a statement beside curators, when that is fewer than everybody in its scope; else null. */
function fewReaders(statement: Statement): readonly string[] | null {
  const { sensitivity, sources, state, subject, targetLevel } = statement;
  if (standingOf(state) === 'unplaced') return submittersOf(sources);
  const isPrivate = sensitivity === 'personal' || sensitivity === 'restricted';
  return isPrivate && targetLevel === 'peer' ? [subject.id, ...submittersOf(sources)] : null;
}

/** Whether all of these peers, who are at the statement's scope, may read it. */
export function isReadableBy(statement: Statement, peers: readonly string[]): boolean {
  const readers = fewReaders(statement);
  return readers === null || peers.every((peer) => readers.includes(peer));
}

/** Whether everybody who reads the older statement by having submitted it could know of the newer one. */
export function isKnownToReadersOf(older: Statement, newer: Statement): boolean {
  return isReadableBy(newer, submittersOf(older.sources));
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
 * Where the scope of a newer statement lies: `within` when everybody at the older one's scope reads it (the same
 * scope or one above), `below` when the older one reaches further, `apart` when neither reads the other.
 * `chains` are paths, outermost first, by scope id.
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
