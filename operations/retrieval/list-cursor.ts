/**
 * Where a page of the list of statements ends, as a text that callers hand back. It holds values of the last row, which
 * the caller has seen, and no id is looked up for it: a cursor that somebody makes up tells nothing of what is hidden.
 */

import type { ListPlace } from '../../domain/retrieval/list-place.ts';

/** Characters of the longest cursor. */
export const MOST_CURSOR_CHARACTERS = 200;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Postgres knows no year 0, and no cursor of ours has more than four digits. */
const YEARS = /^(?!0000)\d{4}-/;

/** Whether it is a day and a time that exist, with microseconds, as in `2026-01-31T23:59:59.000001Z`. */
function isInstant(text: string): boolean {
  const [whole = '', micros = ''] = text.split('.');
  const at = new Date(`${whole}Z`);
  if (Number.isNaN(at.getTime()) || !/^\d{6}Z$/.test(micros) || !YEARS.test(whole)) {
    return false;
  }
  return at.toISOString() === `${whole}.000Z`;
}

/** Base64url. */
export function writeCursor({ confidence, id, recordedAt }: ListPlace): string {
  return Buffer.from(JSON.stringify([confidence, recordedAt, id]), 'utf8').toString('base64url');
}

/** Null for a text that `writeCursor` does not write. */
export function readCursor(text: string): ListPlace | null {
  if (text.length > MOST_CURSOR_CHARACTERS) return null;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || parsed.length !== 3) return null;
    const [confidence, recordedAt, id]: unknown[] = parsed;
    if (typeof confidence !== 'number' || confidence < 0 || confidence > 1) return null;
    if (typeof recordedAt !== 'string' || typeof id !== 'string' || !UUID.test(id)) return null;
    return isInstant(recordedAt) ? { confidence, recordedAt, id } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
