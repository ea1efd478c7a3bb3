/** In characters: a shorter text says nothing in any script, a longer one is pasted text and no sentence. */
export const MIN_SENTENCE = 6;
export const MAX_SENTENCE = 2000;
