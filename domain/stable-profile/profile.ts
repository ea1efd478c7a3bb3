/**
 * The stable profile of a person: what the person has said plainly about its name, pronouns, occupation, location,
 * language and time zone. Built from statements on every read, without a model; it stores nothing.
 */
import { countClusters, shortened } from '../text/excerpt.ts';
import {
  categoryOf,
  exclusionOf,
  EXCLUSIONS,
  PROFILE_CATEGORIES,
  type Exclusion,
  type ProfileCategory,
  type ProfileStatement,
} from './eligible.ts';

export const MOST_PROFILE_ITEMS = 16;
export const MOST_OF_A_CATEGORY = 4;
/** Grapheme clusters of one statement, and of all together. */
export const MOST_STATEMENT_CHARS = 240;
export const MOST_PROFILE_CHARS = 1_600;
/** Sources that an item names. */
export const MOST_PROFILE_SOURCES = 8;

export interface ProfileItem {
  readonly knowledgeId: string;
  readonly statement: string;
  readonly category: ProfileCategory;
  /** Whether another eligible statement makes another claim of the category. None of them is preferred. */
  readonly isInConflict: boolean;
  readonly sourceMessageIds: readonly string[];
  /** Whether it has more sources than it names. */
  readonly hasMoreSources: boolean;
}

export interface StableProfile {
  readonly items: readonly ProfileItem[];
  /** Statements that stayed out, by why. */
  readonly excluded: Readonly<Record<Exclusion, number>>;
  readonly considered: number;
  readonly eligible: number;
  readonly truncated: {
    /** Eligible statements that the caps left out: of their category, of all items, of all characters. */
    readonly category: number;
    readonly items: number;
    readonly characters: number;
    /** Statements that were cut. */
    readonly statements: number;
  };
}

interface Eligible {
  readonly statement: ProfileStatement;
  readonly category: ProfileCategory;
  readonly about: string;
  readonly value: string;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By category, the newest first. */
function inOrder(a: Eligible, b: Eligible): number {
  return (
    PROFILE_CATEGORIES.indexOf(a.category) - PROFILE_CATEGORIES.indexOf(b.category) ||
    compare(b.statement.recordedAt, a.statement.recordedAt) ||
    compare(a.statement.id, b.statement.id)
  );
}

/** Categories of which distinct statements make more than one claim. */
function contested(distinct: readonly Eligible[]): ReadonlySet<ProfileCategory> {
  const claims = Map.groupBy(distinct, ({ category }) => category);
  return new Set([...claims].filter(([, all]) => all.length > 1).map(([category]) => category));
}

function withoutRepeats(eligible: readonly Eligible[]): readonly Eligible[] {
  const seen = new Set<string>();
  return eligible.filter(({ about, value }) => {
    const claim = `${about} ${value}`;
    const isNew = !seen.has(claim);
    seen.add(claim);
    return isNew;
  });
}

/** Takes from the front as long as the caps allow it. */
function capped(eligible: readonly Eligible[], conflicts: ReadonlySet<ProfileCategory>) {
  const items: ProfileItem[] = [];
  const truncated = { category: 0, items: 0, characters: 0, statements: 0 };
  const taken = new Map<ProfileCategory, number>();
  let characters = 0;
  for (const { category, statement } of eligible) {
    const ofCategory = taken.get(category) ?? 0;
    const text = shortened(statement.text, MOST_STATEMENT_CHARS);
    const length = countClusters(text);
    if (ofCategory === MOST_OF_A_CATEGORY) truncated.category += 1;
    else if (items.length === MOST_PROFILE_ITEMS) truncated.items += 1;
    else if (characters + length > MOST_PROFILE_CHARS) truncated.characters += 1;
    else {
      if (text !== statement.text) truncated.statements += 1;
      taken.set(category, ofCategory + 1);
      characters += length;
      items.push({
        knowledgeId: statement.id,
        statement: text,
        category,
        isInConflict: conflicts.has(category),
        sourceMessageIds: statement.sourceMessageIds.slice(0, MOST_PROFILE_SOURCES),
        hasMoreSources:
          statement.sourceCount > Math.min(statement.sourceMessageIds.length, MOST_PROFILE_SOURCES),
      });
    }
  }
  return { items, truncated };
}

/** The profile at the instant `at` (ISO 8601 UTC), from statements about one person that its reader may read. */
export function buildProfile(statements: readonly ProfileStatement[], at: string): StableProfile {
  const excluded = Object.fromEntries(EXCLUSIONS.map((why) => [why, 0])) as Record<
    Exclusion,
    number
  >;
  const eligible: Eligible[] = [];
  for (const statement of statements) {
    const why = exclusionOf(statement, at);
    const category = categoryOf(statement);
    const { claim } = statement;
    if (why !== null || category === null || claim?.value == null) {
      excluded[why ?? 'uncategorized'] += 1;
      continue;
    }
    eligible.push({ statement, category, about: claim.about, value: claim.value });
  }
  const distinct = withoutRepeats(eligible.toSorted(inOrder));
  excluded.duplicate = eligible.length - distinct.length;
  return {
    ...capped(distinct, contested(distinct)),
    excluded,
    considered: statements.length,
    eligible: distinct.length,
  };
}
