/** Which audience contains which, and what a reader is by its role. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  containsAudience,
  lowestRole,
  rolePrincipal,
  rolePrincipalsOf,
  type NamedAudience,
} from '../../../domain/audiences/principals.ts';
import { audienceText } from '../../../domain/audiences/requested-audience.ts';
import { ROLES, type Role } from '../../../domain/identity/roles.ts';
import { sized } from '../../support/run.ts';

const SCOPES = ['s1', 's2'];
const names = [
  'ana',
  'bo',
  'circle',
  ...SCOPES.flatMap((scope) => ROLES.map((role) => rolePrincipal(scope, role))),
];
const audience: fc.Arbitrary<NamedAudience | null> = fc.option(
  fc.subarray(names).map((principals) => ({ id: principals.join(), principals })),
);
/** What a reader is: a peer, perhaps a member of the circle, with a role in each scope. */
const reader = fc
  .record({
    peer: fc.constantFrom('ana', 'bo', 'cleo'),
    circles: fc.subarray(['circle']),
    roles: fc.tuple(fc.option(fc.constantFrom(...ROLES)), fc.option(fc.constantFrom(...ROLES))),
  })
  .map(({ circles, peer, roles }) => [
    peer,
    ...circles,
    ...roles.flatMap((role, at) => rolePrincipalsOf(SCOPES[at] ?? '', role)),
  ]);

const admits = (of: NamedAudience | null, who: readonly string[]): boolean =>
  of === null || of.principals.some((named) => who.includes(named));

describe('an audience that contains another one', () => {
  test('admits everybody whom the other admits, whatever their roles and circles', () => {
    fc.assert(
      fc.property(audience, audience, reader, (outer, inner, who) => {
        if (containsAudience(outer, inner) && admits(inner, who)) {
          expect(admits(outer, who)).toBe(true);
        }
      }),
      { numRuns: sized({ short: 2_000, long: 20_000 }) },
    );
  });

  test('contains what that one contains, and itself', () => {
    fc.assert(
      fc.property(audience, audience, audience, (a, b, c) => {
        expect(containsAudience(a, a)).toBe(true);
        if (containsAudience(a, b) && containsAudience(b, c)) {
          expect(containsAudience(a, c)).toBe(true);
        }
      }),
      { numRuns: sized({ short: 2_000, long: 20_000 }) },
    );
  });

  test('is none where there is an audience and the other has none', () => {
    const some = { id: 'a', principals: ['ana'] };
    const nobody = { id: 'n', principals: [] };
    expect([containsAudience(null, some), containsAudience(some, null)]).toEqual([true, false]);
    expect([containsAudience(some, nobody), containsAudience(nobody, some)]).toEqual([true, false]);
  });

  test('names the curators of a scope by naming its members, and not those of another scope', () => {
    const of = (scope: string, role: Role): NamedAudience => ({
      id: `${scope} ${role}`,
      principals: [rolePrincipal(scope, role)],
    });
    expect(containsAudience(of('s1', 'member'), of('s1', 'curator'))).toBe(true);
    expect(containsAudience(of('s1', 'curator'), of('s1', 'member'))).toBe(false);
    expect(containsAudience(of('s2', 'member'), of('s1', 'curator'))).toBe(false);
  });
});

test('of the roles that an audience names the lowest one stands for all', () => {
  expect(lowestRole(['curator', 'member', 'account_admin'])).toBe('member');
  expect(lowestRole([])).toBeUndefined();
});

test('the same names make the same audience in whatever order, and other ones another', () => {
  const text = (peers: string[], circleIds: string[], role: Role | null = null) =>
    audienceText('account', { peers, circleIds, role });
  expect(text(['ana', 'bo'], ['c', 'd'])).toBe(text(['bo', 'ana'], ['d', 'c']));
  const others = [
    text(['ana'], ['bo']),
    text(['bo'], ['ana']),
    text(['ana', 'bo'], []),
    text([], []),
    text([], [], 'member'),
    text(['ana,bo'], []),
  ];
  expect(new Set(others).size).toBe(others.length);
});
