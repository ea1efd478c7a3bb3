/** What was refused is not said again in other words. */
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import { readingOf } from '../../../domain/statements/paraphrase.ts';
import {
  comparableRefused,
  refusedAmong,
  repeatsByLikeness,
  repeatsByWords,
  shareMostWords,
} from '../../../domain/knowledge/refusal.ts';
import type { GatePreset } from '../../../domain/governance/presets.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { context, proposal } from './fixtures.ts';

const texts = fc
  .array(fc.constantFrom('alice', 'likes', 'tea', 'green', 'never', 'the', '7', 'Oslo'), {
    maxLength: 12,
  })
  .map((words) => words.join(' '));

describe('the share of words', () => {
  test('is the same in both directions', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [inA, inB] = [readingOf(a), readingOf(b)];
        expect(shareMostWords(inA, inB)).toBe(shareMostWords(inB, inA));
        expect(repeatsByWords()(a, b)).toBe(repeatsByWords()(b, a));
      }),
    );
  });

  test.each([
    ['Alice likes tea.', 'Alice really likes tea a lot.', true],
    ['Alice likes tea.', 'Alice likes coffee.', false],
    ['Alice likes tea.', 'Alice never likes tea.', false],
    ['Alice is 41 years old.', 'Alice is 42 years old.', false],
    ['the', 'the', false],
    ['', '', false],
  ])('%j and %j', (a, b, expected) => {
    expect(repeatsByWords()(a, b)).toBe(expected);
  });

  test('decides only where no likeness is known', () => {
    const [near, far] = ['Alice is fond of tea.', 'Alice drinks tea gladly.'];
    expect(repeatsByLikeness(() => 0.9, 0.8)(near, far)).toBe(true);
    expect(repeatsByLikeness(() => 0.7, 0.8)(near, near)).toBe(false);
    expect(repeatsByLikeness(() => null, 0.8)(near, far)).toBe(false);
    expect(repeatsByLikeness(() => null, 0.8)(near, near)).toBe(true);
  });
});

describe('of the refused statements', () => {
  const refusedAs = (id: string, text: string, subjectId = 'alice') => ({ id, subjectId, text });
  const known = [
    refusedAs('tea', 'Alice likes tea.'),
    refusedAs('not', 'Alice never likes tea.'),
    refusedAs('rain', 'Alice likes rain.'),
    refusedAs('bob', 'Alice likes tea.', 'bob'),
  ];

  test('those are picked that a proposal about the same subject says again', () => {
    expect(refusedAmong([proposal()], repeatsByWords())(known)).toEqual(['tea']);
    expect(refusedAmong([], () => true)(known)).toEqual([]);
  });

  test('the first so many are compared by likeness that may say what a proposal says', () => {
    const picked = (most: number) => [...comparableRefused([proposal()], known, most)];
    expect(picked(9)).toEqual(['tea', 'rain']);
    expect(picked(1)).toEqual(['tea']);
    expect(picked(0)).toEqual([]);
  });

  test('each text is read once, however many proposals are compared with however many of them', () => {
    const words = Array.from({ length: 100 }, (_, n) => `word${String.fromCodePoint(97 + n)}`);
    const textOf = (n: number) => [...words, `Alice${String.fromCodePoint(97 + n)}`].join(' ');
    const segmented = jest.spyOn(String.prototype, 'matchAll');
    const proposals = Array.from({ length: 40 }, (_, n) => {
      const base = proposal();
      return { ...base, wording: { ...base.wording, text: textOf(n) } };
    });
    const refused = Array.from({ length: 40 }, (_, n) => refusedAs(String(n), textOf(n + 40)));
    refusedAmong(proposals, repeatsByWords())(refused);
    const reads = segmented.mock.calls.length;
    segmented.mockRestore();
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(2 * (proposals.length + refused.length));
  });
});

const PRESETS: readonly GatePreset[] = ['strict', 'assisted', 'unattended'];
const REFUSALS = ['redacted', 'rejected', 'contested'] as const;
const cells = PRESETS.flatMap((preset) => REFUSALS.map((state) => [preset, state] as const));

function refused(values: Partial<Statement> = {}): Statement {
  const [change] = planProposals([proposal()], [], context()).changes;
  if (change === undefined) throw new Error('a proposal makes a statement');
  return { ...change.after, id: 'old', state: 'redacted', heldScopeId: null, ...values };
}

function again(values: Partial<Proposal> = {}): Proposal {
  const base = proposal(values, { messageId: 'm2', contentHash: 'bb' });
  return {
    ...base,
    statementHash: 'other words',
    wording: { ...base.wording, text: 'Alice is fond of tea.', ...values.wording },
  };
}

const plan = (
  known: readonly Statement[],
  said: Proposal,
  {
    isAlike = true,
    preset = 'unattended',
  }: { readonly isAlike?: boolean; readonly preset?: GatePreset } = {},
) => planProposals([said], known, { ...context(preset), refusals: () => isAlike });

describe('a proposal alike to what was refused', () => {
  test.each(cells)('is held under %s when the other was %s', (preset, state) => {
    const before = state === 'contested' ? ({ stateBeforeContest: 'active' } as const) : {};
    const { changes, openings } = plan([refused({ state, ...before })], again(), { preset });
    expect(changes.map(({ after }) => after)).toMatchObject([
      { state: 'held', previouslyRefused: true },
    ]);
    expect(openings).toMatchObject([{ kind: 'gate_a_b', reason: 'previously_refused' }]);
  });

  test('is held whatever its kind and its window', () => {
    const { wording } = proposal();
    const since = { at: '2025-01-01T00:00:00.000Z', precision: 'day' } as const;
    const said = again({
      wording: {
        ...wording,
        text: 'Alice is fond of tea.',
        kind: 'preference',
        relevantFrom: since,
      },
    });
    expect(plan([refused()], said).changes[0]?.after.state).toBe('held');
  });

  test('joins no open statement that says the same, either', () => {
    const open = refused({ id: 'open', state: 'active', statementHash: 'open words' });
    const { outputs } = plan([refused(), open], again());
    expect(outputs).toMatchObject([{ effect: 'created' }]);
  });

  test('joins an open statement in its own words only where a person let that stand', () => {
    const inItsWords = (values: Partial<Statement>) =>
      refused({ id: 'open', statementHash: 'other words', state: 'active', ...values });
    const effectOn = (values: Partial<Statement>) =>
      plan([refused(), inItsWords(values)], again()).outputs[0]?.effect;
    expect(effectOn({ verification: 'auto_verified' })).toBe('created');
    expect(effectOn({ state: 'provisional', verification: 'pending_human' })).toBe('created');
    expect(effectOn({ verification: 'curator_approved' })).toBe('merged');
    expect(effectOn({ verification: 'subject_confirmed' })).toBe('merged');
    expect(effectOn({ state: 'held', previouslyRefused: true })).toBe('merged');
  });

  test('joins an open statement in its own words that has its source already', () => {
    const { changes: before } = plan([], again());
    const open = before.map(({ after }) => ({ ...after, id: 'open' }));
    const { changes, outputs } = plan([refused(), ...open], again());
    expect(changes).toEqual([]);
    expect(outputs).toMatchObject([{ statementId: 'open', effect: 'merged' }]);
  });

  test('is placed where it is not alike, about somebody else, in another scope, or of another value', () => {
    const claim = (value: string) => ({ about: 'residence', value, mode: 'holds' }) as const;
    const { wording } = proposal();
    const stateOf = (known: Statement, said: Proposal, isAlike = true) =>
      plan([known], said, { isAlike }).changes.find(({ before }) => before === null)?.after.state;
    const elsewhere = refused({
      scopeId: 'other',
      attestation: { ...refused().attestation, scopeIds: new Set(['other']) },
    });
    expect([
      stateOf(refused(), again(), false),
      stateOf(refused({ subject: { type: 'peer', id: 'bob' } }), again()),
      stateOf(elsewhere, again()),
      stateOf(
        refused({ wording: { ...wording, claim: claim('oslo') } }),
        again({ wording: { ...again().wording, claim: claim('bergen') } }),
      ),
    ]).toEqual(['active', 'active', 'active', 'active']);
  });

  test('from a source that was used for it says nothing', () => {
    const known = refused();
    const base = proposal();
    const said = {
      ...base,
      statementHash: 'other words',
      wording: { ...base.wording, text: 'Alice is fond of tea.' },
    };
    const { changes, outputs } = plan([known], said);
    expect([changes, outputs]).toEqual([
      [],
      [{ anchorId: 'm1', statementId: 'old', effect: 'refused' }],
    ]);
  });
});
