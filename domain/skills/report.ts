/** A readiness report: which requirements of a skill the statements of a reader meet, and what to ask where they do not. */
import type { Freshness, Requirement } from './card.ts';
import type { EffectiveRequirement } from './inherit.ts';

/** What a report reads of a statement that a selector matches. */
export interface RequirementMatch {
  readonly id: string;
  /** Whether it is believed now: active, or the reader's own provisional one, and not expired. */
  readonly isBelieved: boolean;
  /** When its present belief began, or the checked peer last said it, whichever is later; ISO 8601 UTC. */
  readonly since: string;
}

export const STATUSES = ['satisfied', 'stale', 'missing'] as const;
export type RequirementStatus = (typeof STATUSES)[number];

/** Matching statements that an item names. */
export const MOST_NAMED_MATCHES = 20;
/** Matching statements of a requirement that are counted; further ones are not looked for. */
export const MOST_COUNTED_MATCHES = 100;

export type Elicitation =
  | { readonly allowed: false }
  | {
      readonly allowed: true;
      readonly prompt: string;
      readonly submit_via: 'ingest';
      readonly then: 'check_readiness';
    };

export interface JudgedRequirement {
  readonly status: RequirementStatus;
  readonly isBlocking: boolean;
  /** Ids of fresh matches, the newest first, all that were counted; likewise of stale ones. */
  readonly matched: readonly string[];
  readonly stale: readonly string[];
  readonly elicitation: Elicitation;
}

/** Whether a believed statement is fresh enough at the instant `now` (ISO 8601 UTC). */
export function isFresh(
  { since }: RequirementMatch,
  freshness: Freshness | null,
  now: string,
): boolean {
  if (freshness === null) return true;
  return Date.parse(now) - Date.parse(since) <= freshness.revalidated_within_seconds * 1_000;
}

/** What to ask the person, in the words of the card, or made of its description or key. */
export function promptOf({ description, key, prompt }: Requirement): string {
  return prompt ?? `Please tell me: ${description ?? key.replaceAll(/[-_]/g, ' ')}.`;
}

function elicitationOf(requirement: Requirement, status: RequirementStatus): Elicitation {
  if (status === 'satisfied' || requirement.source_policy === 'from-memory') {
    return { allowed: false };
  }
  return {
    allowed: true,
    prompt: promptOf(requirement),
    submit_via: 'ingest',
    // oxlint-disable-next-line unicorn/no-thenable -- the contract's name
    then: 'check_readiness',
  };
}

/**
 * Judges a requirement by the statements that its selector matches. Fresh ones satisfy it; where all are over, or too old,
 * it is stale.
 */
export function judgeRequirement(
  { requirement }: EffectiveRequirement,
  matches: readonly RequirementMatch[],
  now: string,
): JudgedRequirement {
  const isGood = (match: RequirementMatch) =>
    match.isBelieved && isFresh(match, requirement.freshness, now);
  const matched = matches.filter(isGood).map(({ id }) => id);
  const stale = matches.filter((match) => !isGood(match)).map(({ id }) => id);
  const unmet = stale.length > 0 ? 'stale' : 'missing';
  const status = matched.length > 0 ? 'satisfied' : unmet;
  return {
    status,
    isBlocking: requirement.level === 'required' && status !== 'satisfied',
    matched,
    stale,
    elicitation: elicitationOf(requirement, status),
  };
}

/** A blocker that no card has: there is no card, or there is more to check than one report checks. */
export interface SyntheticBlocker {
  readonly key: '__skill_card__' | '__too_many_requirements__';
  readonly status: 'missing_card' | 'not_checked';
  readonly message: string;
}

/** The blockers that follow from the cards alone. */
export function syntheticBlockers(cards: number, unchecked: number): readonly SyntheticBlocker[] {
  if (cards === 0) {
    return [
      {
        key: '__skill_card__',
        status: 'missing_card',
        message: 'No card of this skill is in force at this scope or above it.',
      },
    ];
  }
  if (unchecked === 0) return [];
  return [
    {
      key: '__too_many_requirements__',
      status: 'not_checked',
      message: `The cards of the chain require more than one report checks: ${unchecked} were not checked.`,
    },
  ];
}
