/** The closed word lists of English dates, as regular expression sources and lookups. */

const WORD_NUMBERS: ReadonlyMap<string, number> = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty`
    .split(/\s+/u)
    .map((word, value) => [word, value] as const),
);

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');

export const COUNT = String.raw`(?:\d{1,3}(?:\.5)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|(?:a |the )?couple(?: of)?|(?:an? )?few|several|half an?)(?: and a half)?`;
export const UNIT = '(?:minute|hour|day|week|month|year|decade|min|hr|wk|yr)s?';
/** Month names; `may`, `march` and short forms need a context that the rules give. */
export const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`;
export const WEEKDAY = '(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday)';
export const SHORT_WEEKDAY = '(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)';
export const SEASON = '(?:spring|summer|autumn|fall|winter)';
export const YEAR = String.raw`(?:1[89]\d\d|20\d\d)`;
/** Words that only soften a count or a date. */
export const ABOUT =
  '(?:(?:about|around|almost|nearly|over|roughly|approximately|exactly|like|just over|just under|more than|less than|at least|maybe|probably|only|well over) )?';

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

export interface Amount {
  readonly value: number;
  readonly unit: Unit;
  /** `a few`, `several`: the value is the middle of a range. */
  readonly vague: boolean;
}

/** 0 = January. */
export function monthNumber(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase());
}

/** 0 = Sunday. */
export function weekdayNumber(name: string): number {
  return WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase());
}

function wholeCount(words: string): number | null {
  if (/^\d/u.test(words)) return Number(words);
  if (words.includes('couple')) return 2;
  if (words.includes('few')) return 3;
  if (words === 'several') return 4;
  if (words.startsWith('half')) return 0.5;
  if (words === 'a' || words === 'an') return 1;
  if (words === 'thirty') return 30;
  return WORD_NUMBERS.get(words) ?? null;
}

function unitOf(word: string): { readonly unit: Unit; readonly times: number } {
  const name = word.toLowerCase();
  if (name.startsWith('mi')) return { unit: 'minute', times: 1 };
  if (name.startsWith('h')) return { unit: 'hour', times: 1 };
  if (name.startsWith('da')) return { unit: 'day', times: 1 };
  if (name.startsWith('w')) return { unit: 'week', times: 1 };
  if (name.startsWith('mo')) return { unit: 'month', times: 1 };
  return { unit: 'year', times: name.startsWith('de') ? 10 : 1 };
}

/** Reads `COUNT` and `UNIT`; half a year is six months, half a month two weeks. Null when it is no amount. */
export function amount(countWords: string, unitWord: string): Amount | null {
  const words = countWords.toLowerCase();
  const half = words.endsWith(' and a half');
  const base = wholeCount(half ? words.slice(0, -' and a half'.length) : words);
  if (base === null) return null;
  const { unit, times } = unitOf(unitWord);
  const value = (base + (half ? 0.5 : 0)) * times;
  const vague = /few|several/u.test(words);
  if (Number.isInteger(value)) return { value, unit, vague };
  if (unit === 'year') return { value: Math.round(value * 12), unit: 'month', vague };
  if (unit === 'month') return { value: Math.round(value * 4), unit: 'week', vague };
  if (unit === 'week') return { value: Math.round(value * 7), unit: 'day', vague };
  if (unit === 'day') return { value: value * 24, unit: 'hour', vague };
  return { value: Math.round(value * 60), unit: 'minute', vague };
}
