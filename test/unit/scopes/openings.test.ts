/** Where a caller may read, against the role that the same grants give at each path. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { branches } from '../../../console/pages/scopes/tree.ts';
import { roleAt, roleCovers, type Grant } from '../../../domain/identity/roles.ts';
import {
  areEverything,
  inTreeOrder,
  openingsOf,
  openingsWithin,
  topsFrom,
  type Openings,
} from '../../../domain/identity/openings.ts';
import {
  isWithin,
  parseScopePath,
  ROOT_PATH,
  type ScopePath,
} from '../../../domain/scopes/path.ts';
import { sized } from '../../support/run.ts';

const path = (text: string): ScopePath => parseScopePath(text) ?? ROOT_PATH;

const NAMES = ['', 'a', 'b', 'b c'];
/** All paths of up to three segments. */
const TREE = [
  ...new Set(NAMES.flatMap((x) => NAMES.flatMap((y) => NAMES.map((z) => path(`/${x}/${y}/${z}`))))),
].toSorted(inTreeOrder);

const anyGrants: fc.Arbitrary<readonly Grant[]> = fc.array(
  fc.record({
    scopePath: fc.constantFrom(...TREE),
    role: fc.constantFrom('reader', 'curator'),
    effect: fc.constantFrom('allow', 'allow', 'deny'),
    propagate: fc.boolean(),
  }),
  { maxLength: 6 },
);

const openIn = ({ closedBelow, closedHere, tops }: Openings): readonly ScopePath[] =>
  TREE.filter(
    (one) =>
      tops.some((top) => (top.reachesBelow ? isWithin(one, top.path) : top.path === one)) &&
      !closedHere.includes(one) &&
      !closedBelow.some((closed) => isWithin(one, closed)),
  );

describe('the openings of grants', () => {
  test('let through exactly the paths at which the grants give a role that is enough', () => {
    const anyRole = fc.constantFrom('reader', 'member', 'curator', 'account_admin');
    fc.assert(
      fc.property(anyGrants, fc.constantFrom(...TREE), anyRole, (grants, within, needed) => {
        const open = openIn(openingsWithin(grants, within, needed));
        const readable = TREE.filter(
          (one) => isWithin(one, within) && roleCovers(roleAt(grants, one), needed),
        );
        expect(open).toEqual(readable);
      }),
      { numRuns: sized({ short: 60, long: 300 }) },
    );
  });

  test('of a caller are what it may read within its pin, and above it', () => {
    fc.assert(
      fc.property(anyGrants, fc.option(fc.constantFrom(...TREE)), (grants, pin) => {
        const openings = openingsOf(grants, pin);
        const readable = TREE.filter(
          (one) =>
            (pin === null || isWithin(one, pin) || isWithin(pin, one)) &&
            roleCovers(roleAt(grants, one), 'reader'),
        );
        expect(openIn(openings)).toEqual(readable);
      }),
      { numRuns: sized({ short: 60, long: 300 }) },
    );
  });

  test('are everything only where the grants give the role at every path, those too that may come to be', () => {
    const root = {
      scopePath: ROOT_PATH,
      role: 'curator',
      effect: 'allow',
      propagate: true,
    } as const;
    const mostlyAll = fc
      .tuple(fc.boolean(), anyGrants)
      .map(([isAll, others]) => (isAll ? [root, ...others] : others));
    fc.assert(
      fc.property(mostlyAll, fc.constantFrom(...TREE), (grants, within) => {
        const isAll = areEverything(openingsWithin(grants, within, 'curator'));
        const known = [...TREE, path('/a/made/later')];
        const isCurated = (one: ScopePath) => roleCovers(roleAt(grants, one), 'curator');
        if (isAll) expect(known.every((one) => isWithin(one, within) && isCurated(one))).toBe(true);
        const hasDeny = grants.some(({ effect }) => effect === 'deny');
        if (within === ROOT_PATH && !hasDeny && grants.includes(root)) expect(isAll).toBe(true);
      }),
      { numRuns: sized({ short: 60, long: 300 }) },
    );
  });

  test('lie in the order of the tree, and no path lies in two of them', () => {
    fc.assert(
      fc.property(anyGrants, (grants) => {
        const { tops } = openingsWithin(grants, ROOT_PATH);
        expect(tops.map((top) => top.path)).toEqual(
          tops.map((top) => top.path).toSorted(inTreeOrder),
        );
        for (const one of TREE) {
          const covering = tops.filter((top) =>
            top.reachesBelow ? isWithin(one, top.path) : top.path === one,
          );
          expect(covering.length).toBeLessThan(2);
          expect(topsFrom(tops, one)?.[0]).toEqual(covering[0]);
        }
      }),
      { numRuns: sized({ short: 60, long: 300 }) },
    );
  });
});

describe('a list in the order of the tree', () => {
  const shape = (paths: readonly string[]): unknown => {
    const told = (of: ReturnType<typeof branches>): unknown =>
      of.map(({ below, name }) => (below.length === 0 ? name : [name, told(below)]));
    return told(branches(paths.map((one) => ({ path: one }))));
  };

  test('is lists within lists, with the names below the scope above', () => {
    expect(shape(['/', '/a', '/a/b', '/a/b/c', '/a/d', '/ab', '/x/y'])).toEqual([
      ['/', [['a', [['b', ['c']], 'd']], 'ab', 'x/y']],
    ]);
  });

  test('has at the top what lies below a scope that is not there', () => {
    expect(shape(['/a/b', '/a/b/c', '/d'])).toEqual([['/a/b', ['c']], '/d']);
  });
});
