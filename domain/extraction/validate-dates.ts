/**
 * Dates written in a statement must come from somewhere: written in a cited message, or resolved from an
 * expression in one ("last Friday", three weeks ago). The check is simple on purpose: it recognises ISO
 * dates, "8 May 2023", "May 8, 2023", "8.5.2023", "2023年5月8日" and a year after a preposition, and lets
 * any other wording pass. A resolved expression supports every date that overlaps its interval and is no
 * finer than it: "in May" supports no day of May.
 */
import type { SourceMessage } from '../statements/candidate.ts';

/** Half-open interval in epoch milliseconds, and the finest date that its expression can stand for. */
export interface Interval {
  readonly from: number;
  readonly until: number;
  readonly finest: 'year' | 'month' | 'day';
}

/** The intervals that the date expressions of a text mean, given who wrote it and when. */
export type ResolveDates = (text: string, message: SourceMessage) => readonly Interval[];

interface WrittenDate {
  readonly year: number;
  /** 1..12, null when only a year is written. */
  readonly month: number | null;
  readonly day: number | null;
}

const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const MONTH = `(?<month>${MONTHS})(?:[a-z]{0,6}\\.?)`;
const YEAR = '(?<year>(?:1[6-9]|20|21)\\d\\d)';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const PATTERNS: readonly RegExp[] = [
  new RegExp(`\\b${YEAR}-(?<month>\\d{2})(?:-(?<day>\\d{2}))?(?!\\d)`, 'gi'),
  new RegExp(`${YEAR}年(?:(?<month>\\d{1,2})月(?:(?<day>\\d{1,2})日)?)?`, 'gi'),
  new RegExp(`\\b${DAY}(?:\\s+of)?\\s+${MONTH},?\\s+${YEAR}\\b`, 'gi'),
  new RegExp(`\\b${MONTH}\\s+${DAY},?\\s+${YEAR}\\b`, 'gi'),
  new RegExp(`\\b${MONTH},?\\s+(?:of\\s+)?${YEAR}\\b`, 'gi'),
  new RegExp(`\\b(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.${YEAR}\\b`, 'gi'),
  new RegExp(`\\b(?:in|since|until|till|by|from|during|before|after)\\s+${YEAR}\\b`, 'gi'),
];
/** The ways to write a year alone. */
const BARE_YEAR = /(?<!\d)\d{4}(?!\d)|['’]\d\d(?!\d)/gu;
const CENTURIES = ['16', '17', '18', '19', '20', '21'];
const FINENESS = { year: 0, month: 1, day: 2 } as const;
/** Characters before and after the span in which its date expressions are looked for; long sources are cut. */
const CONTEXT = 2_000;

/** Whether every date written in the statement is supported by a cited message. */
export function datesAreSupported(
  statement: string,
  span: string,
  cited: readonly SourceMessage[],
  resolve: ResolveDates,
): boolean {
  const dates = writtenDates(statement);
  if (dates.length === 0) return true;
  const supported = new Set(
    cited.flatMap(({ content }) => [
      ...writtenDates(content).flatMap(coarserForms),
      ...bareYears(content),
    ]),
  );
  const open = distinct(dates.filter((date) => !supported.has(keyOf(date))));
  if (open.length === 0) return true;
  const intervals = cited.flatMap((message) => resolve(around(message.content, span), message));
  return open.every((date) => {
    const wanted = intervalOf(date);
    return intervals.some(
      (interval) =>
        FINENESS[interval.finest] >= FINENESS[wanted.finest] &&
        interval.from < wanted.until &&
        wanted.from < interval.until,
    );
  });
}

function writtenDates(text: string): WrittenDate[] {
  const dates: WrittenDate[] = [];
  for (const pattern of PATTERNS) {
    for (const { groups } of text.matchAll(pattern)) {
      const month = monthNumber(groups?.['month']);
      const day = groups?.['day'] === undefined ? null : Number(groups['day']);
      dates.push({ year: Number(groups?.['year']), month, day });
    }
  }
  return dates;
}

function monthNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const named = MONTHS.split('|').indexOf(text.toLowerCase());
  return named === -1 ? Number(text) : named + 1;
}

function keyOf({ year, month, day }: WrittenDate): string {
  return [year, month ?? '', day ?? ''].join('-');
}

function distinct(dates: readonly WrittenDate[]): WrittenDate[] {
  return [...new Map(dates.map((date) => [keyOf(date), date])).values()];
}

/** A written date supports the same date and every coarser form of it. */
function coarserForms(date: WrittenDate): string[] {
  return [date, { ...date, day: null }, { ...date, month: null, day: null }].map(keyOf);
}

/** A year alone is supported by its digits anywhere in a cited message, also as '19. */
function bareYears(content: string): string[] {
  const found = new Set(Array.from(content.matchAll(BARE_YEAR), ([digits]) => digits));
  return [...found]
    .flatMap((digits) =>
      digits.length === 4 ? digits : CENTURIES.map((century) => century + digits.slice(1)),
    )
    .map((year) => keyOf({ year: Number(year), month: null, day: null }));
}

function intervalOf(date: WrittenDate): Interval {
  const month = date.month === null ? 0 : date.month - 1;
  const day = date.day ?? 1;
  const from = Date.UTC(date.year, month, day);
  if (date.day !== null) return { from, until: Date.UTC(date.year, month, day + 1), finest: 'day' };
  if (date.month !== null)
    return { from, until: Date.UTC(date.year, month + 1, 1), finest: 'month' };
  return { from, until: Date.UTC(date.year + 1, 0, 1), finest: 'year' };
}

function around(content: string, span: string): string {
  const position = Math.max(0, content.indexOf(span));
  return content.slice(Math.max(0, position - CONTEXT), position + span.length + CONTEXT);
}
