/**
 * The validity window that a text names, resolved against the moment of writing in the sender's own day. Our own
 * rules read everything relative, chrono-node reads absolute dates. A text without a cue has no window: the moment of
 * writing alone never makes one.
 *
 * Of several cues in one text one is taken: a named period before a duration before "just", statements
 * before questions, then the first. Words around a period decide which ends it gives: "since March" opens a
 * window, "until March" closes one, "from March to May" does both; a named period alone is the window.
 */
import type { WindowEnd } from '../../../domain/statements/candidate.ts';
import { absoluteDates } from './absolute-dates.ts';
import { addDays, days, toWindowEnd, wallTime } from './calendar.ts';
import type { ClosedPeriod, Period } from './calendar.ts';
import { DAY_RULES } from './day-rules.ts';
import { DURATION_RULES } from './duration-rules.ts';
import { JUST_RULES } from './event-rules.ts';
import { NAME_RULES } from './name-rules.ts';
import { applyRules, referenceAt, withoutOverlaps } from './rule.ts';
import type { FoundPeriod, Reference } from './rule.ts';
import { UNIT_RULES } from './unit-rules.ts';

export interface TimeReference {
  /** ISO 8601 instant of the message. */
  readonly occurredAt: string;
  /** The sender's offset from UTC in minutes. */
  readonly offsetMinutes: number;
}

export interface ResolvedWindow {
  readonly from: WindowEnd | null;
  readonly until: WindowEnd | null;
  /** Offsets of the words that gave the window, end exclusive, in text order; empty without a window. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

const NO_WINDOW: ResolvedWindow = { from: null, until: null, spans: [] };

/** Characters that are read. Callers pass sentences; a longer text holds no one window. */
const MAX_LENGTH = 20_000;

const OPENS =
  /\b(?:since|ever since|starting|beginning|as of|effective|valid from)(?: on| in| from| about| around| early| late)?\s*$/iu;
const OPENS_INSIDE = /^(?:since|starting)\b/iu;
const CLOSES = /\b(?:until|till|til|'til|before)(?: the end of)?\s*$/iu;
const CLOSES_INSIDE = /^(?:until|till)\b/iu;
const CLOSES_AFTER = /\b(?:through|by|up to)\s*$/iu;
const CLOSES_AFTER_INSIDE = /^(?:through|by)\b/iu;
const JOINS: ReadonlySet<string> = new Set([
  '',
  ...'to until till through thru and - – —'.split(' '),
]);
const JOINS_INSIDE = /^(?:to|until|till|through|and)\b/iu;
const RANGE_BEFORE = /\b(?:from|between)(?: about| around| early| late)?\s*$/iu;
const CONTEXT = 24;

interface Cue extends FoundPeriod {
  readonly rank: number;
}

function before(text: string, at: number): string {
  return text.slice(Math.max(0, at - CONTEXT), at);
}

/** The ends that a named period gives, by the words that lead it in. */
function led(text: string, { start, end, period }: FoundPeriod<ClosedPeriod>): Period {
  const lead = before(text, start);
  const own = text.slice(start, end);
  if (OPENS.test(lead) || OPENS_INSIDE.test(own)) return { from: period.from, until: null };
  if (CLOSES.test(lead) || CLOSES_INSIDE.test(own)) return { from: null, until: period.from };
  if (CLOSES_AFTER.test(lead) || CLOSES_AFTER_INSIDE.test(own)) {
    return { from: null, until: period.until };
  }
  return period.startOnly === true ? { from: period.from, until: null } : period;
}

function isRange(
  text: string,
  first: FoundPeriod<ClosedPeriod>,
  second: FoundPeriod<ClosedPeriod>,
): boolean {
  const lead = before(text, first.start);
  const own = text.slice(first.start, first.end);
  if (!RANGE_BEFORE.test(lead) && !/^(?:from|between)\b/iu.test(own)) return false;
  const gap = text.slice(first.end, second.start);
  if (!JOINS.has(gap.replace(/the $/iu, '').trim().toLowerCase())) return false;
  const joined = gap.trim() !== '' || JOINS_INSIDE.test(text.slice(second.start, second.end));
  return joined && second.period.until.wall > first.period.from.wall;
}

const WEEK_DAYS = 7;

/** The end of a range comes after its start: "from Monday to Friday" on a Wednesday ends next week. */
function following(
  first: FoundPeriod<ClosedPeriod>,
  second: FoundPeriod<ClosedPeriod> | undefined,
): FoundPeriod<ClosedPeriod> | null {
  if (second === undefined) return null;
  const { from } = first.period;
  const { from: start, until: end } = second.period;
  const oneDay = start.precision === 'day' && end.wall === addDays(start.wall, 1);
  const daysBefore = (from.wall - start.wall) / addDays(0, 1);
  if (!oneDay || from.precision !== 'day' || daysBefore <= 0 || daysBefore >= WEEK_DAYS)
    return second;
  return { ...second, period: days(addDays(start.wall, WEEK_DAYS)) };
}

/** Named periods with their leading words, ranges joined. */
function namedCues(text: string, periods: readonly FoundPeriod<ClosedPeriod>[]): Cue[] {
  const cues: Cue[] = [];
  for (let i = 0; i < periods.length; i += 1) {
    const first = periods[i];
    if (first === undefined) continue;
    const second = following(first, periods[i + 1]);
    if (second !== null && isRange(text, first, second)) {
      const period = { from: first.period.from, until: second.period.until };
      cues.push({ start: first.start, end: second.end, period, rank: 0 });
      i += 1;
    } else {
      cues.push({ start: first.start, end: first.end, period: led(text, first), rank: 0 });
    }
  }
  return cues;
}

/** Tells whether the first stop after an offset is a question mark. It reads the text once for all cues. */
function questionsOf(text: string): (end: number) => boolean {
  const stops = Array.from(text.matchAll(/[.!?\n]/gu), ({ index }) => index);
  return (end) => {
    let [low, high] = [0, stops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((stops[middle] ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return text.charAt(stops[low] ?? text.length) === '?';
  };
}

/** The `found` that share no character with any of `others`. Both are in text order, and neither overlaps itself. */
function apartFrom<F extends FoundPeriod>(
  found: readonly F[],
  others: readonly FoundPeriod[],
): F[] {
  let next = 0;
  return found.filter(({ start, end }) => {
    while ((others[next]?.end ?? Infinity) <= start) next += 1;
    return (others[next]?.start ?? Infinity) >= end;
  });
}

function cuesOf(text: string, reference: Reference, offset: number): Cue[] {
  const durations = applyRules(DURATION_RULES, text, reference).map((f) => ({ ...f, rank: 1 }));
  const periods = withoutOverlaps([
    ...absoluteDates(text, reference, offset),
    ...applyRules([...DAY_RULES, ...UNIT_RULES, ...NAME_RULES], text, reference),
  ]);
  const named = apartFrom(periods, durations);
  const just = applyRules(JUST_RULES, text, reference).map((f) => ({ ...f, rank: 2 }));
  const isAsked = questionsOf(text);
  return [...namedCues(text, named), ...durations, ...just]
    .map((cue) => (isAsked(cue.end) ? { ...cue, rank: cue.rank + 3 } : cue))
    .toSorted((a, b) => a.rank - b.rank || a.start - b.start);
}

/** Joins "since 2019" with a later "until 2021" of the same text. */
function completed(cues: readonly Cue[]): readonly Cue[] {
  const [first, ...rest] = cues;
  if (first === undefined) return [];
  const { from, until } = first.period;
  if (from !== null && until !== null) return [first];
  const other = rest.find(({ rank, period }) =>
    rank === first.rank && from === null
      ? period.from !== null && period.until === null
      : period.from === null,
  );
  return other === undefined ? [first] : [first, other].toSorted((a, b) => a.start - b.start);
}

/**
 * Resolves the window of a text (a sentence, or a short message).
 * @returns instants in UTC, each the start of a period of the sender's calendar, with the precision the text
 * gives; `until` is exclusive. Both null without a cue, or when the ends contradict each other.
 */
export function resolveWindow(
  text: string,
  { occurredAt, offsetMinutes }: TimeReference,
): ResolvedWindow {
  const instant = new Date(occurredAt);
  if (Number.isNaN(instant.getTime())) return NO_WINDOW;
  const reference = referenceAt(wallTime(instant, offsetMinutes));
  const cues = completed(cuesOf(text.slice(0, MAX_LENGTH), reference, offsetMinutes));
  const fromEdge = cues.map(({ period }) => period.from).find((edge) => edge !== null) ?? null;
  const untilEdge = cues.map(({ period }) => period.until).find((edge) => edge !== null) ?? null;
  const from = toWindowEnd(fromEdge, offsetMinutes);
  const until = toWindowEnd(untilEdge, offsetMinutes);
  if (from === null && until === null) return NO_WINDOW;
  if (from !== null && until !== null && from.at >= until.at) return NO_WINDOW;
  return { from, until, spans: cues.map(({ start, end }) => [start, end] as const) };
}
