/** Who is in the account of the matrix, and which scopes it has: in plain words, with the rights that follow from them. */

/** The scopes that exist. `linked` has a link to `own`. */
export const SCOPES = {
  root: '/',
  ancestor: '/m',
  own: '/m/own',
  child: '/m/own/child',
  sibling: '/m/sibling',
  denied: '/m/denied',
  linked: '/m/linked',
} as const;
export type ScopeName = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly ScopeName[];

/** What a request names as its scope. */
export const PLACES = [...SCOPE_NAMES, 'missing', 'malformed'] as const;
export const MISSING_PATH = '/m/own/none';
const MALFORMED_PATH = '/m/../own';
/** An id that nothing has. */
export const NOTHING = '01890000-0000-7000-8000-00000000dead';

export function pathOf(place: string): string {
  if (place === 'malformed') return MALFORMED_PATH;
  return place in SCOPES ? SCOPES[place as ScopeName] : MISSING_PATH;
}

/** The scopes that have a circle from the beginning. */
export const CIRCLE_PATHS: readonly string[] = [SCOPES.root, SCOPES.own, SCOPES.denied];

const RANKS = ['reader', 'member', 'curator', 'account_admin'] as const;
export type RoleName = (typeof RANKS)[number];

export interface Grant {
  readonly path: string;
  readonly role: RoleName;
  readonly effect?: 'deny';
  readonly propagate?: false;
}

export interface Identity {
  readonly credential: 'none' | 'ended' | 'valid';
  readonly kind: 'machine' | 'person';
  /** The key of the peer; null for a machine without one. */
  readonly peer: string | null;
  readonly grants: readonly Grant[];
  readonly pin: string | null;
  readonly account: 'home' | 'other';
}

const NOBODY: Identity = {
  credential: 'none',
  kind: 'machine',
  peer: null,
  grants: [],
  pin: null,
  account: 'home',
};
const at = (path: string, role: RoleName): Grant => ({ path, role });
const machine = (peer: string | null, grants: readonly Grant[], pin: string | null = null) =>
  ({ ...NOBODY, credential: 'valid', peer, grants, pin }) as const;
const person = (name: string, grants: readonly Grant[]) =>
  ({ ...NOBODY, credential: 'valid', kind: 'person', peer: emailOf(name), grants }) as const;

/** The key of a person's peer. */
export function emailOf(name: string, account = 'home'): string {
  return `${name}@${account}.example`;
}

/** The keys of the members of every circle. */
export const CIRCLE_MEMBERS: readonly string[] = [emailOf('member'), emailOf('denied')];

export const IDENTITIES = {
  'no credential': NOBODY,
  'an unknown token': { ...NOBODY, credential: 'ended' },
  'an expired key': { ...NOBODY, credential: 'ended' },
  'a revoked key': { ...NOBODY, credential: 'ended' },
  'an agent': machine('relay', [at('/', 'member')]),
  'a pinned agent': machine('relay', [at('/', 'member')], SCOPES.own),
  'an agent of one scope': machine('narrow', [at(SCOPES.own, 'reader')]),
  'an agent of one scope alone': machine('lone', [
    { ...at(SCOPES.own, 'member'), propagate: false },
  ]),
  'a machine without a peer': machine(null, [at('/', 'member')]),
  'an administrating agent': machine('boss', [at('/', 'account_admin')]),
  'a reader': person('reader', [at('/', 'reader')]),
  'a member': person('member', [at('/', 'member')]),
  'a curator': person('curator', [at('/', 'reader'), at(SCOPES.own, 'curator')]),
  'an administrator': person('admin', [at('/', 'account_admin')]),
  'a denied member': person('denied', [
    at('/', 'member'),
    { ...at(SCOPES.denied, 'reader'), effect: 'deny' },
  ]),
  "another account's administrator": {
    ...person('admin', [at('/', 'account_admin')]),
    peer: emailOf('admin', 'other'),
    account: 'other',
  },
  'a person who leaves': person('leaver', [at('/', 'member')]),
} as const satisfies Readonly<Record<string, Identity>>;
export type IdentityName = keyof typeof IDENTITIES;

const ALL_NAMES = Object.keys(IDENTITIES) as readonly IdentityName[];
/** Who asks every route. Who leaves asks one, once. */
export const IDENTITY_NAMES = ALL_NAMES.filter((name) => name !== 'a person who leaves');

export function identityOf(name: string | undefined): Identity {
  const identity: Identity | undefined = IDENTITIES[name as IdentityName];
  if (identity === undefined) throw new Error(`nobody is called ${String(name)}`);
  return identity;
}

const isWithin = (path: string, above: string): boolean =>
  above === '/' || path === above || path.startsWith(`${above}/`);

/** Whether the person or machine holds at least the role at the path. Any deny that applies wins. */
export function holds(who: Identity, path: string, role: RoleName): boolean {
  const applying = who.grants.filter((grant) =>
    grant.propagate === false ? grant.path === path : isWithin(path, grant.path),
  );
  if (applying.some(({ effect }) => effect === 'deny')) return false;
  return applying.some((grant) => RANKS.indexOf(grant.role) >= RANKS.indexOf(role));
}

/** Whether the pin lets the credential name the path. */
export const mayNamePath = ({ pin }: Identity, path: string): boolean =>
  pin === null || isWithin(path, pin);

/** Whether the pin leaves the path in reach: below it, or above, where what is inherited stands. */
export const isInReachOfPin = ({ pin }: Identity, path: string): boolean =>
  pin === null || isWithin(path, pin) || isWithin(pin, path);

export const isCuratorSomewhere = ({ grants }: Identity): boolean =>
  grants.some(
    ({ effect, role }) => effect === undefined && RANKS.indexOf(role) >= RANKS.indexOf('curator'),
  );

/** Whether the caller may name another reader at the path. */
export const mayNameReader = (who: Identity, path: string): boolean =>
  who.kind === 'machine' || holds(who, path, 'curator');

export interface ReadScope {
  readonly path: string;
  /** The key of the peer as whom the scope is read; null reads public statements only. */
  readonly reader: string | null;
  readonly isCurated: boolean;
}

function stepsTo(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '');
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}

/** The scopes of the account of the matrix that a request reaches, and as whom it reads in each. */
export function readScopes(
  who: Identity,
  path: string,
  { named, withLinks = false }: { readonly named: string | null; readonly withLinks?: boolean },
): readonly ReadScope[] {
  if (who.account !== 'home' || !mayNamePath(who, path)) return [];
  const other = named === who.peer ? null : named;
  const existing = new Set<string>(Object.values(SCOPES));
  const chain = stepsTo(path).filter((step) => existing.has(step) && holds(who, step, 'reader'));
  const ends = [SCOPES.own, SCOPES.linked];
  const linked = withLinks
    ? ends.filter((end, index) => {
        const isLinked = chain.includes(ends[1 - index] ?? '') && !chain.includes(end);
        return isLinked && mayNamePath(who, end) && holds(who, end, 'reader');
      })
    : [];
  return [...chain, ...linked].map((step) => ({
    path: step,
    reader: other !== null && mayNameReader(who, step) ? other : who.peer,
    isCurated: other === null && holds(who, step, 'curator'),
  }));
}
