/** Names of a picture, and what ties its statements. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hubsOf, MOST_HUBS, namesOf } from '../../../domain/graph/hubs.ts';
import { disagreeing, MOST_TIES, tiesAmong, type Tie } from '../../../domain/graph/ties.ts';

const hubs = (texts: readonly string[], subject: string | null = null) =>
  hubsOf(texts.map((text, at) => namesOf(`s${at}`, text, subject)));

describe('the names of a picture', () => {
  test('are those that two statements share, as the texts spell them', () => {
    expect(hubs(['She met Eva Braun at work.', 'He likes Eva Braun.', 'We saw Oslo.'])).toEqual([
      { alias: 'eva braun', label: 'Eva Braun', statementIds: ['s0', 's1'] },
    ]);
  });

  test('take a single name for the one longer name that has it', () => {
    expect(hubs(['He met Eva Braun.', 'We asked Eva.'])).toEqual([
      { alias: 'eva braun', label: 'Eva Braun', statementIds: ['s0', 's1'] },
    ]);
  });

  test('leave out a single name that two longer ones have', () => {
    const texts = ['He met Eva Braun.', 'He met Eva Maier.', 'We asked Eva.', 'They called Eva.'];
    expect(hubs(texts)).toEqual([]);
  });

  test('never hold a name of the person that the text does not have', () => {
    const texts = ['The person owns a canoe.', 'The person owns a boat.'];
    expect(hubs(texts, 'Ana Secret')).toEqual([]);
  });

  test('are few, and do not depend on the order of the statements', () => {
    const names = Array.from(
      { length: 30 },
      (_, n) => `Person${String.fromCharCode(65 + (n % 26))}${n}`,
    );
    const texts = names.flatMap((name) => [`We saw ${name}.`, `They met ${name}.`]);
    expect(hubs(texts)).toHaveLength(MOST_HUBS);
    fc.assert(
      fc.property(fc.shuffledSubarray(texts, { minLength: texts.length }), (shuffled) => {
        const aliases = (all: readonly string[]) => hubs(all).map(({ alias }) => alias);
        expect(aliases(shuffled)).toEqual(aliases(texts));
      }),
      { numRuns: 20 },
    );
  });
});

const anyTie: fc.Arbitrary<Tie> = fc.record({
  kind: fc.constantFrom('superseded_by', 'derived_from', 'disagrees'),
  from: fc.constantFrom('a', 'b', 'c', 'd'),
  to: fc.constantFrom('a', 'b', 'c', 'd'),
});

describe('the ties of a picture', () => {
  test('lie between its statements, each once, the same in any order', () => {
    fc.assert(
      fc.property(fc.array(anyTie), (ties) => {
        const among = tiesAmong(ties, new Set(['a', 'b', 'c']));
        expect(tiesAmong(ties.toReversed(), new Set(['a', 'b', 'c']))).toEqual(among);
        expect(new Set(among.map((tie) => JSON.stringify(tie))).size).toBe(among.length);
        expect(among.some(({ from, to }) => from === to || [from, to].includes('d'))).toBe(false);
      }),
    );
  });

  test('are bounded, lineage before disagreement', () => {
    const ids = Array.from({ length: 40 }, (_, n) => `s${n}`);
    const all = disagreeing(new Map(ids.map((id) => [id, ids.filter((other) => other !== id)])));
    expect(all).toHaveLength((40 * 39) / 2);
    const among = tiesAmong([...all, { kind: 'derived_from', from: 's1', to: 's2' }], new Set(ids));
    expect(among).toHaveLength(MOST_TIES);
    expect(among[0]?.kind).toBe('derived_from');
  });
});
