/**
 * What an operator sets in place of the values of a retrieval profile, for a scope and all below it or for the whole
 * account. An override is whole: what it leaves open is as in the profile itself, not as in an override above it.
 */
import {
  STRATEGIES,
  type ProfileName,
  type RetrievalProfile,
  type Strategy,
} from './strategies.ts';

/** The profiles that may be overridden. `minimal` is a fixed measure for experiments. */
export const OVERRIDABLE_PROFILES = [
  'fast',
  'balanced',
  'thorough',
] as const satisfies readonly ProfileName[];
export type OverridableProfile = (typeof OVERRIDABLE_PROFILES)[number];

export function isOverridable(profile: ProfileName): profile is OverridableProfile {
  return profile !== 'minimal';
}

/** Null leaves a value as the profile has it. */
export interface ProfileOverride {
  /** All strategies that run, each with its weight in fusion; the others are switched off. */
  readonly strategies: Readonly<Partial<Record<Strategy, number>>> | null;
  readonly deadlineMs: number | null;
  readonly rrfK: number | null;
  readonly rerank: boolean | null;
}

export const LEAST_WEIGHT = 0.01;
export const LARGEST_WEIGHT = 10;
export const LEAST_DEADLINE_MS = 20;
export const LONGEST_DEADLINE_MS = 10_000;
export const LARGEST_RRF_K = 1_000;

/** Whether it sets anything. */
export function overridesAnything(override: ProfileOverride): boolean {
  return Object.values(override).some((value) => value !== null);
}

const isWeight = (weight: number): boolean => weight >= LEAST_WEIGHT && weight <= LARGEST_WEIGHT;
const isStrategy = (name: string): name is Strategy => STRATEGIES.some((known) => known === name);

/** What is wrong with weights by strategy, as a sentence about the field, or null. It quotes no name. */
export function strategiesFault(weights: Readonly<Record<string, number>>): string | null {
  const names = Object.keys(weights);
  if (!names.every(isStrategy)) return `may only name ${STRATEGIES.join(', ')}`;
  if (names.length === 0) return 'must name at least one strategy';
  if (!Object.values(weights).every(isWeight)) {
    return `must have weights from ${LEAST_WEIGHT} to ${LARGEST_WEIGHT}; a strategy that is left out is switched off`;
  }
  if (names.includes('temporal') && !names.includes('lexical')) {
    return 'must name lexical with temporal, which ranks what lexical finds';
  }
  return null;
}

/** The override that is nearest to the end of a chain: the last that there is, of one place after the other. */
export function nearestOverride(
  outermostFirst: readonly (ProfileOverride | null)[],
): ProfileOverride | null {
  return outermostFirst.findLast((override) => override !== null) ?? null;
}

/** The profile with the values of the override. */
export function withOverride(
  profile: RetrievalProfile,
  override: ProfileOverride | null,
): RetrievalProfile {
  if (override === null) return profile;
  const { deadlineMs, rerank, rrfK, strategies: given } = override;
  const common = {
    ...profile,
    deadlineMs: deadlineMs ?? profile.deadlineMs,
    rrfK: rrfK ?? profile.rrfK,
    reranks: rerank ?? profile.reranks,
  };
  if (given === null) return common;
  const weights = STRATEGIES.flatMap((name) => {
    const weight = given[name];
    return weight === undefined ? [] : [[name, weight] as const];
  });
  const strategies = new Map(weights);
  const switchedOff = [...profile.strategies.keys()].filter((name) => !strategies.has(name));
  return { ...common, strategies, weightsAreGiven: true, switchedOff };
}

/** One text for overrides with the same effect, however they were written: what their digest is made of. */
export function overrideText(profile: OverridableProfile, override: ProfileOverride): string {
  const { deadlineMs, rerank, rrfK, strategies } = override;
  const weights = strategies === null ? null : STRATEGIES.map((name) => strategies[name] ?? null);
  return JSON.stringify([profile, weights, deadlineMs, rrfK, rerank]);
}
