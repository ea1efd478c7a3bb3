/**
 * Which of the two runs of the tests this is. The short one, `npm test`, plays what its time allows, the same in every
 * run. The long one, `npm run test:long`, plays the full sizes and draws what is random anew.
 */
import { z } from 'zod';

const Run = z.object({
  VOUCH_TEST_RUN: z.enum(['short', 'long']).default('short'),
  VOUCH_TEST_SEED: z.coerce.number().int().default(20_261_128),
});

const { VOUCH_TEST_RUN, VOUCH_TEST_SEED } = Run.parse(process.env);

/** What random tests follow from. The properties of fast-check begin with it by themselves (test/runner/seed.mjs). */
export const SEED = VOUCH_TEST_SEED;

/** The one of two sizes that belongs to this run. */
export function sized<T>({ short, long }: { readonly short: T; readonly long: T }): T {
  return VOUCH_TEST_RUN === 'long' ? long : short;
}

/** Declares tests of the long run alone: of what they prove, the short one has others that prove the same kind. */
export function inLongRun(declare: () => void): void {
  if (VOUCH_TEST_RUN === 'long') declare();
}
