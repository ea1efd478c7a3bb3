/** How much one extraction may take, from the first call to the last repair. */

/** Calls that ask again for what an answer left out or got wrong. */
export const MOST_REPAIRS = 2;

/** The largest time limit of a single call that a role may be given. */
export const LONGEST_CALL_MS = 240_000;

/** A call of the largest limit with its repairs, and the wait for a slot of the provider. A drain outlasts it. */
export const LONGEST_EXTRACTION_MS = (1 + MOST_REPAIRS) * LONGEST_CALL_MS + 60_000;
