/**
 * Calendar arithmetic on the sender's wall clock. A wall time is the sender's local date and time written as
 * milliseconds as if it were UTC; only `toWindowEnd` turns it into an instant. No time zone data is used, so
 * the offset of the message holds for every date derived from it.
 */
import type { Precision, WindowEnd } from '../../../domain/statements/candidate.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** One end of a period on the sender's wall clock. */
export interface Edge {
  readonly wall: number;
  readonly precision: Precision;
}

/** Half-open; an end that the text does not name is null. */
export interface Period {
  readonly from: Edge | null;
  readonly until: Edge | null;
}

/** A period with both ends. */
export interface ClosedPeriod extends Period {
  readonly from: Edge;
  readonly until: Edge;
  /** The words identify this period as the one in which something began: alone they give no end. */
  readonly startOnly?: boolean;
}

export function wallTime(instant: Date, offsetMinutes: number): number {
  return instant.getTime() + offsetMinutes * MINUTE;
}

/** The instant of an edge, or null outside the years 1 to 9999, which no date of a text means. */
export function toWindowEnd(edge: Edge | null, offsetMinutes: number): WindowEnd | null {
  if (edge === null) return null;
  const date = new Date(edge.wall - offsetMinutes * MINUTE);
  const year = date.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return null;
  return { at: date.toISOString(), precision: edge.precision };
}

export function startOfDay(wall: number): number {
  return Math.floor(wall / DAY) * DAY;
}

export function addDays(wall: number, days: number): number {
  return wall + days * DAY;
}

/** 0 = Sunday. */
export function weekday(wall: number): number {
  return new Date(wall).getUTCDay();
}

export function yearOf(wall: number): number {
  return new Date(wall).getUTCFullYear();
}

/** 0 = January. */
export function monthOf(wall: number): number {
  return new Date(wall).getUTCMonth();
}

export function dayOfMonth(wall: number): number {
  return new Date(wall).getUTCDate();
}

/** Midnight of a date; months and days beyond their range carry over. */
export function wallDate(year: number, month: number, day = 1): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

/** The Monday of the week of a day. */
export function startOfWeek(day: number): number {
  return addDays(startOfDay(day), -((weekday(day) + 6) % 7));
}

export function between(from: number, until: number, precision: Precision): ClosedPeriod {
  return { from: { wall: from, precision }, until: { wall: until, precision } };
}

export function days(first: number, count = 1): ClosedPeriod {
  return between(first, addDays(first, count), 'day');
}

/** `count` calendar months from `month` (0 = January; out of range carries over). */
export function months(year: number, month: number, count = 1): ClosedPeriod {
  return between(wallDate(year, month), wallDate(year, month + count), 'month');
}

export function years(first: number, count = 1): ClosedPeriod {
  return between(wallDate(first, 0), wallDate(first + count, 0), 'year');
}

/** From an instant of the day to the end of that day: the end of an event at a time is not named. */
export function timeOfDay(wall: number): ClosedPeriod {
  return {
    from: { wall, precision: 'time' },
    until: { wall: addDays(startOfDay(wall), 1), precision: 'day' },
  };
}
