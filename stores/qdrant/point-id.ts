/**
 * Ids of points. The id of a statement's point can be turned back into the statement, so a search asks Qdrant for no
 * payload: it brings hundreds of hits, and their payloads were a third of what it cost Qdrant (ADR 73).
 *
 * A unit's own id is unique within its account only (an archive may be loaded beside its original), so the account is
 * part of every id. It hides nothing: whoever knows account and statement knows the id, and a write names its account
 * (`point-index.ts`), so that it never replaces another account's point.
 */
import { createHash } from 'node:crypto';
import type { UnitKind } from '../../domain/retrieval/units.ts';
import { idInIndex } from '../id-in-index.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Where the six bytes begin that the account masks: random ones in ids of every version. */
const MASKED_FROM = 24;
const MASKED_BYTES = [0, 1, 2, 3, 4, 5] as const;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** What tells the statements of an account from those of any other with the same ids. */
function maskOf(accountId: string): Uint8Array {
  return createHash('sha256').update(`statement/${accountId}`).digest();
}

const valueOf = (digit: number): number => (digit < 58 ? digit - 48 : digit - 87);

/**
 * Exclusive or: what is masked twice is what it was. Digit by digit, because every search passes hundreds of hits: a
 * number or a buffer made of each id takes three to six times as long.
 */
function masked(id: string, mask: Uint8Array): string {
  let end = '';
  for (const byte of MASKED_BYTES) {
    const at = MASKED_FROM + 2 * byte;
    const value = (valueOf(id.charCodeAt(at)) << 4) | valueOf(id.charCodeAt(at + 1));
    end += HEX[value ^ (mask[byte] ?? 0)] ?? '';
  }
  return id.slice(0, MASKED_FROM) + end;
}

/** The id of a statement's point. Throws a `RangeError` of what is no UUID in lower case. */
export function statementPointId(accountId: string, statementId: string): string {
  if (!UUID.test(statementId)) throw new RangeError('A statement has a UUID');
  return masked(statementId, maskOf(accountId));
}

/**
 * Tells of ids of points which statements of the account they are of: null of what is no UUID; a UUID that is no point's
 * gives one of no statement.
 */
export function statementsOfPoints(accountId: string): (pointId: unknown) => string | null {
  const mask = maskOf(accountId);
  return (id) => (typeof id === 'string' && UUID.test(id) ? masked(id, mask) : null);
}

/** The id of the point of a unit, or of one passage of a message. Stable. Throws as `statementPointId`. */
export function pointId(accountId: string, unit: UnitKind, unitId: string, passage = 0): string {
  return unit === 'statement'
    ? statementPointId(accountId, unitId)
    : idInIndex(accountId, unit, unitId, passage);
}
