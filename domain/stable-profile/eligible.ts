/** Which statements about a person belong to the person's stable profile, and why the others do not. */
import type { Attribute, ClaimMode } from '../statements/attributes.ts';
import type { EvidenceLevel } from '../statements/confidence.ts';
import type { Sensitivity } from '../statements/candidate.ts';
import type { Kind } from '../statements/kinds.ts';
import type { ConfidenceLevel } from '../statements/said.ts';

export const PROFILE_CATEGORIES = [
  'name',
  'pronouns',
  'occupation',
  'location',
  'language',
  'time_zone',
] as const;
export type ProfileCategory = (typeof PROFILE_CATEGORIES)[number];

/** Why a statement is not in the profile: the first that holds. */
export const EXCLUSIONS = [
  'sensitive_trait',
  'unsupported',
  'inferred',
  'preference',
  'transient',
  'hedged',
  'generalization',
  'outside_window',
  'uncategorized',
  'duplicate',
] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];

/** A statement about the person, as far as its eligibility depends on it. */
export interface ProfileStatement {
  readonly id: string;
  readonly text: string;
  readonly kind: Kind;
  /** 0 to 1. */
  readonly confidence: number;
  /** How openly its source says it; null for a statement of before that was kept. */
  readonly confidenceLevel: ConfidenceLevel | null;
  readonly sensitivity: Sensitivity;
  readonly evidenceLevel: EvidenceLevel;
  readonly sourceCount: number;
  /** ISO 8601 UTC; the window is half-open. */
  readonly relevantFrom: string | null;
  readonly relevantUntil: string | null;
  /** ISO 8601 UTC. */
  readonly recordedAt: string;
  /** What it says of an attribute; `value` is a digest. */
  readonly claim: {
    readonly about: string;
    readonly value: string | null;
    readonly mode: ClaimMode;
  } | null;
  /** Sources that the reader may read, the earliest said first. */
  readonly sourceMessageIds: readonly string[];
}

const CATEGORY_OF: Readonly<Partial<Record<Attribute, ProfileCategory>>> = {
  name: 'name',
  pronouns: 'pronouns',
  employer: 'occupation',
  occupation: 'occupation',
  residence: 'location',
  language: 'language',
  time_zone: 'time_zone',
};

/** Attributes that have a category. */
export const PROFILE_ATTRIBUTES = Object.keys(CATEGORY_OF) as readonly Attribute[];

/** What the law protects: health, belief, politics, origin, orientation, crime, membership of a union. */
const SENSITIVE =
  /\b(?:diagnos\w*|disease|illness|cancer|diabet\w*|depress\w*|anxiety|autis\w*|adhd|hiv|disab\w*|pregnan\w*|therap(?:y|ist for)|medicat\w*|addict\w*|alcoholic|religio\w*|christian|catholic|protestant|muslim|islam\w*|jewish|judaism|hindu\w*|buddhis\w*|sikh|atheist|republican|democrat|socialist|communist|votes? for|political\w*|ethnic\w*|race|racial|gay|lesbian|bisexual|transgender|queer|asexual|sexual\w*|convicted|arrested|criminal|prison|trade union|union member)\b/iu;
const PREFERENCE =
  /\b(?:likes?|loves?|prefers?|enjoys?|hates?|dislikes?|favou?rites?|wants?|wishes)\b/iu;
const TRANSIENT =
  /\b(?:right now|at the moment|for now|today|tonight|this (?:morning|afternoon|evening|week|weekend|month)|temporar\w*|visiting|on (?:a )?(?:vacation|holiday|trip|leave)|is (?:feeling|tired|hungry|busy|sick|travell?ing))\b/iu;
const HEDGED =
  /\?|\b(?:maybe|perhaps|probably|possibly|might|may be|could be|seems?|appears? to|apparently|allegedly|reportedly|supposedly|i think|is said to|rumou?r\w*)\b/iu;
const GENERALIZATION =
  /\b(?:always|never|usually|generally|typically|normally|often|rarely|tends? to|every (?:day|week|time|one)|everyone|nobody|most people)\b/iu;

/** The category of what the statement claims; null for none, and for what it says to be over. */
export function categoryOf({ claim }: Pick<ProfileStatement, 'claim'>): ProfileCategory | null {
  if (claim === null || claim.mode === 'ended' || claim.value === null) return null;
  const [attribute = ''] = claim.about.split(':');
  return CATEGORY_OF[attribute as Attribute] ?? null;
}

function isOpenAt({ relevantFrom, relevantUntil }: ProfileStatement, at: string): boolean {
  return (
    (relevantFrom === null || relevantFrom <= at) && (relevantUntil === null || relevantUntil > at)
  );
}

/** Said in so many words, or confirmed by the person. */
function isOutright({ confidence, confidenceLevel }: ProfileStatement): boolean {
  return confidenceLevel === 'stated_explicitly' || confidence === 1;
}

/** Why the statement stays out at the instant `at` (ISO 8601 UTC); null where it is eligible. */
export function exclusionOf(statement: ProfileStatement, at: string): Exclusion | null {
  const { evidenceLevel, kind, sensitivity, sourceCount, text } = statement;
  const holds: readonly (readonly [Exclusion, boolean])[] = [
    ['sensitive_trait', sensitivity === 'restricted' || SENSITIVE.test(text)],
    ['unsupported', sourceCount === 0],
    ['inferred', evidenceLevel !== 'direct' || !isOutright(statement)],
    ['preference', kind === 'preference' || (PREFERENCE.test(text) && statement.claim === null)],
    ['transient', kind === 'event' || TRANSIENT.test(text)],
    ['hedged', HEDGED.test(text)],
    ['generalization', GENERALIZATION.test(text)],
    ['outside_window', statement.claim?.mode === 'ended' || !isOpenAt(statement, at)],
    ['uncategorized', categoryOf(statement) === null],
  ];
  return holds.find(([, isSo]) => isSo)?.[0] ?? null;
}
