/** Figures of ranked lists: recall of the messages that hold an answer, and the rank of the first of them. */

export const DEPTHS = [1, 5, 10, 20, 50] as const;

/** Figures of one question, each between 0 and 1: recall at each depth, then the reciprocal rank. */
export type Figures = readonly number[];

export const FIGURE_NAMES: readonly string[] = [...DEPTHS.map((depth) => `R@${depth}`), 'MRR'];
export const R10 = 2;
export const MRR = DEPTHS.length;

/** What stands at a place of a ranked list: a message, or the messages that a statement cites. */
export type Place = string | readonly string[];

/** `ranked` is best first; a message counts where it stands first. A list without a gold id has the reciprocal rank 0. */
export function figuresOf(ranked: readonly Place[], gold: readonly string[]): Figures {
  const missing = new Set(gold);
  const wanted = missing.size;
  const ranks: number[] = [];
  ranked.forEach((place, index) => {
    for (const id of typeof place === 'string' ? [place] : place) {
      if (missing.delete(id)) ranks.push(index + 1);
    }
  });
  const recalls = DEPTHS.map(
    (depth) => ranks.filter((rank) => rank <= depth).length / Math.max(1, wanted),
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
