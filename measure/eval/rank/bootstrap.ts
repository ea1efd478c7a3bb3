/** Paired bootstrap: how far a mean difference over questions could have come about by the choice of questions. */

export interface Interval95 {
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;
const SEED = 20_261_124;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function resampledMean(groups: readonly (readonly number[])[], random: () => number): number {
  let sum = 0;
  let count = 0;
  for (const group of groups) {
    for (let i = 0; i < group.length; i += 1)
      sum += group[Math.floor(random() * group.length)] ?? 0;
    count += group.length;
  }
  return sum / Math.max(1, count);
}

/**
 * The middle 95 % of the mean of `differences` (one list for each conversation), when questions are drawn again within
 * their conversations.
 */
export function bootstrapInterval(
  differences: readonly (readonly number[])[],
  seed: number = SEED,
): Interval95 {
  const random = randomFrom(seed);
  const means = Array.from({ length: RESAMPLES }, () => resampledMean(differences, random));
  means.sort((a, b) => a - b);
  const at = (share: number): number => means[Math.round(share * (RESAMPLES - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}
