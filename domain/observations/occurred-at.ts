/**
 * When something was said, as a caller writes it: an ISO 8601 date or date-time. The offset is honoured and kept,
 * because relative dates are resolved in the sender's day; without one the time is UTC. Any other text gives null,
 * and the calling code takes its own clock.
 */

export interface OccurredAt {
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly offsetMinutes: number;
}

const DATE = String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)`;
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?`;
const OFFSET = String.raw`(?<zulu>[zZ])|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?`;
const INSTANT = new RegExp(`^${DATE}(?:[tT ]${TIME}(?:${OFFSET})?)?$`);
const MINUTE_MS = 60_000;

type Parts = Readonly<Record<string, string | undefined>>;

const number = (parts: Parts, name: string): number => Number(parts[name] ?? '0');

/** UTC milliseconds of the written fields; NaN unless they name a real day and time of it. */
function localInstant(parts: Parts): number {
  const [year, month, day] = [number(parts, 'year'), number(parts, 'month'), number(parts, 'day')];
  const [hour, minute] = [number(parts, 'hour'), number(parts, 'minute')];
  const second = number(parts, 'second');
  if (year === 0 || hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const date = new Date(0);
  // setUTCFullYear takes years below 100 as they are; the Date constructor would not.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return Number.NaN;
  const milliseconds = Math.floor(Number(`0.${parts['fraction'] ?? '0'}`) * 1000);
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
}

function offsetOf(parts: Parts): number {
  const hours = number(parts, 'offsetHour');
  const minutes = number(parts, 'offsetMinute');
  if (hours > 23 || minutes > 59) return Number.NaN;
  const total = hours * 60 + minutes;
  return parts['sign'] === '-' ? -total : total;
}

/** The instant that `text` names, or null. */
export function parseOccurredAt(text: string): OccurredAt | null {
  const parts: Parts | undefined = INSTANT.exec(text.trim())?.groups;
  if (parts === undefined) return null;
  const offsetMinutes = offsetOf(parts);
  const instant = localInstant(parts) - offsetMinutes * MINUTE_MS;
  if (Number.isNaN(instant)) return null;
  const at = new Date(instant);
  const year = at.getUTCFullYear();
  // The offset may push the instant out of the years that ISO 8601 writes with four digits.
  if (year < 1 || year > 9999) return null;
  // -0 would be a second spelling of no offset.
  return { at: at.toISOString(), offsetMinutes: offsetMinutes === 0 ? 0 : offsetMinutes };
}
