/** The beginning of a text, cut between characters as people see them. */

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
