/** A piece of a text, cut between characters as people see them. */
import type { Span } from './span.ts';

/** A cluster has few code units, except where marks are piled up; those are cut anyway. */
const MOST_UNITS_PER_CLUSTER = 16;
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** At most `clusters` grapheme clusters of the text, with an ellipsis where something is left out. */
export function excerptOf(text: string, clusters: number): string {
  const bounded = text.slice(0, clusters * MOST_UNITS_PER_CLUSTER);
  let taken = 0;
  for (const { index } of SEGMENTER.segment(bounded)) {
    if (taken === clusters) return `${bounded.slice(0, index)}…`;
    taken += 1;
  }
  return bounded.length < text.length ? `${bounded}…` : bounded;
}

/** The number of grapheme clusters: characters as people see them. Linear in the length of the text. */
export function countClusters(text: string): number {
  return [...SEGMENTER.segment(text)].length;
}

/** At most `clusters` grapheme clusters. The ellipsis of a cut counts as one. */
export function shortened(text: string, clusters: number): string {
  const whole = excerptOf(text, clusters);
  return whole === text ? text : excerptOf(text, clusters - 1);
}

/** A stretch of a longer text. */
export interface Passage {
  readonly text: string;
  /** The stretch that the excerpt shows, in code points of `text`; null shows the beginning of `text`. */
  readonly span: Span | null;
  /** Whether the longer text has more before it. */
  readonly isCutBefore: boolean;
  /** Whether it has more after it; left out: no. */
  readonly isCutAfter?: boolean;
}

/**
 * At most `clusters` grapheme clusters of the passage around its span: as much before the span as after it, more on one
 * side where the other side has less. A span that is longer than that is shown from its beginning. An ellipsis stands
 * where something is left out.
 */
export function excerptAround(passage: Passage, clusters: number): string {
  const { isCutAfter = false, isCutBefore, span, text } = passage;
  if (span === null) return excerptOf(text, clusters);
  const starts = Array.from(SEGMENTER.segment(text), ({ index }) => index);
  // Its first cluster, and its last one, may be half of one.
  const begin = isCutBefore ? 1 : 0;
  const last = starts.length - (isCutAfter ? 1 : 0);
  const clusterAt = (points: number): number => clustersBefore(starts, unitsOf(text, points));
  const [from, until] = [clusterAt(span.offset), clusterAt(span.offset + span.length)];
  const spare = Math.max(0, clusters - (until - from));
  const room = Math.max(0, last - until);
  const before = Math.max(Math.floor(spare / 2), spare - room);
  const first = Math.max(begin, from - before);
  const end = Math.min(last, first + clusters);
  const shown = text.slice(starts[first], starts[end]);
  return `${first > 0 ? '…' : ''}${shown}${end < starts.length ? '…' : ''}`;
}

/** Code units of the first `points` code points. */
function unitsOf(text: string, points: number): number {
  let units = 0;
  for (let left = points; left > 0 && units < text.length; left -= 1) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

/** How many clusters begin before the code unit `unit`. */
function clustersBefore(starts: readonly number[], unit: number): number {
  const at = starts.findIndex((start) => start >= unit);
  return at === -1 ? starts.length : at;
}
