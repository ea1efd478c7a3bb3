/** Bounds of lists of observations. */

/** Messages that are counted of a session in a list. */
export const MOST_COUNTED = 100;
