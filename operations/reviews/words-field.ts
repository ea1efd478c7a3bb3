/** What a person says about an item. */
import { z } from 'zod';

export const LONGEST_WORDS = 1_000;

/** Words without the space around them. */
export const wordsField = z
  .string()
  .transform((text) => text.trim())
  .pipe(
    z
      .string()
      .min(1, 'must say something')
      .max(LONGEST_WORDS, `must have at most ${LONGEST_WORDS} characters`),
  );
