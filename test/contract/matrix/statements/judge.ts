/** The judge of statements: what the tables say of a cell. It knows nothing of the service's own predicate. */
import { rowFor, type Cell } from '../table.ts';
import type { StatementCell } from './cells.ts';
import {
  AUDIENCE,
  BELIEVED,
  IN_LINEAGE,
  IN_READINESS,
  LISTED,
  OWN_RECORD,
  SPOKEN_OF,
} from './views.ts';

/**
 * As whom the chain is read: as a peer, as nobody in particular, or as a peer that the caller names where it curates, and as
 * the caller, whom no cell speaks of, in the other scopes.
 */
export const READERS = ['peer', 'nobody', 'named where curated'] as const;
export type ReaderKind = (typeof READERS)[number];

export const PLACED: readonly string[] = ['active', 'needs_revalidation', 'stale'];
export const yesNo = (yes: boolean) => (yes ? 'yes' : 'no');

/** The cell as its reader finds it: what the tables are asked about. */
export function aspectsOf(cell: StatementCell, kind: ReaderKind): Cell {
  const isNamed = kind !== 'named where curated' || cell.place === 'curated';
  const subject = cell.subject === 'reader' && !isNamed ? 'other' : cell.subject;
  const reader = kind === 'nobody' ? 'nobody' : 'peer';
  const isTheReaders = isNamed && reader === 'peer';
  const addressed =
    cell.addressed === 'to the reader' && !isTheReaders ? 'to others' : cell.addressed;
  const submitted = yesNo(isNamed && reader === 'peer' && cell.submitter === 'reader');
  const isPlaced = PLACED.includes(cell.state) || cell.history === 'placed before';
  return withAudience({ ...cell, addressed, subject, reader, submitted, placed: yesNo(isPlaced) });
}

/** The aspects of a statement before its reader, and whether the reader is of its audience. */
export function withAudience(found: Cell): Cell {
  const aspects = { addressed: 'to all', served: 'yes', ...found };
  return { ...aspects, audience: rowFor(AUDIENCE, aspects).answer };
}

export const isBelieved = (found: Cell): boolean => rowFor(BELIEVED, found).answer === 'shown';

export function isListed(found: Cell, asked: string): boolean {
  if (asked === 'active') return isBelieved(found);
  const isAsked = yesNo(asked === found['state']);
  return rowFor(LISTED, { ...found, isAsked }).answer === 'shown';
}

export const inLineage = (found: Cell) => rowFor(IN_LINEAGE, found).answer;

export const isInReadiness = (found: Cell): boolean =>
  rowFor(IN_READINESS, found).answer === 'shown';

export const isOwn = (found: Cell): boolean => rowFor(OWN_RECORD, found).answer === 'shown';

export const isSpokenOf = (found: Cell): boolean => rowFor(SPOKEN_OF, found).answer === 'shown';
