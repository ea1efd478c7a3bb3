/**
 * A date as a model writes it, to one end of a validity window. The form says the precision; a date-time at
 * midnight is a day that was written too long. Years, months and days are calendar dates and start at
 * midnight UTC, so that their digits survive; a time is an instant.
 */
import type { Precision, WindowEnd } from '../../../domain/statements/candidate.ts';

const FORM =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;

/** The window end, or null when the text is no date that exists. A time without offset is UTC. */
export function parseWindowEnd(text: string): WindowEnd | null {
  const match = FORM.exec(text.trim());
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, offset] = match;
  const midnight = calendarStart(Number(year), Number(month ?? 1), Number(day ?? 1));
  if (midnight === null) return null;
  const seconds = Number(hour ?? 0) * 3600 + Number(minute ?? 0) * 60 + Number(second ?? 0);
  if (seconds === 0) return end(midnight, precisionOf(month, day));
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return null;
  return end(midnight + seconds * 1000 - offsetMs(offset), 'time');
}

function precisionOf(month: string | undefined, day: string | undefined): Precision {
  if (month === undefined) return 'year';
  return day === undefined ? 'month' : 'day';
}

/** Midnight UTC of a date; null for the 31st of April and the like, which Date would roll over. */
function calendarStart(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  const exists =
    year > 0 &&
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}

function offsetMs(offset: string | undefined): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(offset ?? '');
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}

function end(milliseconds: number, precision: Precision): WindowEnd {
  return { at: new Date(milliseconds).toISOString(), precision };
}
