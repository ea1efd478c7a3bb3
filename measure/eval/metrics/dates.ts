/** How well validity windows agree with intervals that people gave, and whether a text names a time at all. */

/** Half-open, in milliseconds; an end that is not known is infinite. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** Made from the instants that the service answers; null when neither end is known. */
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

/** Shared time by the time that both cover together, 0 to 1: too wide a window is as wrong as too narrow a one. */
export function overlap(found: Interval, gold: Interval): number {
  const shared = Math.min(found.until, gold.until) - Math.max(found.from, gold.from);
  if (!(shared > 0)) return 0;
  const covered = Math.max(found.until, gold.until) - Math.min(found.from, gold.from);
  return shared / covered;
}

/**
 * English words that name a time, listed generously. A text with one of them may have a window; only a text without any
 * counts as one without a cue. The list is wider than the expressions that any extractor resolves.
 */
const CUE =
  /\b(?:yesterday|today|tonight|tomorrow|morning|afternoon|evening|night|noon|midnight|week|weekend|month|quarter|year|decade|century|day|hour|minute|ago|since|until|till|last|next|recently|lately|just|now|currently|soon|early|earlier|late|later|before|after|during|spring|summer|autumn|fall|winter|christmas|halloween|easter|thanksgiving|birthday|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|weds?|thu(?:rs)?|fri|sat|sun|\p{L}+days?|\d{4}s?|\d{1,2}(?:st|nd|rd|th)|(?:weeks|weekends|months|quarters|years|decades|days|hours|minutes))\b/iu;

export function namesATime(text: string): boolean {
  return CUE.test(text);
}
