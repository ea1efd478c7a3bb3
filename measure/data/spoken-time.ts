/**
 * The time of a turn in the form that the service takes. Conversation files write either ISO 8601 or the form
 * `1:56 pm on 8 May, 2023`, which names no zone and is read as UTC. The service replaces a time that it cannot read
 * by the present, so any other form is refused here.
 */
const SPOKEN =
  /^(?<hour>\d{1,2}):(?<minute>\d{2})\s*(?<half>[ap]m)\s+on\s+(?<day>\d{1,2})\s+(?<month>\p{L}{3,})\.?,?\s+(?<year>\d{4})$/iu;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function spokenInstant(found: Readonly<Record<string, string | undefined>>): number {
  const part = (name: string): number => Number(found[name]);
  const month = MONTHS.indexOf(found['month']?.slice(0, 3).toLowerCase() ?? '');
  const hour = part('hour');
  if (month === -1 || hour < 1 || hour > 12 || part('minute') > 59) return Number.NaN;
  const afternoon = found['half']?.toLowerCase() === 'pm' ? 12 : 0;
  const instant = Date.UTC(
    part('year'),
    month,
    part('day'),
    (hour % 12) + afternoon,
    part('minute'),
  );
  // `Date.UTC` turns a day that does not exist into a day of the next month.
  return new Date(instant).getUTCDate() === part('day') ? instant : Number.NaN;
}

/** The instant in ISO 8601 with its zone. Throws when the text names no instant. */
export function isoInstant(text: string): string {
  const trimmed = text.trim();
  if (ISO.test(trimmed) && !Number.isNaN(Date.parse(trimmed))) return trimmed;
  const found = SPOKEN.exec(trimmed)?.groups;
  const instant = found === undefined ? Number.NaN : spokenInstant(found);
  if (Number.isNaN(instant)) throw new Error('a turn of the conversation names no readable time');
  return new Date(instant).toISOString();
}
