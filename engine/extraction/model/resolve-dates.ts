/**
 * The intervals that the date expressions of a message may mean, for the check of dates in statements.
 * Expressions are found by chrono in each of its languages. Intervals are generous, because the question is
 * whether a date was made up, not which of two readings is right: "last Friday" is either Friday, and a
 * fortnight ago is not counted to the day.
 */
import * as chrono from 'chrono-node';
import type { SourceMessage } from '../../../domain/statements/candidate.ts';
import type { Interval } from '../../../domain/extraction/validate-dates.ts';

const DAY_MS = 86_400_000;
const PARSERS = [
  chrono.casual,
  chrono.de.casual,
  chrono.es.casual,
  chrono.fr.casual,
  chrono.it.casual,
  chrono.ja.casual,
  chrono.nl.casual,
  chrono.pt.casual,
  chrono.ru.casual,
  chrono.sv.casual,
  chrono.uk.casual,
  chrono.zh.casual,
];
const FEAST = /\b(?:holidays?|christmas|easter|weihnachten|ostern|noël|pâques|navidad|natal)\b/iu;
const SEASON =
  /\b(?:spring|summer|autumn|fall|winter|frühling|sommer|herbst|été|hiver|verano|invierno|estate|inverno)\b/iu;
/** Seasons and feasts carry no year: a speaker may mean the last or the next one. */
const SEASON_REACH_MS = 550 * DAY_MS;
const SPAN_OF_TIME = /\b(?:for|since|past|over|almost|nearly|about)\b/i;

/**
 * Characters of a piece that chrono reads at once, and characters that the next piece repeats, so that an expression
 * at a seam is whole in one of them. The time of chrono grows with the square of a piece's length.
 */
const PIECE_CHARS = 600;
const SEAM_CHARS = 100;
/** Most characters of a text that are read. The caller passes the surroundings of the span that it asks about. */
const MOST_READ_CHARS = 6_000;

/** Pieces of the text, cut between words where there are any; white space tells chrono nothing. */
function* piecesOf(text: string): Generator<string> {
  const plain = text.slice(0, MOST_READ_CHARS).replaceAll(/\s+/gu, ' ');
  for (let start = 0; start < plain.length;) {
    const limit = start + PIECE_CHARS;
    const space = limit < plain.length ? plain.lastIndexOf(' ', limit) : plain.length;
    const end = space > start + SEAM_CHARS ? space : limit;
    yield plain.slice(start, end);
    if (end >= plain.length) return;
    start = end - SEAM_CHARS;
  }
}

/** Intervals around what the expressions of `text` mean, in the day of the message's sender. */
export function resolveDates(text: string, message: SourceMessage): readonly Interval[] {
  const sent = Date.parse(message.occurredAt);
  const reference = { instant: new Date(sent), timezone: message.occurredOffsetMinutes };
  const pieces = [...piecesOf(text)];
  const intervals = PARSERS.flatMap((parser) =>
    pieces.flatMap((piece) => parser.parse(piece, reference)),
  ).flatMap((result) => intervalsOf(result, sent, message.occurredOffsetMinutes));
  const season = { from: sent - SEASON_REACH_MS, until: sent + SEASON_REACH_MS };
  if (FEAST.test(text)) intervals.push({ ...season, finest: 'day' });
  if (SEASON.test(text)) intervals.push({ ...season, finest: 'month' });
  return intervals;
}

function intervalsOf(
  result: chrono.ParsedResult,
  sent: number,
  offsetMinutes: number,
): readonly Interval[] {
  const slack = slackDays(result) * DAY_MS;
  const start = result.start.date().getTime();
  const local = start + offsetMinutes * 60_000;
  const last = (result.end?.date().getTime() ?? start) + offsetMinutes * 60_000;
  const finest = finestOf(result);
  const found: Interval[] = [{ from: local - slack, until: last + slack, finest }];
  if (SPAN_OF_TIME.test(result.text)) {
    // chrono reads "for three months" as the future; a span that has lasted began as far back in the past.
    const mirrored = local - 2 * (start - sent);
    found.push({ from: mirrored - slack, until: mirrored + slack, finest });
  }
  if (result.start.isCertain('month') && !result.start.isCertain('year')) {
    found.push(...found.map((interval) => shifted(interval, -365)));
    found.push(...found.slice(0, 1).map((interval) => shifted(interval, 365)));
  }
  return found;
}

function shifted(interval: Interval, days: number): Interval {
  const move = days * DAY_MS;
  return { ...interval, from: interval.from + move, until: interval.until + move };
}

function finestOf(result: chrono.ParsedResult): Interval['finest'] {
  if (result.start.isCertain('day') || result.start.isCertain('weekday')) return 'day';
  return result.start.isCertain('month') ? 'month' : 'year';
}

/** Days of tolerance by the finest part that the expression fixes. */
function slackDays(result: chrono.ParsedResult): number {
  if (/week|fortnight|woche|semaine|semana|settimana|uge|vecka/i.test(result.text)) return 8;
  if (result.start.isCertain('weekday')) return 7.5;
  if (result.start.isCertain('day')) return 1;
  return result.start.isCertain('month') ? 32 : 366;
}
