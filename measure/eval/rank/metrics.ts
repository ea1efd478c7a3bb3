/** Figures of ranked lists: recall of the messages that hold an answer, and the rank of the first of them. */

export const DEPTHS = [1, 5, 10, 20, 50] as const;

/** Figures of one question, each between 0 and 1: recall at each depth, then the reciprocal rank. */
export type Figures = readonly number[];

export const FIGURE_NAMES: readonly string[] = [...DEPTHS.map((depth) => `R@${depth}`), 'MRR'];
export const R10 = 2;
export const MRR = DEPTHS.length;

/** `ranked` holds each id once, best first. The reciprocal rank of a list without a gold id is 0. */
export function figuresOf(ranked: readonly string[], gold: readonly string[]): Figures {
  const wanted = new Set(gold);
  const ranks = ranked.flatMap((id, index) => (wanted.has(id) ? [index + 1] : []));
  const recalls = DEPTHS.map(
    (depth) => ranks.filter((rank) => rank <= depth).length / Math.max(1, wanted.size),
  );
  return [...recalls, ranks[0] === undefined ? 0 : 1 / ranks[0]];
}

/** The mean of each figure over questions, in percent. */
export function meanOf(figures: readonly Figures[]): Figures {
  return FIGURE_NAMES.map(
    (_, i) =>
      (100 * figures.reduce((sum, one) => sum + (one[i] ?? 0), 0)) / Math.max(1, figures.length),
  );
}
