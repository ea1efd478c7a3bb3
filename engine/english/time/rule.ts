/** What a rule of relative dates looks like, and the reference it resolves against. */
import { startOfDay, type Period } from './calendar.ts';
import { tenseNear, type Tense } from './tense.ts';

/** The moment a text was written, on its author's wall clock. */
export interface Reference {
  readonly now: number;
  readonly today: number;
}

export function referenceAt(now: number): Reference {
  return { now, today: startOfDay(now) };
}

export interface Match {
  /** A named group of the pattern, lower case; empty when it took no part. */
  group(name: string): string;
  /** The tense around the match. */
  tense(): Tense;
  /** Up to `chars` characters on each side of the match, in lower case. */
  around(chars: number): { readonly before: string; readonly after: string };
}

export interface Rule<P extends Period = Period> {
  /** Flags `giu`. */
  readonly pattern: RegExp;
  /** Null when the words name no period after all. */
  readonly read: (match: Match, reference: Reference) => P | null;
}

/** A period found in a text. */
export interface FoundPeriod<P extends Period = Period> {
  readonly start: number;
  readonly end: number;
  readonly period: P;
}

/** All readings of the rules in a text; of overlapping ones the earlier, then the longer, stays. */
export function applyRules<P extends Period>(
  rules: readonly Rule<P>[],
  text: string,
  reference: Reference,
): FoundPeriod<P>[] {
  const found = rules.flatMap(({ pattern, read }) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const start = match.index;
      const end = start + match[0].length;
      const period = read(
        {
          group: (name) => match.groups?.[name]?.toLowerCase() ?? '',
          tense: () => tenseNear(text, start),
          around: (chars) => ({
            before: text.slice(Math.max(0, start - chars), start).toLowerCase(),
            after: text.slice(end, end + chars).toLowerCase(),
          }),
        },
        reference,
      );
      return period === null ? [] : [{ start, end, period }];
    }),
  );
  return withoutOverlaps(found);
}

/** Keeps the earlier, then the longer, of overlapping readings; in text order. */
export function withoutOverlaps<F extends { readonly start: number; readonly end: number }>(
  found: readonly F[],
): F[] {
  let reached = 0;
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < reached) return false;
      reached = end;
      return true;
    });
}

export function rule<P extends Period>(source: string, read: Rule<P>['read']): Rule<P> {
  return { pattern: new RegExp(source, 'giu'), read };
}
