/**
 * Durations that are only roughly right: "about three months ago", "two or three months ago", "a few months back".
 * Counted in months they identify the calendar month in which something began, and do not tell when it ended.
 */
import { addDays, monthOf, months, yearOf, type ClosedPeriod } from './calendar.ts';
import { amount, COUNT, UNIT } from './lexicon.ts';
import type { Match, Reference } from './rule.ts';

/** The end of the text before an approximate count. `only`, `exactly` and `just` alone loosen nothing. */
const LOOSE_BEFORE = new RegExp(
  String.raw`(?:\b(?:about|around|almost|nearly|over|roughly|approximately|approx\.?|circa|ca\.|some|like|under|(?:more|less|fewer|no later|no earlier) than|at least|at most|up to|close to|maybe|perhaps|probably|possibly|something like|somewhere around|an estimated|a good|(?:i think|i guess|i believe|i'd say|say|it must be),?|${COUNT},? (?:or|to|and))|\b\d{1,3} ?[-–—]|[~≈±]) ?$`,
  'iu',
);
/** The beginning of the text after an approximate expression. */
const LOOSE_AFTER =
  /^,? ?(?:or so|or thereabouts|or more|give or take|more or less|roughly|approximately|probably|maybe|perhaps|i think|i guess|i believe|i'd say|if i (?:remember|recall))\b/iu;
/** Counts that name no number, and halves, which no calendar month is made of. */
const LOOSE_COUNT = /few|several|couple|half/u;
/** No phrase of the lists above is longer. */
const REACH_CHARS = 40;
const DAYS_OF_WEEK = 7;

/** The count between its adverb and its unit, softened inside: "three or so months", "three-ish months". */
export const LOOSE_UNIT = String.raw`(?<count>${COUNT})(?<loosely>(?: or so|ish|-ish)?) (?<unit>${UNIT})(?<more> and a half)?(?<later>(?: or so| or more| or thereabouts)?)`;

/** Whether the words of the match, or those beside it, say that its count is not exact. */
function isApproximate(match: Match): boolean {
  const { before, after } = match.around(REACH_CHARS);
  return (
    LOOSE_COUNT.test(match.group('count') + match.group('more')) ||
    match.group('loosely') + match.group('later') !== '' ||
    LOOSE_BEFORE.test(before + match.group('about')) ||
    LOOSE_AFTER.test(after)
  );
}

/**
 * The calendar month that an approximate duration before (sign -1) or after the message identifies; null when its count
 * is exact, or when it is not counted in months: half a year is six of them, and a single year twelve.
 */
export function monthAbout(match: Match, sign: -1 | 1, { today }: Reference): ClosedPeriod | null {
  const found = amount(match.group('count') + match.group('more'), match.group('unit'));
  if (found === null || !isApproximate(match)) return null;
  const { value, unit } = found;
  const inMonths = match.group('unit').startsWith('mo');
  const month = yearOf(today) * 12 + monthOf(today);
  const startOnly = true;
  if (unit === 'month') return { ...months(0, month + sign * value), startOnly };
  if (unit === 'year' && value === 1) return { ...months(0, month + sign * 12), startOnly };
  if (!inMonths) return null;
  // "Two and a half months" come as weeks.
  const day = addDays(today, sign * value * (unit === 'week' ? DAYS_OF_WEEK : 1));
  return { ...months(yearOf(day), monthOf(day)), startOnly };
}
