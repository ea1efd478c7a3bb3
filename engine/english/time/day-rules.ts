/** Days named from the day of the message: yesterday, last night at nine, on Friday, the weekend, on the 5th. */
import {
  addDays,
  dayOfMonth,
  days,
  monthOf,
  startOfWeek,
  timeOfDay,
  wallDate,
} from './calendar.ts';
import { weekday, yearOf } from './calendar.ts';
import type { ClosedPeriod } from './calendar.ts';
import { amount, SHORT_WEEKDAY, WEEKDAY, weekdayNumber } from './lexicon.ts';
import { rule, type Match, type Reference, type Rule } from './rule.ts';

const CLOCK = String.raw`(?: at (?<hour>1?\d|2[0-3])(?::(?<minute>[0-5]\d))? ?(?<half>am|pm|a\.m\.|p\.m\.)?(?![\d:/]))?`;
const PART_OF_DAY = String.raw`(?: (?<part>morning|afternoon|evening|night))?`;

const SHIFTS: ReadonlyMap<string, number> = new Map([
  ['the day before yesterday', -2],
  ['yesterday', -1],
  ['last night', -1],
  ['today', 0],
  ['tonight', 0],
  ['this morning', 0],
  ['this afternoon', 0],
  ['this evening', 0],
  ['just now', 0],
  ['tomorrow', 1],
  ['the day after tomorrow', 2],
]);

/** The day, or the time of that day when the words give one; "tonight at nine" is 21:00. */
function withClock(day: number, match: Match, evening: boolean): ClosedPeriod {
  const hour = match.group('hour');
  if (hour === '') return days(day);
  const half = match.group('half').slice(0, 1);
  const stated = Number(hour);
  const late = half === 'p' || (half === '' && evening);
  const hours = late && stated < 12 ? stated + 12 : half === 'a' && stated === 12 ? 0 : stated;
  return timeOfDay(addDays(day, (hours + Number(match.group('minute') || 0) / 60) / 24));
}

function namedDay(match: Match, { today }: Reference): ClosedPeriod | null {
  const name = match.group('day');
  const shift = SHIFTS.get(name);
  if (shift === undefined) return null;
  const evening = /night|evening|afternoon/u.test(`${name} ${match.group('part')}`);
  return withClock(addDays(today, shift), match, evening);
}

/** Days since the last such weekday, 1 to 7. */
function daysSince(today: number, target: number): number {
  return ((weekday(today) - target + 6) % 7) + 1;
}

function namedWeekday(match: Match, { today }: Reference): ClosedPeriod {
  const target = weekdayNumber(match.group('weekday'));
  const back = daysSince(today, target);
  const modifier = match.group('modifier');
  const evening = /night|evening|afternoon/u.test(match.group('part'));
  const at = (shift: number): ClosedPeriod => withClock(addDays(today, shift), match, evening);
  if (/last|past/u.test(modifier)) return at(-back);
  const ahead = (7 - back) % 7;
  if (modifier === 'next') {
    return withClock(addDays(startOfWeek(today), 7 + ((target + 6) % 7)), match, evening);
  }
  if (modifier === '' && match.tense() === 'past') return at(-back);
  return at(ahead);
}

function weekend(match: Match, { today }: Reference): ClosedPeriod {
  const saturday = addDays(startOfWeek(today), 5);
  const modifier = match.group('modifier');
  if (modifier === 'next') return days(addDays(saturday, 7), 2);
  const before =
    /last|past/u.test(modifier) ||
    (!modifier.includes('coming') && today < saturday && match.tense() === 'past');
  return days(before ? addDays(saturday, -7) : saturday, 2);
}

function dayOfThisMonth(match: Match, { today }: Reference): ClosedPeriod | null {
  const day = Number(match.group('date'));
  const at = (shift: number): number => wallDate(yearOf(today), monthOf(today) + shift, day);
  if (dayOfMonth(at(0)) !== day) return null;
  const past = match.tense() === 'past';
  if (past) return days(at(0) <= today ? at(0) : at(-1));
  return days(at(0) >= today ? at(0) : at(1));
}

const NAMED = [...SHIFTS.keys()].toSorted((a, b) => b.length - a.length).join('|');

export const DAY_RULES: readonly Rule<ClosedPeriod>[] = [
  rule(
    String.raw`(?<!\blike (?:just |only )?)\b(?<day>${NAMED})\b${PART_OF_DAY}${CLOCK}`,
    namedDay,
  ),
  rule(
    String.raw`(?<!\b(?:every|each|most|other|of) )(?:\b(?<modifier>last|this past|past|this coming|this|next|coming) |\bon (?!\w+ing))?\b(?<weekday>${WEEKDAY})\b(?!'s)${PART_OF_DAY}${CLOCK}`,
    namedWeekday,
  ),
  rule(
    String.raw`\b(?:(?<modifier>last|this past|next)|on) (?<weekday>${SHORT_WEEKDAY})\b(?! of)${PART_OF_DAY}${CLOCK}`,
    namedWeekday,
  ),
  rule(
    String.raw`\b(?<modifier>last|this past|the past|past|this coming|this|next|coming|over the|on the|at the|for the|the) weekend\b(?! of)`,
    weekend,
  ),
  rule(
    String.raw`\b(?<count>two|three|four|a few|a couple of|couple of|\d) weekends ago\b`,
    (match, { today }) => {
      const weeks = amount(match.group('count'), 'week')?.value ?? 1;
      return days(addDays(startOfWeek(today), 5 - 7 * weeks), 2);
    },
  ),
  rule(
    String.raw`\bon the (?<date>[12]?\d|3[01])(?:st|nd|rd|th)(?=$|[.,;:!?)]| (?:and|of this month|at|i|we|he|she|they|for|with)\b)`,
    dayOfThisMonth,
  ),
];
