/** How well validity windows agree with intervals that people gave, and whether they appear where nothing names a time. */

/** Half-open, in milliseconds; an end that is not known is infinite. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** From instants as the service answers them; null when neither end is known. */
export function intervalOf(from: string | null, until: string | null): Interval | null {
  if (from === null && until === null) return null;
  return {
    from: from === null ? -Infinity : Date.parse(from),
    until: until === null ? Infinity : Date.parse(until),
  };
}

export function isExact(found: Interval, gold: Interval): boolean {
  return found.from === gold.from && found.until === gold.until;
}

/** What both share of what either covers, 0 to 1: too wide a window is as wrong as too narrow a one. */
export function overlap(found: Interval, gold: Interval): number {
  const shared = Math.min(found.until, gold.until) - Math.max(found.from, gold.from);
  if (!(shared > 0)) return 0;
  const covered = Math.max(found.until, gold.until) - Math.min(found.from, gold.from);
  return shared / covered;
}

/**
 * Words that name a time in English, read generously: what has one of them may carry a window, and only what has none
 * counts as a sentence without a cue. Wider than what any extractor resolves, so that it excuses nothing but a cue.
 */
const CUE =
  /\b(?:yesterday|today|tonight|tomorrow|morning|afternoon|evening|night|noon|midnight|week|weekend|month|quarter|year|decade|century|day|hour|minute|ago|since|until|till|last|next|recently|lately|just|now|currently|soon|early|earlier|late|later|before|after|during|spring|summer|autumn|fall|winter|christmas|halloween|easter|thanksgiving|birthday|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|weds?|thu(?:rs)?|fri|sat|sun|\p{L}+days?|\d{4}s?|\d{1,2}(?:st|nd|rd|th)|(?:weeks|weekends|months|quarters|years|decades|days|hours|minutes))\b/iu;

export function namesATime(text: string): boolean {
  return CUE.test(text);
}
