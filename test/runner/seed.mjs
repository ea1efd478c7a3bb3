/**
 * What is random in a test follows from one seed: always the same in `npm test`, which has to be red for a reason, and
 * a fresh one in `npm run test:long`. A property that fails prints the seed and the path to what failed.
 */
import fc from 'fast-check';

export const FIXED_SEED = 20_261_128;

/** Gives the properties of the file that begins their seed. One that names a seed of its own keeps it. */
export function seedProperties() {
  fc.resetConfigureGlobal();
  fc.configureGlobal({ seed: Number(process.env.VOUCH_TEST_SEED ?? FIXED_SEED) });
}
