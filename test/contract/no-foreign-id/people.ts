/** Who is in each account of the seed, what they may reach, and in which scopes they read as whom: in plain words. */

/** All scopes of an account; three of them have names that no other account has. */
export function scopePathsOf(account: number): readonly string[] {
  const tops = ['/a', '/b', '/c'];
  const middle = tops.flatMap((top) => [1, 2, 3, 4].map((n) => `${top}/${n}`));
  const deep = middle.map((path) =>
    path.endsWith('/1') ? `${path}/only-${account}` : `${path}/x`,
  );
  return ['/', ...tops, ...middle, ...deep];
}

/** The last one has a name of its own in each account. */
export const peersOf = (account: number): readonly string[] => [
  'agent',
  'ana',
  'bo',
  'cleo',
  'dag',
  `only-${account}`,
];

interface Grant {
  readonly path: string;
  readonly role: 'reader' | 'member' | 'curator';
  readonly effect: 'allow' | 'deny';
}

export interface Person {
  /** Null for a machine without a peer. */
  readonly peer: string | null;
  readonly kind: 'machine' | 'human';
  readonly grants: readonly Grant[];
  readonly pin: string | null;
}

const allow = (path: string, role: Grant['role']): Grant => ({ path, role, effect: 'allow' });
const AT_ROOT = [allow('/', 'member')];

export const PEOPLE = {
  relay: { peer: 'agent', kind: 'machine', grants: AT_ROOT, pin: null },
  pinned: { peer: 'agent', kind: 'machine', grants: AT_ROOT, pin: '/a' },
  narrow: { peer: 'bo', kind: 'machine', grants: [allow('/b', 'reader')], pin: null },
  nobody: { peer: null, kind: 'machine', grants: [allow('/', 'reader')], pin: null },
  ana: { peer: 'ana', kind: 'human', grants: AT_ROOT, pin: null },
  curator: {
    peer: 'dag',
    kind: 'human',
    grants: [allow('/', 'reader'), allow('/a', 'curator')],
    pin: null,
  },
  denied: {
    peer: 'cleo',
    kind: 'human',
    grants: [allow('/', 'member'), { path: '/c', role: 'reader', effect: 'deny' }],
    pin: null,
  },
} as const satisfies Readonly<Record<string, Person>>;
export type PersonName = keyof typeof PEOPLE;
export const PERSON_NAMES = Object.keys(PEOPLE) as readonly PersonName[];

const isAtOrBelow = (path: string, above: string): boolean =>
  above === '/' || path === above || path.startsWith(`${above}/`);

function stepsTo(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '');
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}

const covering = ({ grants }: Person, path: string) =>
  grants.filter((grant) => isAtOrBelow(path, grant.path));

export function mayReadAt(person: Person, path: string): boolean {
  const grants = covering(person, path);
  return grants.length > 0 && grants.every(({ effect }) => effect === 'allow');
}

export function isCuratorAt(person: Person, path: string): boolean {
  return mayReadAt(person, path) && covering(person, path).some(({ role }) => role === 'curator');
}

/** Whether the person may name another reader at the path. */
export function mayNameAt(person: Person, path: string): boolean {
  return person.kind === 'machine' || isCuratorAt(person, path);
}

export interface ReadableScope {
  readonly path: string;
  /** The key of the peer as whom the scope is read; null reads public statements only. */
  readonly reader: string | null;
  readonly curated: boolean;
}

/** The scopes that a request reaches, and as whom it reads in each. */
export function chainOf(person: Person, path: string, named: string | null): ReadableScope[] {
  if (person.pin !== null && !isAtOrBelow(path, person.pin)) return [];
  const other = named === person.peer ? null : named;
  return stepsTo(path)
    .filter((step) => mayReadAt(person, step))
    .map((step) => ({
      path: step,
      reader: other !== null && mayNameAt(person, step) ? other : person.peer,
      curated: other === null && isCuratorAt(person, step),
    }));
}
