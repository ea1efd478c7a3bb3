/**
 * Phrases and exclusions, asked of Meilisearch before anything is ranked: the ids it answers become a
 * condition of the ranking index. They only narrow: every candidate is checked again on its text, so what is
 * asked here may be wider than what was typed, never narrower.
 *
 * Meilisearch silently drops every word after the tenth. Phrases are therefore cut to ten words in all, which makes
 * the condition wider, never narrower; an exclusion that does not fit is left to the check.
 */
import { binds, type QueryBranch } from '../../domain/query/parsed-query.ts';
import type { QueryOperatorAlternative } from '../../domain/retrieval/statement-search.ts';
import { characters, segments, words } from '../../domain/text/tokens.ts';
import type { MatchedIds, TextQuery } from '../../stores/meilisearch/record-index.ts';
import { quotedBigrams } from '../text/quoted-bigrams.ts';
import type { QueryPlan } from '../text/query-plan.ts';

const MAX_WORDS = 10;

export interface ResolvedQueryOperators {
  /** Null when nothing could be narrowed. */
  readonly alternatives: readonly QueryOperatorAlternative[] | null;
  /** The lists are incomplete or too long to use: rank a wider pool and let the check decide. */
  readonly wide: boolean;
}

function quote(wordsOfPhrase: readonly string[]): string {
  return `"${wordsOfPhrase.join(' ')}"`;
}

function isCoded(phrase: string): boolean {
  return segments(phrase).some((segment) => segment.kind !== 'word');
}

/** A run of one character has no bigram that a longer run would share. */
function hasLoneCharacter(phrase: string): boolean {
  return segments(phrase).some(
    (segment) => segment.kind !== 'word' && characters(segment.text).length < 2,
  );
}

/** Queries that together find at least every text with all the phrases. */
export function phraseQueries(phrases: readonly string[]): TextQuery[] {
  const queries: TextQuery[] = [];
  const packed: string[] = [];
  let room = MAX_WORDS;
  for (const phrase of phrases) {
    if (isCoded(phrase)) {
      if (hasLoneCharacter(phrase)) continue;
      const codes = quotedBigrams(phrase).split(' ').slice(0, MAX_WORDS);
      queries.push({ q: quote(codes), field: 'coded' });
      continue;
    }
    const fitting = words(phrase).slice(0, room);
    if (fitting.length === 0) continue;
    packed.push(quote(fitting));
    room -= fitting.length;
  }
  return packed.length === 0 ? queries : [...queries, { q: packed.join(' '), field: 'text' }];
}

/** Queries that find only texts with an excluded phrase; what cannot be asked exactly is left out. */
export function exclusionQueries(excluded: readonly string[]): TextQuery[] {
  return excluded.flatMap((phrase): TextQuery[] => {
    if (!isCoded(phrase)) {
      const all = words(phrase);
      return all.length > MAX_WORDS ? [] : [{ q: quote(all), field: 'text' }];
    }
    const codes = quotedBigrams(phrase).split(' ');
    const exact = segments(phrase).length === 1 && !hasLoneCharacter(phrase);
    return exact && codes.length <= MAX_WORDS ? [{ q: quote(codes), field: 'coded' }] : [];
  });
}

function intersection(lists: readonly MatchedIds[]): string[] | null {
  const complete = lists.filter((list) => !list.truncated);
  const [first, ...rest] = complete;
  if (first === undefined) return null;
  const others = rest.map((list) => new Set(list.sourceIds));
  return first.sourceIds.filter((id) => others.every((set) => set.has(id)));
}

interface BranchQuestions {
  readonly branch: QueryBranch;
  readonly required: readonly TextQuery[];
  readonly excluded: readonly TextQuery[];
}

function questionsOf(branch: QueryBranch): BranchQuestions {
  return {
    branch,
    required: phraseQueries(branch.phrases),
    excluded: exclusionQueries([...branch.excludedTerms, ...branch.excludedPhrases]),
  };
}

function resolved(
  { branch, required }: BranchQuestions,
  answers: readonly MatchedIds[],
): { readonly alternative: QueryOperatorAlternative; readonly complete: boolean } {
  const onlyIds = intersection(answers.slice(0, required.length));
  const excludedLists = answers.slice(required.length);
  return {
    alternative: { onlyIds, exceptIds: [...new Set(excludedLists.flatMap((l) => l.sourceIds))] },
    complete:
      (onlyIds !== null || branch.phrases.length === 0) &&
      excludedLists.every((list) => !list.truncated),
  };
}

/**
 * Resolves the operators of a query in one call of `match`, which answers for each text what it lists among the
 * candidates that may be found. `waitingIds` are candidates whose words Meilisearch may not show yet: they pass here,
 * and the check alone decides.
 */
export async function resolveQueryOperators(
  plan: QueryPlan,
  match: (queries: readonly TextQuery[]) => Promise<readonly MatchedIds[]>,
  waitingIds: readonly string[],
): Promise<ResolvedQueryOperators> {
  // An alternative of free words alone lets every id pass; the condition would say nothing.
  if (plan.parsed.branches.some((branch) => !binds(branch))) {
    return { alternatives: null, wide: true };
  }
  const asked = plan.parsed.branches.map(questionsOf);
  const answers = await match(
    asked.flatMap(({ required, excluded }) => [...required, ...excluded]),
  );
  let next = 0;
  const branches = asked.map((questions) => {
    const from = next;
    next += questions.required.length + questions.excluded.length;
    return resolved(questions, answers.slice(from, next));
  });
  const alternatives = branches.map(({ alternative }) => alternative);
  return {
    alternatives:
      waitingIds.length === 0
        ? alternatives
        : [...alternatives, { onlyIds: waitingIds, exceptIds: [] }],
    wide: branches.some(({ complete }) => !complete),
  };
}
