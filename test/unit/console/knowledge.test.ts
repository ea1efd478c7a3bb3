/** What the address of the page of knowledge asks for, and what is said of how a search went. */
import { describe, expect, test } from '@jest/globals';
import { askedFor, isNarrowed } from '../../../console/pages/knowledge/asked.ts';
import { searchOutcome } from '../../../console/pages/knowledge/outcome.ts';

const SCOPES = {
  items: [
    { path: '/', role: 'reader' as const },
    { path: '/team', role: 'reader' as const },
  ],
  more: false,
};
const asked = (text: string) => askedFor({ query: new URLSearchParams(text) }, SCOPES);

describe('the address', () => {
  test('that asks for nothing means what is believed in the last scope', () => {
    expect(asked('')).toEqual({
      scope: '/team',
      state: 'active',
      words: '',
      kind: null,
      sensitivity: null,
      level: null,
      about: '',
      asOf: '',
      size: 25,
      cursor: null,
    });
  });

  test('names filters; words that there are not mean none', () => {
    const all = asked(
      'kind=skill&sensitivity=public&level=scope&about=%20ana%20&size=50&state=stale',
    );
    expect(all).toMatchObject({
      kind: 'skill',
      sensitivity: 'public',
      level: 'scope',
      about: 'ana',
      size: 50,
      state: 'stale',
    });
    expect(isNarrowed(all)).toBe(true);
    const none = asked('kind=x&sensitivity=__proto__&level=&about=%20&size=7&state=redacted');
    expect(none).toMatchObject({ kind: null, sensitivity: null, level: null, size: 25 });
    expect([none.state, isNarrowed(none)]).toEqual(['active', false]);
  });
});

describe('how a search went', () => {
  const answer = {
    candidates: [{}],
    degraded: false,
    retrieval_outcomes: [],
    contributed_strategies: ['lexical'],
    empty_strategies: ['temporal'],
    latency_ms: 7,
    reader_posture: 'peer',
    disagreement: {
      strategy_count: 2,
      disjoint: false,
      low_score: false,
      query_dependent_empty: false,
    },
  } as unknown as Parameters<typeof searchOutcome>[0];
  const said = (over: object, query = '') =>
    String(searchOutcome({ ...answer, ...over }, asked(query))).replaceAll(/\s+/g, ' ');

  test('says what found and what looked without a match', () => {
    expect(said({})).toContain('Found by words.');
    expect(said({})).toContain('Looked without a match: by time.');
    expect(said({})).not.toContain('<details class="sheet" open');
  });

  test('warns, openly, where nothing matched the words', () => {
    const disagreement = { ...answer.disagreement, query_dependent_empty: true, low_score: true };
    expect(said({ disagreement })).toContain('Nothing matched your words');
    expect(said({ disagreement })).toMatch(/<details[^>]* open/);
    expect(said({ disagreement, candidates: [] })).not.toContain('Nothing matched your words');
  });

  test('names what could not do its part, and why', () => {
    const dropped = {
      component: 'semantic',
      status: 'dropped',
      reason_class: 'timeout',
      elapsed_ms: 1,
      budget_remaining_ms: 0,
    };
    const text = said({ degraded: true, retrieval_outcomes: [dropped] });
    expect(text).toContain('by meaning: took too long');
    expect(text).toContain('may be incomplete');
  });

  test('says which day it looked at, and what it does not heed', () => {
    expect(said({}, 'as_of=2026-03-02')).toContain('as it was believed on 2026-03-02');
    expect(said({}, 'state=held')).toContain('ignores the chosen state');
    expect(said({}, 'about=ana')).toContain('cannot filter by person');
  });
});
