/** Periods with calendar names: months, years, decades, quarters, seasons, fixed holidays. */
import { days, monthOf, months, wallDate, yearOf, years, type ClosedPeriod } from './calendar.ts';
import { MONTH, monthNumber, SEASON, YEAR } from './lexicon.ts';
import { rule, type Match, type Reference, type Rule } from './rule.ts';

const PART =
  '(?:(?<part>early|mid|late|the beginning of|the start of|the middle of|the end of)[ -])?';
/** A bare year is a date only after such a word: model years and amounts look the same. */
const BEFORE_YEAR =
  '(?<=\\b(?:in|since|from|until|till|of|during|around|circa|by|before|after|through|back in|early|mid|late|and|to)[ -]|\\d{4} ?[-–] ?)';

/** First third, middle or last third of a year, in months. */
function partOfYear(year: number, part: string): ClosedPeriod {
  if (/early|beginning|start/u.test(part)) return months(year, 0, 4);
  if (/mid/u.test(part)) return months(year, 4, 4);
  return part === '' ? years(year) : months(year, 8, 4);
}

/** Which of the yearly repetitions `of(year)` is meant. */
function recurring(match: Match, today: number, of: (year: number) => ClosedPeriod): ClosedPeriod {
  const modifier = match.group('modifier');
  const year = yearOf(today);
  if (modifier === 'this') return of(year);
  const past =
    /last|past/u.test(modifier) || (!/next|coming/u.test(modifier) && match.tense() === 'past');
  const candidates = [year + 2, year + 1, year, year - 1, year - 2].map(of);
  const latest = candidates.find((period) =>
    modifier === '' ? period.from.wall <= today : period.until.wall <= today,
  );
  if (past && latest !== undefined) return latest;
  const following = candidates.findLast((period) =>
    modifier === '' ? period.until.wall > today : period.from.wall > today,
  );
  return following ?? of(year);
}

function month(match: Match, { today }: Reference): ClosedPeriod {
  const number = monthNumber(match.group('month'));
  const year = match.group('year');
  return year === ''
    ? recurring(match, today, (y) => months(y, number))
    : months(Number(year), number);
}

const SEASON_MONTHS: ReadonlyMap<string, number> = new Map([
  ['spring', 2],
  ['summer', 5],
  ['autumn', 8],
  ['fall', 8],
  ['winter', 11],
]);

/** Seasons of the northern hemisphere, by whole months; a winter carries the year it begins in. */
function season(match: Match, { today }: Reference): ClosedPeriod {
  const name = match.group('season');
  const first = SEASON_MONTHS.get(name) ?? 0;
  const year = match.group('year') || match.group('shortYear').replace(/^/u, '20');
  if (/^\d{4}$/u.test(year)) return months(Number(year), first, 3);
  const modifier = match.group('modifier');
  const winterNow = name === 'winter' && monthOf(today) < 2;
  if (modifier === 'this') return months(yearOf(today) - (winterNow ? 1 : 0), first, 3);
  if (modifier === 'next') {
    const soon = months(yearOf(today), first, 3);
    const far = soon.from.wall >= wallDate(yearOf(today), monthOf(today) + 3);
    return far ? soon : months(yearOf(today) + 1, first, 3);
  }
  return recurring(match, today, (y) => months(y, first, 3));
}

const ORDINALS = 'first second third fourth'.split(' ');

function quarter(match: Match, { today }: Reference): ClosedPeriod {
  const named = match.group('quarter') || match.group('ordinal');
  const number = /^\d/u.test(named) ? Number(named.slice(0, 1)) - 1 : ORDINALS.indexOf(named);
  const year = match.group('year');
  if (year !== '') return months(Number(year), number * 3, 3);
  return recurring(match, today, (y) => months(y, number * 3, 3));
}

function halfYear(match: Match, { today }: Reference): ClosedPeriod {
  return months(
    Number(match.group('year') || yearOf(today)),
    match.group('half') === '1' ? 0 : 6,
    6,
  );
}

function decade(match: Match): ClosedPeriod {
  const stated = match.group('decade');
  const century = stated.length === 4 ? 0 : Number(stated) >= 30 ? 1900 : 2000;
  const first = century + Number(stated);
  const part = match.group('part');
  if (/early|beginning|start/u.test(part)) return years(first, 4);
  if (/mid/u.test(part)) return years(first + 3, 4);
  return part === '' ? years(first, 10) : years(first + 6, 4);
}

const HOLIDAYS: ReadonlyMap<string, readonly [month: number, day: number]> = new Map([
  ["new year's day", [0, 1]],
  ["valentine's day", [1, 14]],
  ['halloween', [9, 31]],
  ['christmas eve', [11, 24]],
  ['christmas day', [11, 25]],
  ['christmas', [11, 25]],
  ['boxing day', [11, 26]],
  ["new year's eve", [11, 31]],
]);

function holiday(match: Match, { today }: Reference): ClosedPeriod | null {
  const date = HOLIDAYS.get(match.group('holiday').replaceAll('’', "'"));
  if (date === undefined) return null;
  const of = (y: number): ClosedPeriod => days(wallDate(y, date[0], date[1]));
  return match.group('year') === '' ? recurring(match, today, of) : of(Number(match.group('year')));
}

const HOLIDAY = [...HOLIDAYS.keys()]
  .toSorted((a, b) => b.length - a.length)
  .join('|')
  .replaceAll("'", "['’]");

export const NAME_RULES: readonly Rule<ClosedPeriod>[] = [
  rule(
    String.raw`(?<!\d(?:st|nd|rd|th)? (?:of )?)\b${PART}(?<month>${MONTH}),?(?: of)? (?<year>${YEAR})\b(?![-/]\d)`,
    month,
  ),
  rule(
    String.raw`(?<!\d(?:st|nd|rd|th)? )\b(?:(?<modifier>last|this past|next|this)|in|since|until|till|during|of|by|early|mid|late|back in|from|through|around|between|(?<=\b(?:between|from) ${MONTH} )(?:and|to|until|through)) (?<month>${MONTH})(?! ?\d|'s| (?:the|of)\b)`,
    month,
  ),
  rule(
    String.raw`${BEFORE_YEAR}(?<year>${YEAR})\b(?!s\b|[-/.:]\d|['’]s|%| ?(?:km|kg|miles|people|dollars|euros|words|calories|points))`,
    (match) => years(Number(match.group('year'))),
  ),
  rule(
    String.raw`\b(?<part>early|mid|late|the beginning of|the start of|the middle of|the end of)[ -](?<year>${YEAR})\b(?!s)`,
    (match) => partOfYear(Number(match.group('year')), match.group('part')),
  ),
  rule(
    String.raw`\b(?:in |during |since |from |of )?the ${PART}(?:['’]?)(?<decade>(?:1[89]|20)\d0|[1-9]0)['’]?s\b`,
    decade,
  ),
  rule(String.raw`\bq(?<quarter>[1-4])(?:,? (?:of )?(?<year>${YEAR}))?\b`, quarter),
  rule(
    String.raw`\bthe (?<ordinal>first|second|third|fourth) quarter(?: of (?<year>${YEAR}))?\b`,
    quarter,
  ),
  rule(String.raw`\bh(?<half>[12]) (?:of )?(?<year>${YEAR})\b`, halfYear),
  rule(
    String.raw`\b(?<season>${SEASON})(?: of)?,? (?:(?<year>${YEAR})|['’](?<shortYear>\d\d))\b`,
    season,
  ),
  rule(
    String.raw`\b(?<modifier>last|this past|past|this coming|this|next) (?<season>${SEASON})\b(?! (?:of|break)\b)`,
    season,
  ),
  rule(
    String.raw`\b(?:(?<modifier>last|this past|this|next)|on|at|over|around) (?<holiday>${HOLIDAY})\b(?:,? (?<year>${YEAR})\b)?`,
    holiday,
  ),
];
