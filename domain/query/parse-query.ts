/**
 * The operator language of search: `"a phrase"`, `-term`, `-"a phrase"`, and `or` between alternatives.
 * Everything else is free words. The parser is total: every text has a reading.
 *
 * - A quote that is never closed runs to the end; empty quotes are nothing.
 * - `-` excludes when a term follows at once and no word precedes it: `fat-rat` is two free words,
 *   `- rat` and `--rat` (a command-line flag) exclude nothing.
 * - `or` (any case) joins only between two operands and only as a word of its own; `"or"` is a phrase.
 *   A free `or` without operands is dropped: it ranks nothing.
 * - Typographic double quotes count as quotes. Brackets and other punctuation only separate.
 */
import { foldText } from '../text/fold.ts';
import { segmentsOfFolded } from '../text/tokens.ts';
import type { ParsedQuery, QueryBranch } from './parsed-query.ts';

type Token =
  | { readonly kind: 'or' }
  | { readonly kind: 'words' | 'phrase' | 'excluded'; readonly segments: readonly string[] };

const QUOTES = /[\u201C\u201D\u201E\u201F]/gu;
/** Quoted part | bare part. A bare part ends at white space, a quote or punctuation that cannot join a term. */
const LEXEME =
  /(?<dash>(?<![\p{L}\p{N}\p{M}_-])-)?(?:"(?<quoted>[^"]*)(?:"|$)|(?<bare>[\p{L}\p{N}\p{M}_][^\s"()|&!<>]*))/gu;
const SEPARATE_OR = /^or$/u;

function textsOf(raw: string): string[] {
  return segmentsOfFolded(raw).map((segment) => segment.text);
}

function tokenize(folded: string): Token[] {
  const tokens: Token[] = [];
  for (const { groups } of folded.matchAll(LEXEME)) {
    const bare = groups?.['bare'];
    const excluded = groups?.['dash'] !== undefined;
    if (bare !== undefined && !excluded && SEPARATE_OR.test(bare)) {
      tokens.push({ kind: 'or' });
      continue;
    }
    const segments = textsOf(bare ?? groups?.['quoted'] ?? '');
    if (segments.length === 0) continue;
    const kind = excluded ? 'excluded' : bare === undefined ? 'phrase' : 'words';
    tokens.push({ kind, segments });
  }
  return tokens;
}

interface Draft {
  readonly words: string[];
  readonly phrases: Set<string>;
  readonly excludedTerms: Set<string>;
  readonly excludedPhrases: Set<string>;
}

function draft(): Draft {
  return { words: [], phrases: new Set(), excludedTerms: new Set(), excludedPhrases: new Set() };
}

function addToken(branch: Draft, token: Exclude<Token, { kind: 'or' }>): void {
  const text = token.segments.join(' ');
  if (token.kind === 'words') branch.words.push(...token.segments.filter((word) => word !== 'or'));
  else if (token.kind === 'phrase') branch.phrases.add(text);
  else (token.segments.length > 1 ? branch.excludedPhrases : branch.excludedTerms).add(text);
}

function branchOf({ words, phrases, excludedTerms, excludedPhrases }: Draft): QueryBranch {
  return {
    words,
    phrases: [...phrases],
    excludedTerms: [...excludedTerms],
    excludedPhrases: [...excludedPhrases],
  };
}

function isEmpty({ words, phrases, excludedTerms, excludedPhrases }: Draft): boolean {
  return words.length + phrases.size + excludedTerms.size + excludedPhrases.size === 0;
}

/** Parses a query. Never throws; linear in the length of the query. */
export function parseQuery(query: string): ParsedQuery {
  const branches: Draft[] = [];
  let current = draft();
  for (const token of tokenize(foldText(query).replace(QUOTES, '"'))) {
    if (token.kind !== 'or') {
      addToken(current, token);
    } else if (!isEmpty(current)) {
      branches.push(current);
      current = draft();
    }
  }
  branches.push(current);
  return { branches: branches.filter((branch) => !isEmpty(branch)).map(branchOf) };
}
