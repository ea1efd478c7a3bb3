/** The words of a calendar day, as people ask for it. */

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

const MINUTE_MS = 60_000;

/** Month, day and year of a moment in the sender's own day. `at` in milliseconds, the offset from UTC in minutes. */
export function dateWords(at: number, offsetMinutes = 0): readonly string[] {
  const date = new Date(at + offsetMinutes * MINUTE_MS);
  const month = MONTHS[date.getUTCMonth()];
  if (month === undefined) return [];
  return [month, String(date.getUTCDate()), String(date.getUTCFullYear())];
}
