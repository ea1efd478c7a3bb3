/** Periods counted or named in units from the day of the message: two days ago, last week, earlier this year. */
import {
  addDays,
  between,
  days,
  monthOf,
  months,
  startOfWeek,
  timeOfDay,
  years,
} from './calendar.ts';
import { wallDate, yearOf } from './calendar.ts';
import type { ClosedPeriod } from './calendar.ts';
import { LOOSE_UNIT, monthAbout } from './approximate.ts';
import { ABOUT, amount, COUNT, type Amount } from './lexicon.ts';
import { rule, type Match, type Reference, type Rule } from './rule.ts';

const HOUR_MS = 3_600_000;

/**
 * The period `value` units before (sign -1) or after (+1) the message. As wide as people mean it: days are
 * days, weeks the seven days around the date, months and a single year months, years years; `a few` covers
 * the nearer and the further end.
 */
export function shifted(
  { value, unit, vague }: Amount,
  sign: -1 | 1,
  ref: Reference,
): ClosedPeriod {
  const { now, today } = ref;
  const month = yearOf(today) * 12 + monthOf(today);
  const spread = (near: number, far: number): readonly [number, number] =>
    sign < 0 ? [-far, -near] : [near, far];
  switch (unit) {
    case 'minute':
    case 'hour':
      return timeOfDay(now + (sign * value * HOUR_MS) / (unit === 'hour' ? 1 : 60));
    case 'day': {
      if (!vague) return days(addDays(today, sign * value));
      return sign < 0 ? days(addDays(today, -7), 7) : days(addDays(today, 1), 7);
    }
    case 'week': {
      if (!vague) return days(addDays(today, sign * 7 * value - 3), 7);
      const [first, last] = spread(14, 35);
      return days(addDays(today, first), last - first);
    }
    case 'month': {
      if (!vague) return months(0, month + sign * value);
      const [first, last] = spread(2, 5);
      return months(0, month + first, last - first + 1);
    }
    case 'year': {
      if (vague) return years(yearOf(today) + spread(2, 5)[0], 4);
      return value === 1 ? months(0, month + sign * 12) : years(yearOf(today) + sign * value);
    }
  }
}

function counted(sign: -1 | 1): Rule<ClosedPeriod>['read'] {
  return (match, reference) => {
    const about = monthAbout(match, sign, reference);
    if (about !== null) return about;
    const counted = amount(match.group('count') + match.group('more'), match.group('unit'));
    return counted === null ? null : shifted(counted, sign, reference);
  };
}

/** "in two weeks" is a date only in the future; "I read it in two weeks" tells how long it took. */
function inAmount(match: Match, reference: Reference): ClosedPeriod | null {
  return match.tense() === 'past' ? null : counted(1)(match, reference);
}

/** "the next three months": from the day of the message; "the next few months" have no end. */
function ahead(match: Match, { today }: Reference): ClosedPeriod | null {
  const found = amount(match.group('count') || 'few', match.group('unit'));
  if (found === null || found.unit === 'minute' || found.unit === 'hour') return null;
  const { value, unit, vague } = found;
  if (unit === 'day' || unit === 'week') return days(today, unit === 'day' ? value : value * 7);
  const monthsAhead = unit === 'month' ? value : value * 12;
  const end = wallDate(yearOf(today), monthOf(today) + monthsAhead);
  if (unit === 'year') return between(today, end, 'year');
  return { ...between(today, end, 'month'), startOnly: vague };
}

/**
 * `last week` means the calendar week before to some and the seven days before to others: the period runs
 * from the Monday of the week before up to the day of the message and so contains both.
 */
function week(modifier: string, today: number): ClosedPeriod {
  const monday = startOfWeek(today);
  if (modifier === 'this') return days(monday, 7);
  if (modifier === 'next') return days(addDays(monday, 7), 7);
  return between(addDays(monday, -7), today, 'day');
}

function namedUnit(match: Match, { today }: Reference): ClosedPeriod | null {
  const modifier = /last|past|previous/u.test(match.group('modifier'))
    ? 'last'
    : /next|coming/u.test(match.group('modifier'))
      ? 'next'
      : 'this';
  const shift = modifier === 'last' ? -1 : modifier === 'next' ? 1 : 0;
  switch (match.group('unit')) {
    case 'week':
      return week(modifier, today);
    case 'month':
      return months(yearOf(today), monthOf(today) + shift);
    case 'quarter':
      return months(yearOf(today), (Math.floor(monthOf(today) / 3) + shift) * 3, 3);
    case 'year':
      return years(yearOf(today) + shift);
    case 'decade':
      return years((Math.floor(yearOf(today) / 10) + shift) * 10, 10);
    default:
      return null;
  }
}

export const UNIT_RULES: readonly Rule<ClosedPeriod>[] = [
  rule(
    String.raw`\b(?<about>${ABOUT})${LOOSE_UNIT} (?:ago|back)\b(?! (?:to|from|home|in|together))`,
    counted(-1),
  ),
  rule(String.raw`\bthe other day\b`, (_, { today }) => days(addDays(today, -7), 7)),
  rule(String.raw`\b${LOOSE_UNIT} from (?:now|today)\b`, counted(1)),
  rule(
    String.raw`\bin (?<about>${ABOUT})(?<count>${COUNT}) (?<unit>(?:day|week|month|year)s?)\b(?! (?:of|ago|now)\b)`,
    inAmount,
  ),
  rule(
    String.raw`\b(?:the|these) (?:next|coming|upcoming) (?<count>${COUNT} )?(?<unit>(?:day|week|month|year)s)\b`,
    (match, reference) => ahead({ ...match, group: (name) => match.group(name).trim() }, reference),
  ),
  rule(
    String.raw`\b(?:(?:earlier|later|early|late|sometime|so far|the end of|the beginning of|the start of) )?(?<modifier>last|this past|this coming|this|next|the previous|the coming) (?<unit>week|month|quarter|year|decade)\b(?!end|'s|-)`,
    namedUnit,
  ),
];
