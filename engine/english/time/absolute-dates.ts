/**
 * Absolute dates ("8 May 2023", "2023-05-08 at 3pm", "May 3-5") by chrono-node. Our own rules read everything
 * relative. A reading of chrono counts only when its day and month are written out, because chrono also reads
 * fractions, bare times and words like "sun" or "second" as dates.
 */
import { casual } from 'chrono-node/en';
import type { ParsedComponents, ParsedResult } from 'chrono-node';

import { addDays, days, timeOfDay, wallDate, type ClosedPeriod } from './calendar.ts';
import { MONTH } from './lexicon.ts';
import type { FoundPeriod, Reference } from './rule.ts';
import { tenseNear } from './tense.ts';

const MINUTE = 60_000;
/** A month name beside a day, or digits that carry a full year. */
const HINT = new RegExp(
  String.raw`\b(?:${MONTH} ?\d|\d{1,2}(?:st|nd|rd|th)?(?: day)?(?: of)?[ -]${MONTH})|\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\b\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d{2}\b`,
  'giu',
);
/** Text around a hint that belongs to the date: the weekday before, the end of a range and the time after. */
const BEFORE = 24;
const AFTER = 64;
const MAX_HINTS = 8;

function hours(components: ParsedComponents): number {
  return (components.get('hour') ?? 0) + (components.get('minute') ?? 0) / 60;
}

/** Wall midnight of the components; a year that is not written is the nearest, in the direction of the tense. */
function dayOf(components: ParsedComponents, text: string, at: number, ref: Reference): number {
  const year = components.get('year') ?? 0;
  const month = (components.get('month') ?? 1) - 1;
  const date = components.get('day') ?? 1;
  const day = wallDate(year, month, date);
  if (components.isCertain('year')) return day;
  const tense = tenseNear(text, at);
  if (tense === 'past' && day > ref.today) return wallDate(year - 1, month, date);
  if (tense === 'future' && day < ref.today) return wallDate(year + 1, month, date);
  return day;
}

function periodOf(
  result: ParsedResult,
  text: string,
  at: number,
  ref: Reference,
  offset: number,
): ClosedPeriod {
  const { start, end } = result;
  const first = dayOf(start, text, at, ref);
  if (start.isCertain('hour')) {
    const zone = start.isCertain('timezoneOffset') ? start.get('timezoneOffset') : null;
    const toSender = zone === null ? 0 : (offset - zone) * MINUTE;
    return timeOfDay(addDays(first, hours(start) / 24) + toSender);
  }
  const single = days(first);
  if (end === undefined || end === null) return single;
  const last = dayOf(end, text, at, ref);
  return last > first ? { from: single.from, until: days(last).until } : single;
}

/** "03/04/2026" is the third of April for some and the fourth of March for others. */
const NUMERIC = /(?<!\d)(?<first>\d{1,2})[-/.](?<second>\d{1,2})[-/.]\d{4}/u;

function isAmbiguous(text: string): boolean {
  const found = NUMERIC.exec(text)?.groups;
  if (found === undefined) return false;
  const [first, second] = [Number(found['first']), Number(found['second'])];
  return first !== second && first <= 12 && second <= 12;
}

function isWritten({ start, text }: ParsedResult): boolean {
  const isFull = start.isCertain('day') && start.isCertain('month') && /\d/u.test(text);
  return isFull && !isAmbiguous(text);
}

/** Absolute dates in the text; `offset` is the sender's, in minutes. */
export function absoluteDates(
  text: string,
  ref: Reference,
  offset: number,
): FoundPeriod<ClosedPeriod>[] {
  const found: FoundPeriod<ClosedPeriod>[] = [];
  let hints = 0;
  let reached = 0;
  for (const hint of text.matchAll(HINT)) {
    if (hint.index < reached) continue;
    hints += 1;
    if (hints > MAX_HINTS) break;
    const from = Math.max(reached, hint.index - BEFORE);
    const slice = text.slice(from, hint.index + AFTER);
    for (const result of casual.parse(slice, { instant: new Date(ref.now), timezone: 0 })) {
      if (!isWritten(result)) continue;
      const start = from + result.index;
      const end = start + result.text.length;
      found.push({ start, end, period: periodOf(result, text, start, ref, offset) });
      reached = Math.max(reached, end);
    }
  }
  return found;
}
