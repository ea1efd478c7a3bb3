/** Where a list of an index ends. Pure. */

/** How much of a list must stay when equals are left out at its end. */
const FEWEST_KEPT = 0.5;

/**
 * The first `limit` hits of a list, without those whose score is that of the first hit past them. Of equals an index lets
 * in whichever it stores first, and that changes when its segments do: then a statement with equals at the end of a list
 * would come and go. Where more than half of the list would be left out, it stays as it is.
 *
 * `hits` are best first, and one more than `limit` where there are more.
 */
export function cutBeforeEquals<Hit extends { readonly score: number }>(
  hits: readonly Hit[],
  limit: number,
): readonly Hit[] {
  const past = hits[limit];
  if (past === undefined) return hits;
  const first = hits.slice(0, limit);
  const kept = first.filter(({ score }) => score > past.score);
  return kept.length < limit * FEWEST_KEPT ? first : kept;
}
