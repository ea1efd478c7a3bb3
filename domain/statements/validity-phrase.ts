/** The validity of a statement, in words for models. */
import type { Precision, WindowEnd } from './candidate.ts';

/** The ends of a validity window; null where an end is not known. `until` is exclusive. */
export interface ValidityEnds {
  readonly from: WindowEnd | null;
  readonly until: WindowEnd | null;
}

const HOUR_MS = 3_600_000;
/** 9999-12-31T23:59:59.999Z: later years have more digits. */
const LAST_INSTANT = 253_402_300_799_999;

/**
 * A year, month or day begins at the speaker's midnight, and the row does not keep the offset. From UTC-10 to UTC+13
 * the midnight lies at most this long before the UTC midnight of the same date, and less than the rest of a day after
 * it.
 */
const EARLIEST_MIDNIGHT_MS = 13 * HOUR_MS;

/** Characters of `2031-03-12T09:30` that a precision leaves. */
const LENGTHS: Readonly<Record<Precision, number>> = { year: 4, month: 7, day: 10, time: 16 };

/** An end cut to its precision: `2031`, `2031-03`, `2031-03-12`, or `2031-03-12T09:30Z`. */
function dateOf({ at, precision }: WindowEnd): string {
  const length = LENGTHS[precision];
  if (precision === 'time') return `${new Date(at).toISOString().slice(0, length)}Z`;
  const midday = Math.min(LAST_INSTANT, Date.parse(at) + EARLIEST_MIDNIGHT_MS);
  return new Date(midday).toISOString().slice(0, length);
}

/** The same without a time: a day at most. */
export function datedEnd({ at, precision }: WindowEnd): string {
  return dateOf({ at, precision: precision === 'time' ? 'day' : precision });
}

/** Where each part of a date begins and ends: years, months, days. */
const PARTS = ['year', 'month', 'day'] as const;

/** The year, month or day that a window is, all of it and nothing beside it: `2024`, `2024-03`; null for every other. */
export function wholePart({ from, until }: ValidityEnds): string | null {
  if (from === null || until === null || from.precision !== until.precision) return null;
  const part = PARTS.findIndex((each) => each === from.precision);
  if (part === -1) return null;
  const written = datedEnd(from);
  const [year = 0, month = 1, day = 1] = written
    .split('-')
    .map((each, nth) => Number(each) + (nth === part ? 1 : 0));
  const next = new Date(0);
  next.setUTCFullYear(year, month - 1, day);
  return next.toISOString().startsWith(datedEnd(until)) ? written : null;
}

/** `true from D`, `true until D`, `true from D to E` or `no dates known`, each date cut to its precision. */
export function validityPhrase({ from, until }: ValidityEnds): string {
  if (from !== null && until !== null) return `true from ${dateOf(from)} to ${dateOf(until)}`;
  if (from !== null) return `true from ${dateOf(from)}`;
  return until === null ? 'no dates known' : `true until ${dateOf(until)}`;
}
