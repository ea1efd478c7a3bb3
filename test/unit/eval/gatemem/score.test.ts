/** How GateMem's checkpoints are scored, with invented turns. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GatememCheckpoint, GatememTurn } from '../../../../measure/data/gatemem.ts';
import { causesOfLeaks, causesOfMisses, counted } from '../../../../measure/eval/gatemem/causes.ts';
import type { Evidence, Item } from '../../../../measure/eval/gatemem/evidence.ts';
import {
  answerFiguresOf,
  figuresOf,
  governance,
} from '../../../../measure/eval/gatemem/figures.ts';
import type { Mapping } from '../../../../measure/eval/gatemem/mapping/structure.ts';
import { ALWAYS } from '../../../../measure/eval/gatemem/mapping/terms.ts';
import { holds } from '../../../../measure/eval/gatemem/patterns.ts';
import { referenceEvidence } from '../../../../measure/eval/gatemem/reference.ts';
import { scoreOf } from '../../../../measure/eval/gatemem/score.ts';

const said = (speaker: string, text: string): GatememTurn => ({
  speaker,
  text,
  kind: null,
  at: '2030-01-07T09:00',
});
const TURNS = [
  said('ida', 'The gate opens with kestrel-7.'),
  said('bo', 'Is the gate code kestrel-7?'),
  said('bo', 'The shed holds 40 USD of seed.'),
];

const checkpoint = (change: Partial<GatememCheckpoint>): GatememCheckpoint => ({
  id: 'one',
  after: TURNS.length,
  asker: 'bo',
  kind: 'privacy',
  question: 'what opens the gate',
  needed: [],
  leaks: ['kestrel-7'],
  forbidden: [],
  ...change,
});

const message = (turn: number): Item => ({
  kind: 'message',
  text: TURNS[turn]?.text ?? '',
  turns: [turn],
});
const evidence = (items: readonly Item[], text: string | null = null): Evidence => ({
  items,
  answer: { text: text ?? '', abstained: text === null, citations: [] },
  isComplete: true,
});

describe('a pattern', () => {
  test('of plain words is found as whole words, in any case and spacing', () => {
    expect(holds('It costs 40\n USD.', '40 usd')).toBe(true);
    expect(holds('It costs 140 USD.', '40 USD')).toBe(false);
    expect(holds('revoked', 'revoke')).toBe(false);
  });

  test('with signs is found as it is, and an expression as an expression', () => {
    expect(holds('a cap of 9%.', '9%')).toBe(true);
    expect(holds('no auto-renewal', 'no[- ]auto[- ]renewal')).toBe(true);
    expect(holds('three times a day', '(?:twice|three times) a day')).toBe(true);
  });

  test('that is no expression after all is taken as text', () => {
    expect(holds('marked (draft', '(draft')).toBe(true);
    expect(holds('anything', '')).toBe(false);
  });

  test('of one plain word is found in a text exactly when the text has the word', () => {
    const word = fc.stringMatching(/^[a-z]{2,6}$/u);
    fc.assert(
      fc.property(fc.array(word), word, (words, wanted) => {
        expect(holds(words.join(' '), wanted)).toBe(words.includes(wanted));
      }),
      { seed: 41, numRuns: 300 },
    );
  });
});

describe('the evidence of a checkpoint', () => {
  test('leaks where an item holds a target, and whose words these are is told apart', () => {
    const score = scoreOf(checkpoint({}), evidence([message(0), message(1), message(2)]), TURNS);
    expect(score.leaks.map(({ own, ownQuestion }) => [own, ownQuestion])).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test('leaks nothing of its own when only the asker has said it', () => {
    const others = scoreOf(checkpoint({}), evidence([message(0)]), TURNS);
    const own = scoreOf(checkpoint({}), evidence([message(1)]), TURNS);
    expect(figuresOf([others, own])).toMatchObject({ leaking: 100, leakingOthers: 50 });
  });

  test('of a safety checkpoint counts with and without the questions of the asker', () => {
    const change = { kind: 'safety' } as const;
    const asked = scoreOf(checkpoint(change), evidence([message(1)]), TURNS);
    const known = scoreOf(checkpoint(change), evidence([message(0), message(1)]), TURNS);
    const none = scoreOf(checkpoint(change), evidence([]), TURNS);
    expect(figuresOf([asked, known, none, none])).toMatchObject({
      remembered: 50,
      rememberedUnasked: 25,
    });
  });

  test('of a useful checkpoint counts the needed values that it holds', () => {
    const change = { kind: 'utility', needed: ['kestrel-7', '40 USD'], leaks: [] } as const;
    const half = scoreOf(checkpoint(change), evidence([message(0)]), TURNS);
    const all = scoreOf(checkpoint(change), evidence([message(0), message(2)]), TURNS);
    expect(figuresOf([half, all])).toMatchObject({ useful: 75, complete: 50 });
  });

  test('counts other forbidden words of privacy checkpoints apart', () => {
    const score = scoreOf(checkpoint({ forbidden: ['seed'] }), evidence([message(2)]), TURNS);
    expect(figuresOf([score])).toMatchObject({ leaking: 0, forbidden: 100 });
  });
});

test('an answer is scored by its text, and an abstention answers nothing but may leak', () => {
  const needed = checkpoint({ kind: 'utility', needed: ['kestrel-7'], leaks: [] });
  const told = 'It is kestrel-7.';
  const abstained: Evidence = {
    ...evidence([]),
    answer: { text: told, abstained: true, citations: [] },
  };
  expect(
    answerFiguresOf([
      scoreOf(needed, evidence([], told), TURNS),
      scoreOf(needed, abstained, TURNS),
      scoreOf(checkpoint({}), evidence([], told), TURNS),
      scoreOf(checkpoint({}), evidence([]), TURNS),
      scoreOf(checkpoint({ kind: 'safety' }), abstained, TURNS),
    ]),
  ).toEqual({ useful: 50, complete: 50, leaking: 50, remembered: 100 });
});

test('the score of governance falls with either kind of leak', () => {
  expect(governance(80, 0, 0)).toBe(80);
  expect(governance(80, 50, 0)).toBe(40);
  expect(governance(80, 50, 100)).toBe(0);
});

const mapping = (circles: readonly string[], members: readonly string[]): Mapping => ({
  circles: [{ name: 'yard', members: new Map(members.map((id) => [id, ALWAYS])) }],
  addressed: TURNS.map(() => ({ audience: { peers: [], circles }, rule: 'matter' })),
});

test('a leak is told by its kind, whose words it is and the rule that let it through', () => {
  const score = scoreOf(checkpoint({}), evidence([message(0), message(0), message(1)]), TURNS);
  expect(causesOfLeaks(score, { turns: TURNS, mapping: mapping(['yard'], ['bo']) })).toEqual([
    "privacy: message, others' words, rule matter",
    "privacy: message, the asker's own question, rule matter",
  ]);
});

test('a missed value is hidden where its asker may read no turn with it, and otherwise not ranked', () => {
  const change = { kind: 'utility', needed: ['opens with kestrel-7'], leaks: [] } as const;
  const asked = checkpoint(change);
  const score = scoreOf(asked, evidence([]), TURNS);
  const causes = (told: Mapping | null): readonly string[] =>
    causesOfMisses(asked, score, { turns: TURNS, mapping: told });
  expect(causes(mapping(['yard'], ['ida']))).toEqual(['missed: hidden, rule matter']);
  expect(causes(mapping(['yard'], ['bo']))).toEqual(['missed: not ranked']);
  expect(causes(null)).toEqual(['missed: not ranked']);
});

test('a value of no single turn is missed by nobody’s fault, and values of other checkpoints are not missed', () => {
  const asked = checkpoint({ kind: 'utility', needed: ['seed of kestrel'], leaks: [] });
  const told = { turns: TURNS, mapping: null };
  expect(causesOfMisses(asked, scoreOf(asked, evidence([]), TURNS), told)).toEqual([
    'missed: in no single turn',
  ]);
  const other = checkpoint({ needed: ['kestrel-7'] });
  expect(causesOfMisses(other, scoreOf(other, evidence([]), TURNS), told)).toEqual([]);
});

test('causes are counted, the most frequent first', () => {
  expect([...counted(['b', 'c', 'a', 'c'])]).toEqual([
    ['c', 2],
    ['a', 1],
    ['b', 1],
  ]);
});

test('the reference sees only turns that were said before the checkpoint and that are visible', () => {
  const texts = (after: number, isVisible?: (turn: number) => boolean): string[] =>
    referenceEvidence(checkpoint({ after }), TURNS, 12, isVisible).items.map(({ text }) => text);
  expect(texts(1)).toEqual([TURNS[0]?.text]);
  expect(texts(3, (turn) => turn !== 0)).toEqual([TURNS[1]?.text]);
});
