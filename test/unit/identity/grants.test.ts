/** The declared table of grants: where a role holds, for each kind of grant and each place. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  isAccountAdmin,
  isMemberSomewhere,
  mayName,
  mayNameReader,
  mayWriteAt,
  readableChain,
  type Caller,
} from '../../../domain/identity/caller.ts';
import {
  parseRole,
  roleAt,
  roleCovers,
  ROLES,
  roleWord,
  type Grant,
  type Role,
} from '../../../domain/identity/roles.ts';
import { isWithin, parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';

function path(text: string): ScopePath {
  const parsed = parseScopePath(text);
  if (parsed === null) throw new Error('not a path');
  return parsed;
}

function grant(scope: string, role: Role, rest: Partial<Grant> = {}): Grant {
  return { scopePath: path(scope), role, effect: 'allow', propagate: true, ...rest };
}

function caller(grants: readonly Grant[], rest: Partial<Caller> = {}): Caller {
  return {
    accountId: 'a',
    credentialId: 'c',
    kind: 'machine',
    peerId: 'p',
    peerKey: 'p',
    pinPath: null,
    secretPolicy: 'keep',
    grants,
    ...rest,
  };
}

const PLACES = {
  'the scope itself': '/team/east',
  'a descendant': '/team/east/desk',
  'a descendant of a descendant': '/team/east/desk/drawer',
  'a scope that nobody has created': '/team/east/not/yet/there',
  'the parent': '/team',
  'the root': '/',
  'a sibling': '/team/west',
  'a sibling whose name begins alike': '/team/easter',
} as const;
type Place = keyof typeof PLACES;

const BELOW: readonly Place[] = [
  'a descendant',
  'a descendant of a descendant',
  'a scope that nobody has created',
];

/** Each kind of grant at /team/east, and the places where it leaves the caller a role. */
const KINDS: readonly {
  readonly kind: string;
  readonly grants: readonly Grant[];
  readonly role: Role;
  readonly holdsAt: readonly Place[];
}[] = [
  {
    kind: 'no grant',
    grants: [],
    role: 'member',
    holdsAt: [],
  },
  {
    kind: 'a propagating allow',
    grants: [grant('/team/east', 'member')],
    role: 'member',
    holdsAt: ['the scope itself', ...BELOW],
  },
  {
    kind: 'an allow that does not propagate',
    grants: [grant('/team/east', 'member', { propagate: false })],
    role: 'member',
    holdsAt: ['the scope itself'],
  },
  {
    kind: 'a propagating allow on the root',
    grants: [grant('/', 'curator')],
    role: 'curator',
    holdsAt: Object.keys(PLACES) as Place[],
  },
  {
    kind: 'a propagating deny under an allow on the root',
    grants: [grant('/', 'curator'), grant('/team/east', 'reader', { effect: 'deny' })],
    role: 'curator',
    holdsAt: ['the parent', 'the root', 'a sibling', 'a sibling whose name begins alike'],
  },
  {
    kind: 'a deny that does not propagate under an allow on the root',
    grants: [
      grant('/', 'curator'),
      grant('/team/east', 'reader', { effect: 'deny', propagate: false }),
    ],
    role: 'curator',
    holdsAt: [...BELOW, 'the parent', 'the root', 'a sibling', 'a sibling whose name begins alike'],
  },
  {
    kind: 'a deny on the root over an allow of the scope',
    grants: [grant('/team/east', 'account_admin'), grant('/', 'reader', { effect: 'deny' })],
    role: 'account_admin',
    holdsAt: [],
  },
  {
    kind: 'a deny of a lower role beside an allow of a higher one',
    grants: [
      grant('/team/east', 'account_admin'),
      grant('/team/east', 'reader', { effect: 'deny' }),
    ],
    role: 'account_admin',
    holdsAt: [],
  },
  {
    kind: 'two allows, of which the stronger counts',
    grants: [grant('/team/east', 'reader'), grant('/team/east', 'curator')],
    role: 'curator',
    holdsAt: ['the scope itself', ...BELOW],
  },
];

describe.each(KINDS)('$kind', ({ grants, role, holdsAt }) => {
  test.each(Object.keys(PLACES) as Place[])('at %s', (place) => {
    expect(roleAt(grants, path(PLACES[place]))).toBe(holdsAt.includes(place) ? role : null);
  });
});

describe('a pin to /team/east narrows what the key may name', () => {
  const pinned = caller([grant('/', 'account_admin')], { pinPath: path('/team/east') });
  const inside: readonly Place[] = ['the scope itself', ...BELOW];

  test.each(Object.keys(PLACES) as Place[])('at %s', (place) => {
    const at = path(PLACES[place]);
    expect(mayName(pinned, at)).toBe(inside.includes(place));
    expect(mayWriteAt(pinned, at)).toBe(inside.includes(place));
    expect(readableChain(pinned, at)).toEqual(
      inside.includes(place) ? expect.arrayContaining(['/', '/team', at]) : [],
    );
  });

  test('and takes the operator routes away, unless it is the root', () => {
    expect(isAccountAdmin(pinned)).toBe(false);
    expect(isAccountAdmin({ ...pinned, pinPath: path('/') })).toBe(true);
  });
});

describe.each([
  { role: 'reader', reads: true, writes: false, admin: false },
  { role: 'member', reads: true, writes: true, admin: false },
  { role: 'curator', reads: true, writes: true, admin: false },
  { role: 'account_admin', reads: true, writes: true, admin: true },
] as const)('a $role of the root', ({ role, reads, writes, admin }) => {
  const holder = caller([grant('/', role)]);
  test('reads', () => expect(readableChain(holder, path('/a')).length > 0).toBe(reads));
  test('writes', () => expect(mayWriteAt(holder, path('/a'))).toBe(writes));
  test('operates', () => expect(isAccountAdmin(holder)).toBe(admin));
});

test('an ancestor that is denied leaves the chain, its descendants stay', () => {
  const holder = caller([
    grant('/', 'reader'),
    grant('/team', 'reader', { effect: 'deny', propagate: false }),
  ]);
  expect(readableChain(holder, path('/team/east'))).toEqual(['/', '/team/east']);
});

test('an account-admin below the root is not an operator', () => {
  expect(isAccountAdmin(caller([grant('/team', 'account_admin')]))).toBe(false);
  expect(isAccountAdmin(caller([grant('/', 'account_admin', { propagate: false })]))).toBe(true);
});

test('a machine names any reader, a person only as curator or above', () => {
  const at = path('/team');
  expect(mayNameReader(caller([]), at)).toBe(true);
  expect(mayNameReader(caller([grant('/', 'member')], { kind: 'human' }), at)).toBe(false);
  expect(mayNameReader(caller([grant('/', 'curator')], { kind: 'human' }), at)).toBe(true);
});

describe('laws', () => {
  const scope = fc.constantFrom('/', '/a', '/a/b', '/a/b/c', '/b').map(path);
  const anyGrant = fc.record({
    scopePath: scope,
    role: fc.constantFrom(...ROLES),
    effect: fc.constantFrom('allow' as const, 'deny' as const),
    propagate: fc.boolean(),
  });

  test('the order of grants does not matter', () => {
    fc.assert(
      fc.property(fc.array(anyGrant), scope, (grants, at) => {
        expect(roleAt(grants.toReversed(), at)).toBe(roleAt(grants, at));
      }),
    );
  });

  test('an additional deny never grants a role, an additional allow never removes one', () => {
    fc.assert(
      fc.property(fc.array(anyGrant), anyGrant, scope, (grants, extra, at) => {
        const before = roleAt(grants, at);
        const after = roleAt([...grants, extra], at);
        if (extra.effect === 'deny') expect(after === null || after === before).toBe(true);
        else if (before !== null) expect(roleCovers(after, before)).toBe(true);
      }),
    );
  });

  test('a peer is a member somewhere when there is a path at which it may write', () => {
    const scopes = ['/', '/a', '/a/b', '/a/b/c', '/b'];
    // A grant may hold in scopes below alone, and those need not exist.
    const places = scopes.flatMap((text) => [path(text), path(`${text}/new`)]);
    fc.assert(
      fc.property(fc.array(anyGrant), (grants) => {
        const holder = caller(grants);
        expect(isMemberSomewhere(holder)).toBe(places.some((at) => mayWriteAt(holder, at)));
        expect(isMemberSomewhere({ ...holder, peerId: null })).toBe(false);
      }),
    );
  });

  test('a role at a path comes from a grant on the path or above it', () => {
    fc.assert(
      fc.property(fc.array(anyGrant), scope, (grants, at) => {
        const reaching = grants.filter((one) => isWithin(at, one.scopePath));
        expect(roleAt(reaching, at)).toBe(roleAt(grants, at));
      }),
    );
  });
});

test('roles are spelled account-admin outside and account_admin inside, and both are understood', () => {
  expect(ROLES.map(roleWord)).toEqual(['reader', 'member', 'curator', 'account-admin']);
  expect(ROLES.map((role) => parseRole(roleWord(role)))).toEqual([...ROLES]);
  expect(parseRole('account_admin')).toBe('account_admin');
  expect(parseRole('owner')).toBeNull();
});
