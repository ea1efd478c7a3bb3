/** What a person says about an item. */
import { z } from 'zod';
import { LONGEST_WORDS } from '../../domain/governance/decisions.ts';

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
