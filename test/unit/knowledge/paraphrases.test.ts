/** Other words for the same thing: when they are, and what becomes of what they say. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isComparable,
  type Likeness,
  type ParaphraseRule,
} from '../../../domain/statements/paraphrase.ts';
import type { PlanContext } from '../../../domain/knowledge/plan.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import type { Source } from '../../../domain/statements/source.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { context, essence, proposal } from './fixtures.ts';

const LIKES = 'Alice likes green tea.';
const ENJOYS = 'Alice enjoys green tea.';
const ADORES = 'Alice adores green tea.';

/** An embedder for which all of these say the same, and nothing else does. */
const alike =
  (...texts: readonly string[]): Likeness =>
  (a, b) =>
    texts.includes(a) && texts.includes(b) ? 0.98 : 0;

const rule = (likeness: Likeness): ParaphraseRule => ({
  threshold: 0.97,
  likeness,
  covers: () => true,
});

function shared(preset: Parameters<typeof context>[0], paraphrases = rule(alike(LIKES, ENJOYS))) {
  return { ...context(preset), paraphrases };
}

let saidSoFar = 0;
function saying(text: string, values: Partial<Proposal> = {}, from: Partial<Source> = {}) {
  saidSoFar += 1;
  const source = { messageId: `m${saidSoFar}`, contentHash: `h${text}`, ...from };
  const base = proposal({ statementHash: `hash of ${text}`, ...values }, source);
  return { ...base, wording: { ...base.wording, text, ...values.wording } };
}

/** Each in a commit of its own. */
function after(proposals: readonly Proposal[], over: PlanContext): Statement[] {
  const rows = new Map<string, Statement>();
  for (const each of proposals) {
    for (const { after: row } of planProposals([each], [...rows.values()], over).changes) {
      rows.set(row.id, row);
    }
  }
  return [...rows.values()];
}

const bob = { speakerId: 'bob', relayId: 'agent' };
const later = { occurredAt: '2024-02-01T00:00:00.000Z' };

describe('texts that an embedder finds alike', () => {
  test.each([
    [LIKES, ENJOYS],
    ['Bo is using Rust.', 'Bo has been using Rust.'],
    ['Bo is fixing the error.', 'Bo is fixing this error.'],
    ['安娜喜欢喝茶', '安娜爱喝茶'],
  ])('may say the same: %s %s', (a, b) => {
    expect(isComparable(a, b)).toBe(true);
  });

  test.each([
    ['another number', 'Bo has 12 goats.', 'Bo has 13 goats.'],
    ['another name', 'Bo lives with Tom.', 'Bo lives with Tim.'],
    ['a negation', LIKES, 'Alice does not like green tea.'],
    ['a negation in German', 'Bo mag Tee.', 'Bo mag keinen Tee.'],
    ['a negation in Chinese', '安娜喜欢喝茶', '安娜不喜欢喝茶'],
    ['a plan', 'Bo plans to learn Rust.', 'Bo learns Rust.'],
    ['a doubt', 'Bo is at home.', 'Bo may be at home.'],
    ['a rarity', 'Bo drinks tea.', 'Bo rarely drinks tea.'],
    ['the past', 'Bo plays chess.', 'Bo played chess.'],
    ['an irregular past', 'Bo teaches chess.', 'Bo taught chess.'],
    [
      'a detail exchanged in a long sentence',
      'Bo told everybody at the harbour how much the old red boat meant to his mother.',
      'Bo told everybody at the harbour how much the old red boat meant to his father.',
    ],
    [
      'a detail more in a long sentence',
      'Bo has a brother who rows the old red boat across the harbour each morning.',
      'Bo has a brother whose neighbour rows the old red boat across the harbour each morning.',
    ],
    [
      'a character in a long sentence',
      '安娜每天早上都在港口旁边的小店里喝一杯绿茶',
      '安娜每天早上都在港口旁边的小店里喝一杯红茶',
    ],
  ])('differ by %s', (_by, a, b) => {
    expect(isComparable(a, b)).toBe(false);
  });

  test('compare the same in both directions', () => {
    const text = fc
      .array(fc.constantFrom('Bo', 'tea', 'not', 'liked', 'likes', 'Tom', '12', '13', 'the', '不'))
      .map((list) => list.join(' '));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(isComparable(a, b)).toBe(isComparable(b, a));
        expect(isComparable(a, a)).toBe(true);
      }),
    );
  });
});

describe('a paraphrase', () => {
  test('of the same speaker merges: the first words and both hashes are kept, with one attester', () => {
    for (const order of [
      [saying(LIKES), saying(ENJOYS, {}, later)],
      [saying(ENJOYS, {}, later), saying(LIKES)],
    ]) {
      const [row, ...others] = after(order, shared('strict'));
      expect(others).toEqual([]);
      expect(row).toMatchObject({
        wording: { text: LIKES },
        statementHash: `hash of ${LIKES}`,
        corroboration: 1,
        paraphraseHashes: [`hash of ${ENJOYS}`, `hash of ${LIKES}`],
      });
      expect(row?.attestation.added).toHaveLength(2);
    }
  });

  test.each([
    ['another subject', { subject: { type: 'peer' as const, id: 'bob' } }],
    ['another scope', { scopeId: 'other' }],
    ['another kind', { wording: { ...proposal().wording, kind: 'preference' as const } }],
    [
      'another window',
      {
        wording: {
          ...proposal().wording,
          relevantFrom: { at: '2023-01-01T00:00:00.000Z', precision: 'year' as const },
        },
      },
    ],
  ])('with %s is a statement of its own', (_what, values) => {
    const { text: _text, ...wording } = {
      ...proposal().wording,
      ...('wording' in values ? values.wording : {}),
    };
    const second = saying(ENJOYS, values);
    const rows = after(
      [saying(LIKES), { ...second, wording: { ...wording, text: ENJOYS } }],
      shared('strict'),
    );
    expect(rows).toHaveLength(2);
  });

  test('with another claim is a statement of its own; it merges when only one of them has a claim', () => {
    const claiming = (text: string, value: string | null, from: Partial<Source> = {}): Proposal => {
      const base = saying(text, {}, from);
      const claim = value === null ? null : { about: 'residence', value, mode: 'holds' as const };
      return { ...base, wording: { ...base.wording, claim } };
    };
    const over = shared('strict');
    expect(after([claiming(LIKES, 'aa'), claiming(ENJOYS, 'bb')], over)).toHaveLength(2);
    for (const order of [
      [claiming(LIKES, null), claiming(ENJOYS, 'aa', later)],
      [claiming(ENJOYS, 'aa', later), claiming(LIKES, null)],
    ]) {
      expect(after(order, over)).toMatchObject([
        { wording: { text: LIKES, claim: { value: 'aa' } } },
      ]);
    }
  });

  test('below the threshold is a statement of its own', () => {
    const near: Likeness = () => 0.969;
    expect(after([saying(LIKES), saying(ENJOYS)], shared('strict', rule(near)))).toHaveLength(2);
  });

  test('with a word that turns the meaning is a statement of its own, however alike it is', () => {
    const denied = 'Alice never enjoys green tea.';
    const over = shared('strict', rule(alike(LIKES, denied)));
    expect(after([saying(LIKES), saying(denied)], over)).toHaveLength(2);
  });

  test('by a speaker who cannot read the statement is a statement of its own', () => {
    const rows = after([saying(LIKES), saying(ENJOYS, {}, bob)], shared('strict'));
    expect(rows).toHaveLength(2);
  });

  test('by a speaker who can read the statement attests it, and the statement keeps its words', () => {
    const early = { ...bob, occurredAt: '2023-01-01T00:00:00.000Z' };
    const indirect = saying(ENJOYS, { evidenceLevel: 'indirect' }, early);
    const rows = after([saying(LIKES), indirect], shared('assisted'));
    expect(rows).toMatchObject([
      { state: 'active', wording: { text: LIKES }, corroboration: 2, evidenceLevel: 'direct' },
    ]);
  });

  test('that only its speaker may read does not replace the words that others read', () => {
    const early = { occurredAt: '2023-01-01T00:00:00.000Z' };
    const both = [saying(LIKES), saying(LIKES, {}, bob), saying(ENJOYS, {}, early)];
    const rows = after(both, shared('strict'));
    expect(rows).toMatchObject([{ wording: { text: LIKES }, corroboration: 2 }]);
  });

  test('of a statement that has expired is a statement of its own', () => {
    const over = shared('assisted');
    const [old] = after([saying(LIKES)], over);
    const expired = { ...(old as Statement), expiresAt: '2025-12-31T00:00:00.000Z' };
    const { changes } = planProposals([saying(ENJOYS)], [expired], over);
    expect(changes.map(({ before }) => before)).toEqual([null]);
  });

  test('once merged stays merged without an embedder', () => {
    const rows = after([saying(LIKES), saying(ENJOYS)], shared('strict'));
    const [again] = planProposals([saying(ENJOYS)], rows, context('strict')).changes;
    expect(again).toMatchObject({ before: { id: rows[0]?.id }, after: { corroboration: 1 } });
  });

  test('of a refused statement that was merged into it is refused with it', () => {
    const over = shared('strict');
    const [row] = after([saying(LIKES), saying(ENJOYS)], over);
    const refused = { ...(row as Statement), state: 'redacted' as const };
    const said = saying(ENJOYS, {}, { messageId: 'new', contentHash: 'new' });
    const { changes } = planProposals([said], [refused], over);
    expect(changes).toMatchObject([
      { before: null, after: { state: 'held', previouslyRefused: true } },
    ]);
  });

  test('merges into the statement that has its own words, when there is one', () => {
    const over = shared('strict');
    const rows = after([saying(ENJOYS, {}, bob), saying(LIKES)], over);
    expect(rows).toHaveLength(2);
    const [change, ...more] = planProposals([saying(ENJOYS)], rows, over).changes;
    expect(more).toEqual([]);
    expect(change?.after.statementHash).toBe(`hash of ${ENJOYS}`);
  });

  test('does not merge where another statement already has its words', () => {
    const over = shared('assisted');
    const [placed] = after([saying(LIKES, {}, later)], over);
    const atRoot = { ...(placed as Statement), scopeId: 'root' };
    const elsewhere = saying(ENJOYS, { scopeId: 'other' }, { scopeId: 'other' });
    const [other] = after([elsewhere], over);
    const theirs = { ...(other as Statement), id: 'theirs', scopeId: 'root' };
    const { changes } = planProposals([saying(ENJOYS)], [atRoot, theirs], over);
    expect(changes).toMatchObject([{ before: null, after: { scopeId: 'team' } }]);
  });

  test('in the same message is not a second statement', () => {
    const twice = { messageId: 'one', contentHash: 'one' };
    const rows = after([saying(LIKES, {}, twice), saying(ENJOYS, {}, twice)], shared('strict'));
    expect(rows).toMatchObject([{ corroboration: 1 }]);
  });
});

test('paraphrases by speakers who may read each other give the same statements in any order', () => {
  const over = (): PlanContext => shared('strict', rule(alike(LIKES, ENJOYS, ADORES)));
  const said = fc.record({
    n: fc.integer({ min: 0, max: 5 }),
    text: fc.constantFrom(LIKES, ENJOYS, ADORES),
    day: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(said, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (list, keys) => {
      const proposals = list.map(({ n, text, day }) =>
        saying(
          text,
          {},
          {
            messageId: `said-${n}-${text}-${day}`,
            contentHash: `${n} ${text}`,
            occurredAt: `2024-01-0${day}T00:00:00.000Z`,
          },
        ),
      );
      const shuffled = proposals
        .map((each) => ({ each, key: keys.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ each }) => each);
      expect(essence(after(shuffled, over()))).toEqual(essence(after(proposals, over())));
    }),
  );
});
