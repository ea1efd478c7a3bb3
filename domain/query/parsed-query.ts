/** What a search query says beyond its words. Free words rank; phrases and exclusions bind. */

/** One alternative of an `or`. All texts are folded; a phrase is its words joined by single spaces. */
export interface QueryBranch {
  /** Free words, repetitions kept: they rank and do not bind. */
  readonly words: readonly string[];
  /** Each must occur. */
  readonly phrases: readonly string[];
  /** None may occur; single words (or one run of a script without spaces). */
  readonly excludedTerms: readonly string[];
  /** None may occur. */
  readonly excludedPhrases: readonly string[];
}

export interface ParsedQuery {
  /** Empty when the query has no letter or digit. */
  readonly branches: readonly QueryBranch[];
}

/** Whether the alternative narrows, that is, has a phrase or an exclusion. */
export function binds(branch: QueryBranch): boolean {
  return branch.phrases.length + branch.excludedTerms.length + branch.excludedPhrases.length > 0;
}

/** Free words of all alternatives in order: the one sparse query that ranks. */
export function freeWords(query: ParsedQuery): string[] {
  return query.branches.flatMap((branch) => branch.words);
}

/** Words that rank: the free words and the words of the phrases, never the excluded ones. */
export function rankingText(query: ParsedQuery): string {
  return query.branches.flatMap((branch) => [...branch.words, ...branch.phrases]).join(' ');
}
