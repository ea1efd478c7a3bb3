/** The picture of a lineage: nothing covers anything else, sources stand to the right, the same lineage gives the same. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  lineagePicture,
  NODE,
  type Box,
  type LineageThing,
} from '../../../console/pages/statement/lineage-layout.ts';
import { sized } from '../../support/run.ts';

const MOST_THINGS = 40;

interface Drawn {
  /** For each thing but the first: which of the earlier ones it is a source of. */
  readonly makers: readonly number[];
  /** Further references, whatever they lead to. */
  readonly others: readonly (readonly [number, number])[];
  readonly beyond: readonly number[];
}

const anyDrawn: fc.Arbitrary<Drawn> = fc.integer({ min: 1, max: MOST_THINGS }).chain((count) =>
  fc.record({
    makers: fc.array(fc.nat(1_000), { minLength: count - 1, maxLength: count - 1 }),
    others: fc.array(fc.tuple(fc.nat(count), fc.nat(count)), { maxLength: 20 }),
    beyond: fc.array(fc.nat(3), { minLength: count, maxLength: count }),
  }),
);

/** As a walk breadth first answers it. */
function thingsOf({ beyond, makers, others }: Drawn): readonly LineageThing[] {
  const depths = [0];
  const madeFrom: string[][] = beyond.map(() => []);
  makers.forEach((maker, at) => {
    const from = maker % (at + 1);
    depths.push((depths[from] ?? 0) + 1);
    madeFrom[from]?.push(`t${at + 1}`);
  });
  for (const [from, to] of others) madeFrom[from]?.push(`t${to}`);
  return beyond
    .map((count, at) => ({
      key: `t${at}`,
      depth: depths[at] ?? 0,
      madeFrom: madeFrom[at] ?? [],
      beyond: count,
    }))
    .toSorted((a, b) => a.depth - b.depth);
}

const isApart = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) >= NODE.width || Math.abs(a.y - b.y) >= NODE.height;

describe('the picture of a lineage', () => {
  test('shows every thing once, inside of itself, and none covers another', () => {
    fc.assert(
      fc.property(anyDrawn, (drawn) => {
        const things = thingsOf(drawn);
        const { boxes, height, marks, width } = lineagePicture(things);
        expect([...boxes.keys()].toSorted()).toEqual(things.map(({ key }) => key).toSorted());
        expect([...marks.keys()].toSorted()).toEqual(
          things.flatMap(({ beyond, key }) => (beyond > 0 ? [key] : [])).toSorted(),
        );
        const all = [...boxes.values(), ...marks.values()];
        for (const [at, one] of all.entries()) {
          expect(one.x >= 0 && one.x + NODE.width <= width).toBe(true);
          expect(one.y >= 0 && one.y + NODE.height <= height).toBe(true);
          expect(all.slice(at + 1).every((other) => isApart(one, other))).toBe(true);
        }
      }),
      { numRuns: sized({ short: 15, long: 60 }) },
    );
  });

  test('has what is further away further to the right', () => {
    fc.assert(
      fc.property(anyDrawn, (drawn) => {
        const things = thingsOf(drawn);
        const { boxes } = lineagePicture(things);
        for (const one of things) {
          for (const other of things) {
            const [a, b] = [boxes.get(one.key)?.x ?? 0, boxes.get(other.key)?.x ?? 0];
            expect(Math.sign(a - b)).toBe(Math.sign(one.depth - other.depth));
          }
        }
      }),
      { numRuns: sized({ short: 10, long: 30 }) },
    );
  });

  test('is the same for the same lineage', () => {
    fc.assert(
      fc.property(anyDrawn, (drawn) => {
        const things = thingsOf(drawn);
        expect(lineagePicture(structuredClone(things))).toEqual(lineagePicture(things));
      }),
      { numRuns: sized({ short: 10, long: 30 }) },
    );
  });

  test('draws a line for each source that it shows, and stands in the middle of several', () => {
    const { boxes, lines, marks } = lineagePicture([
      { key: 'all', depth: 0, madeFrom: ['a', 'b', 'gone'], beyond: 1 },
      { key: 'a', depth: 1, madeFrom: ['c'], beyond: 0 },
      { key: 'b', depth: 1, madeFrom: ['c', 'all'], beyond: 0 },
      { key: 'c', depth: 2, madeFrom: [], beyond: 0 },
    ]);
    expect(lines).toEqual([
      { from: 'all', to: 'a' },
      { from: 'all', to: 'b' },
      { from: 'a', to: 'c' },
      { from: 'b', to: 'c' },
      { from: 'b', to: 'all' },
    ]);
    const [first, last] = [boxes.get('a')?.y ?? 0, marks.get('all')?.y ?? 0];
    expect(boxes.get('all')?.y).toBe((first + last) / 2);
  });

  test('of nothing is empty', () => {
    expect(lineagePicture([]).boxes.size).toBe(0);
  });
});
