import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { parseQuery } from '../../../domain/query/parse-query.ts';
import { binds, freeWords } from '../../../domain/query/parsed-query.ts';
import type { ParsedQuery, QueryBranch } from '../../../domain/query/parsed-query.ts';

const EMPTY: QueryBranch = { words: [], phrases: [], excludedTerms: [], excludedPhrases: [] };
const query = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '-',
        ' ',
        ' or ',
        'OR',
        '--',
        '“',
        '”',
        "'",
        '(',
        'rat',
        'Östlich',
        '東京',
        'ไทย',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));

function branches(text: string): readonly QueryBranch[] {
  return parseQuery(text).branches;
}

/** The canonical spelling of a parsed query. */
function renderQuery(parsed: ParsedQuery): string {
  const rendered = parsed.branches.map((branch) =>
    [
      ...branch.words,
      ...branch.phrases.map((phrase) => `"${phrase}"`),
      ...branch.excludedTerms.map((term) => `-${term}`),
      ...branch.excludedPhrases.map((phrase) => `-"${phrase}"`),
    ].join(' '),
  );
  return rendered.join(' or ');
}

describe('query operators', () => {
  test('words, phrases and exclusions are told apart', () => {
    expect(branches('brand "New Smartphone" -used -"red case"')).toEqual([
      {
        words: ['brand'],
        phrases: ['new smartphone'],
        excludedTerms: ['used'],
        excludedPhrases: ['red case'],
      },
    ]);
  });

  test('or joins alternatives, in any case and beside brackets', () => {
    expect(branches('cat OR (rat or dog)').map((b) => b.words)).toEqual([
      ['cat'],
      ['rat'],
      ['dog'],
    ]);
    expect(branches('"fat cat"or"fat rat"').map((b) => b.phrases)).toEqual([
      ['fat cat'],
      ['fat rat'],
    ]);
  });

  test('or without operands, within a word or in quotes joins nothing', () => {
    expect(branches('cat or')).toEqual([{ ...EMPTY, words: ['cat'] }]);
    expect(branches('or cat')).toEqual([{ ...EMPTY, words: ['cat'] }]);
    expect(branches('abc or1234')).toEqual([{ ...EMPTY, words: ['abc', 'or1234'] }]);
    expect(branches('cat "or" rat')).toEqual([
      { ...EMPTY, words: ['cat', 'rat'], phrases: ['or'] },
    ]);
  });

  test('hyphens within words, lone hyphens and flags exclude nothing', () => {
    for (const text of ['fat-rat', 'fat - rat', 'git --force', '-', '- -']) {
      expect(branches(text).some(binds)).toBe(false);
    }
  });

  test('a hyphenated exclusion is a phrase', () => {
    expect(branches('cat -long-haired')).toEqual([
      { ...EMPTY, words: ['cat'], excludedPhrases: ['long haired'] },
    ]);
  });

  test('an open quote runs to the end and empty quotes are nothing', () => {
    expect(branches('abc "new smart')).toEqual([
      { ...EMPTY, words: ['abc'], phrases: ['new smart'] },
    ]);
    expect(branches('abc "" "!"')).toEqual([{ ...EMPTY, words: ['abc'] }]);
  });

  test('typographic and full-width signs are operators too, in any script', () => {
    expect(branches('“東京タワー” －大阪')).toEqual([
      { ...EMPTY, phrases: ['東京タワー'], excludedTerms: ['大阪'] },
    ]);
  });

  test('a plain question has no operators and keeps its words', () => {
    const parsed = parseQuery("Where did Anna's dog go?");
    expect(freeWords(parsed)).toEqual(['where', 'did', "anna's", 'dog', 'go']);
    expect(branches("Where did Anna's dog go?").some(binds)).toBe(false);
  });

  test('nothing makes the parser throw, and no branch is empty', () => {
    fc.assert(
      fc.property(query, (text) =>
        branches(text).every((b) => JSON.stringify(b) !== JSON.stringify(EMPTY)),
      ),
    );
  });

  test('parsing the canonical rendering gives the same parse', () => {
    fc.assert(
      fc.property(query, (text) => {
        const parsed = parseQuery(text);
        expect(parseQuery(renderQuery(parsed))).toEqual(parsed);
      }),
    );
  });
});
