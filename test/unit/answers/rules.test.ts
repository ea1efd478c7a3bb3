/** The pure rules of answers: short names, disagreements, support, and what no reply can change. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shortNamesOf } from '../../../domain/answers/short-names.ts';
import { disagreements } from '../../../domain/answers/disagreements.ts';
import { outcomeOf, type Reply } from '../../../domain/answers/outcome.ts';
import { supportOf } from '../../../domain/answers/support.ts';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { contentTerms } from '../../../engine/text/analyze.ts';
import { evidence, idOf } from './fixtures.ts';

describe('a short name', () => {
  const items = [evidence(1, 'a'), evidence(2, 'b', { type: 'source_message' }), evidence(3, 'c')];
  const { shortNameOf, idOf: back } = shortNamesOf(items);

  test('counts statements and messages by themselves', () => {
    expect(items.map(({ id }) => shortNameOf(id))).toEqual(['S1', 'M1', 'S2']);
  });

  test.each(['S2', 's2', '[S2]', ' (s2). ', '"S2"', 'S02'])('is read in %s', (text) => {
    expect(back(text)).toBe(idOf(3));
  });

  test.each(['S3', 'M2', 'S', '2', 'S2 S1', 'XS2', 'S99999', idOf(3), ''])(
    'is not read in %s',
    (text) => {
      expect(back(text)).toBeNull();
    },
  );

  test('of every list leads back to its item', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 50 }), (kinds) => {
        const list = kinds.map((isMessage, n) =>
          evidence(n + 1, '', { type: isMessage ? 'source_message' : 'knowledge' }),
        );
        const names = shortNamesOf(list);
        expect(list.map(({ id }) => names.idOf(names.shortNameOf(id)))).toEqual(
          list.map(({ id }) => id),
        );
      }),
    );
  });
});

describe('items of evidence disagree', () => {
  const ana = 'peer-ana';
  const lives = (value: string | null, mode: 'holds' | 'ended' | 'corrects' = 'holds') =>
    ({ about: 'residence', value, mode }) as const;
  const window = (from: string | null, until: string | null) => ({
    from: from === null ? null : { at: `${from}T00:00:00.000Z`, precision: 'day' as const },
    until: until === null ? null : { at: `${until}T00:00:00.000Z`, precision: 'day' as const },
  });
  const claims = (...items: readonly Parameters<typeof evidence>[2][]) =>
    [
      ...disagreements(
        items.map((item, n) => evidence(n + 1, '', { subjectPeerId: ana, ...item })),
      ),
    ].map(([, ids]) => ids);

  test('when they give one person two homes at one time', () => {
    expect(claims({ claim: lives('oslo') }, { claim: lives('bergen') })).toEqual([
      [idOf(2)],
      [idOf(1)],
    ]);
  });

  test.each([
    ['they say the same', { claim: lives('oslo') }, { claim: lives('oslo') }],
    [
      'they are about two people',
      { claim: lives('oslo') },
      { claim: lives('bergen'), subjectPeerId: 'peer-ben' },
    ],
    [
      'they are about a scope',
      { claim: lives('oslo'), subjectPeerId: null },
      { claim: lives('bergen'), subjectPeerId: null },
    ],
    [
      'one ended before the other began',
      { claim: lives('oslo'), validity: window('2020-01-01', '2022-01-01') },
      { claim: lives('bergen'), validity: window('2022-01-01', null) },
    ],
    [
      'they are about two attributes',
      { claim: lives('oslo') },
      { claim: { ...lives('ada'), about: 'name' } },
    ],
    ['one claims nothing', { claim: lives('oslo') }, { claim: null }],
    [
      'both say that something ended',
      { claim: lives('oslo', 'ended') },
      { claim: lives('bergen', 'ended') },
    ],
    ['something else ended', { claim: lives('oslo', 'ended') }, { claim: lives('bergen') }],
  ])('but not when %s', (_why, one, other) => {
    expect(claims(one, other)).toEqual([[], []]);
  });

  test('when one says that it ended', () => {
    expect(claims({ claim: lives('oslo', 'ended') }, { claim: lives('oslo') })).toEqual([
      [idOf(2)],
      [idOf(1)],
    ]);
    expect(claims({ claim: lives(null, 'ended') }, { claim: lives('oslo') })).toEqual([
      [idOf(2)],
      [idOf(1)],
    ]);
  });

  test('in both directions, and never with itself', () => {
    const claim = fc.record({
      about: fc.constantFrom('residence', 'name'),
      value: fc.option(fc.constantFrom('a', 'b')),
      mode: fc.constantFrom('holds', 'ended', 'corrects'),
    });
    const item = fc.record({
      claim: fc.option(claim),
      subjectPeerId: fc.option(fc.constantFrom('x', 'y')),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), (items) => {
        const found = disagreements(items.map((one, n) => evidence(n + 1, '', one)));
        for (const [id, others] of found) {
          expect(others).not.toContain(id);
          for (const other of others) expect(found.get(other)).toContain(id);
        }
      }),
    );
  });
});

describe('the support of an answer', () => {
  const support = (answer: string, question: string, ...texts: readonly string[]) =>
    supportOf(
      { answer, question },
      texts.map((text, n) => ({ id: idOf(n + 1), text })),
      contentTerms,
    );

  test('is the share of what it adds to the question', () => {
    const { overlaps, together } = support(
      'Ana moved to Oslo in spring.',
      'Where did Ana go?',
      'Ana moved house.',
      'Ana likes Oslo.',
      'Ben sails.',
    );
    expect(overlaps.map(({ overlap }) => overlap)).toEqual([0.33, 0.33, 0]);
    expect(together).toBe(0.67);
  });

  test('of a bare yes is that of what was asked', () => {
    expect(support('Yes.', 'Does Ana keep bees?', 'Ana keeps bees.').together).toBe(1);
    expect(support('Yes.', 'Does Ana keep bees?', 'Ben sails.').together).toBe(0);
  });

  test('of an answer without words is whole: there is nothing to compare', () => {
    expect(support('!', '?', 'Ana keeps bees.').together).toBe(1);
  });
});

describe('whatever is replied', () => {
  const items = fc
    .array(fc.string(), { maxLength: 6 })
    .map((texts) =>
      texts.map((text, n) => ({ id: idOf(n + 1), text, validityPhrase: 'no dates known' })),
    );
  const written = fc.record({
    text: fc.string(),
    citedIds: fc.array(
      fc.oneof(
        fc.nat(9).map((n) => idOf(n)),
        fc.string(),
      ),
    ),
    abstained: fc.boolean(),
    confidence: fc.double({ min: -50, max: 150, noNaN: true }),
  });
  const reply: fc.Arbitrary<Reply> = fc.oneof(
    fc.constant<Reply>({ kind: 'not_asked' }),
    fc.constant<Reply>({ kind: 'no_model' }),
    fc.constantFrom(...ERROR_CLASSES).map((errorClass): Reply => ({ kind: 'failed', errorClass })),
    fc
      .tuple(written, fc.option(fc.nat()))
      .map(([one, promptTokens]): Reply => ({ kind: 'written', written: one, promptTokens })),
  );

  test('the outcome is a row of the table', () => {
    fc.assert(
      fc.property(fc.string(), items, reply, (question, offered, given) => {
        const outcome = outcomeOf(question, offered, given, contentTerms);
        const { abstained, citations, confidence, degraded, supportingStatements } = outcome;
        const known = offered.map(({ id }) => id);
        expect(citations.every((id) => known.includes(id))).toBe(true);
        expect(new Set(citations).size).toBe(citations.length);
        expect(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100).toBe(true);
        const isUnjudged = given.kind === 'no_model' && offered.length > 0;
        expect(abstained).toBe(!isUnjudged && confidence < 50);
        if (isUnjudged) expect(confidence).toBe(40);
        if (citations.length === 0)
          expect([abstained, confidence, degraded]).toEqual([true, 0, null]);
        expect(supportingStatements.length > 0).toBe(degraded !== null);
        expect(supportingStatements.length).toBeLessThanOrEqual(4);
      }),
    );
  });
});
