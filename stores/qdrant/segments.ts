/** In how many parts Qdrant keeps a collection, by its size. */

/** Fewer would leave a part that is being rebuilt as the only one. */
const SEGMENTS_OF_SMALL = 2;
const SEGMENTS_OF_LARGE = 8;
/** About as many points come to a part until it has all the parts it may have. */
const POINTS_OF_SEGMENT = 50_000;

/**
 * Every list of a search walks all segments: of 14,000 points in eight a search took 10.7 ms of Qdrant, in two 7.6. But with two,
 * every fifty thousand new points are merged with nearly all that stand there already, and lists of words are walked for the
 * whole account once a scope has some thousands of points in one part (docs/design/search-cost.md).
 */
export function segmentsFor(points: number): number {
  const wanted = Math.ceil(points / POINTS_OF_SEGMENT);
  return Math.min(SEGMENTS_OF_LARGE, Math.max(SEGMENTS_OF_SMALL, wanted));
}
