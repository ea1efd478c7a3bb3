/**
 * Skill cards: what an agent should know before it uses a skill, as a list of requirements. A requirement matches
 * statements by what they are (its selector), not by their ids. The vocabulary is that of `report_version` f9-1.
 */
import {
  SENSITIVITIES,
  TARGET_LEVELS,
  type Sensitivity,
  type TargetLevel,
} from '../statements/candidate.ts';
import { KINDS, type Kind } from '../statements/kinds.ts';
import { ATTRIBUTES, type Attribute } from '../statements/attributes.ts';
import type { Verification } from '../statements/statement.ts';

export const REQUIREMENT_LEVELS = ['required', 'preferred'] as const;
export type RequirementLevel = (typeof REQUIREMENT_LEVELS)[number];

/** Where the answer may come from: what is known already, what the person itself said, or both. */
export const SOURCE_POLICIES = ['from-memory', 'ask-peer', 'either'] as const;
export type SourcePolicy = (typeof SOURCE_POLICIES)[number];

/** Whom a statement is about: the peer that is checked, a scope, or one of the two. */
export const SELECTOR_SUBJECTS = ['peer', 'scope', 'either'] as const;
export type SelectorSubject = (typeof SELECTOR_SUBJECTS)[number];

export const SOURCE_TYPES = ['message', 'document'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** The verifications that statements in `MATCHED_STATES` can carry. A word that none of them carries would never match. */
export const SELECTOR_VERIFICATIONS = [
  'pending',
  'pending_human',
  'auto_verified',
  'subject_confirmed',
  'curator_approved',
  'stale',
] as const satisfies readonly Verification[];
export type SelectorVerification = (typeof SELECTOR_VERIFICATIONS)[number];

/** A member that is an empty list, or null, asks nothing. */
export interface Selector {
  readonly kind: readonly Kind[];
  readonly subject: SelectorSubject;
  readonly sensitivity: readonly Sensitivity[];
  readonly target_level: readonly TargetLevel[];
  readonly source_types: readonly SourceType[];
  readonly verification: readonly SelectorVerification[];
  readonly attribute: readonly Attribute[];
  /** Alternatives: all words of one of them occur in the statement, by their stems. */
  readonly topic: readonly string[];
  /** 0 to 1. */
  readonly minimum_confidence: number | null;
  readonly minimum_corroboration: number | null;
}

/** The members of a selector that are lists, with their words; `topic` takes any text. */
export const SELECTOR_WORDS = {
  kind: KINDS,
  sensitivity: SENSITIVITIES,
  target_level: TARGET_LEVELS,
  source_types: SOURCE_TYPES,
  verification: SELECTOR_VERIFICATIONS,
  attribute: ATTRIBUTES,
} as const;

export interface Freshness {
  readonly revalidated_within_seconds: number;
}

export interface Requirement {
  readonly key: string;
  readonly description: string | null;
  readonly level: RequirementLevel;
  readonly source_policy: SourcePolicy;
  readonly selector: Selector;
  readonly freshness: Freshness | null;
  /** What to ask the person; null for one that is made of the description, or of the key. */
  readonly prompt: string | null;
  /** False: a tombstone, which takes the key of a card above away. */
  readonly enabled: boolean;
}

/** What a card says, in the form in which it is kept and compared. */
export interface CardContent {
  readonly description: string | null;
  readonly requirements: readonly Requirement[];
}

/** Requirements of one card. */
export const MOST_REQUIREMENTS = 64;
/** Characters of a skill's name and of a requirement's key. */
export const LONGEST_SLUG_CHARS = 64;
/** Characters of a description and of a prompt. */
export const LONGEST_CARD_TEXT_CHARS = 500;
/** Alternatives of a topic. */
export const MOST_TOPICS = 8;
/** Characters of one of them. */
export const LONGEST_TOPIC_CHARS = 100;
/** Seconds of a freshness: a hundred years. */
export const LONGEST_FRESHNESS_SECONDS = 3_153_600_000;
export const MOST_MINIMUM_CORROBORATION = 1_000;
/** Skills that have a card in force at one scope. */
export const MOST_SKILLS_OF_SCOPE = 100;
/** Versions of one skill that are kept at a scope, the one in force included. */
export const MOST_VERSIONS_KEPT = 50;
/** Retired versions that are kept at one scope, of all skills. */
export const MOST_RETIRED_KEPT = 1_000;

const SLUG = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** Whether the text names a skill or a requirement: lower-case words of letters and digits, joined by `-` or `_`. */
export function isSlug(text: string): boolean {
  return text.length <= LONGEST_SLUG_CHARS && SLUG.test(text);
}
