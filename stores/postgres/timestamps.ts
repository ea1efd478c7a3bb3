/** Instants as Postgres prints them. */

/** Where the parts of `2026-11-24 13:17:02.863+00` end. */
const DATE_ENDS = 10;
const SECOND_ENDS = 19;
const UTC = '+00';

/**
 * `timestamptz` as ISO 8601 UTC with milliseconds; infinities stay the words Postgres prints. What Postgres prints for a
 * session in UTC is cut and joined, because a search reads a thousand of them.
 */
export function parseTimestamp(text: string): string {
  if (text.endsWith('infinity')) return text;
  const isPlain = text.endsWith(UTC) && text[4] === '-' && text[DATE_ENDS] === ' ';
  const fraction = text.slice(SECOND_ENDS, -UTC.length);
  if (!isPlain || (fraction !== '' && !fraction.startsWith('.'))) {
    return new Date(text).toISOString();
  }
  const milliseconds = fraction.slice(1, 4).padEnd(3, '0');
  return `${text.slice(0, DATE_ENDS)}T${text.slice(DATE_ENDS + 1, SECOND_ENDS)}.${milliseconds}Z`;
}
