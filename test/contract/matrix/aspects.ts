/** What follows from a cell by plain rules: the aspects that the tables of routes ask about. */
import { DOCUMENTS, someOf, STATEMENTS } from './plan.ts';
import { isFor, isFoundIn, maySeeStatus, referenceTo, wasThere } from './shown.ts';
import { yesNo } from './statements/judge.ts';
import type { Cell } from './table.ts';
import {
  CIRCLE_MEMBERS,
  emailOf,
  holds,
  identityOf,
  isCuratorSomewhere,
  mayNamePath,
  mayNameReader,
  pathOf,
  readScopes,
  SCOPES,
  type Identity,
  type ReadScope,
} from './world.ts';

const UNKNOWN_PEER = 'somebody-unknown';

/** The key that the request names as reader; null for none. */
export function namedKey({ names }: Cell, who: Identity): string | null {
  if (names === 'itself') return who.peer;
  if (names === 'a member') return emailOf('member');
  return names === 'somebody unknown' ? UNKNOWN_PEER : null;
}

function namingOf(cell: Cell, who: Identity): string {
  const key = namedKey(cell, who);
  if (key === null || key === who.peer) return 'none';
  if (!mayNameReader(who, pathOf(cell['place'] ?? ''))) return 'refused';
  return key === UNKNOWN_PEER || who.account !== 'home' ? 'unknown' : 'allowed';
}

/** The scopes that a read of the cell reaches. */
export function chainOf(cell: Cell): readonly ReadScope[] {
  const who = identityOf(cell['identity']);
  const named = namedKey(cell, who);
  return readScopes(who, pathOf(cell['place'] ?? ''), {
    named,
    withLinks: cell['links'] === 'with',
  });
}

export const LINEAGE_TARGETS = 8;
export const STATUS_TARGETS = 12;

function seesInLineage(cell: Cell): boolean {
  const fact = someOf(STATEMENTS, cell['nth'], LINEAGE_TARGETS);
  const chain = chainOf(cell);
  if (cell['type'] === 'message') return isFoundIn(fact.message, chain);
  return referenceTo(fact, chain) === 'visible';
}

function seesStatus(cell: Cell, who: Identity): boolean {
  const { message } = someOf(STATEMENTS, cell['nth'], STATUS_TARGETS);
  const [isThere, isMeant] = [wasThere(message, who.peer), isFor(message, who.peer)];
  return maySeeStatus(who, message.path, { isThere, isMeant });
}

export function documentOf(cell: Cell): (typeof DOCUMENTS)[number] {
  return someOf(DOCUMENTS, cell['nth'], DOCUMENTS.length);
}

/** The path that a promotion names, from the place of its statement. */
export function promotedTo({ place = '', to }: Cell): string {
  const path = pathOf(place);
  if (to === 'itself') return path;
  return to === 'root' ? '/' : path.slice(0, path.lastIndexOf('/')) || '/';
}

function curatesAt(who: Identity, path: string): boolean {
  return mayNamePath(who, path) && holds(who, path, 'curator');
}

type Aspects = Readonly<Record<string, string>>;

/** Whether the caller may know of the thing that a route is about, where a route is about one. */
function seesTarget(route: string, cell: Cell, who: Identity): boolean | null {
  const { place = '', target } = cell;
  const isHome = who.account === 'home';
  switch (target) {
    case undefined:
      return null;
    case 'about the caller':
    case 'of the caller':
      return isHome && who.peer !== null;
    case 'a card': {
      const path = pathOf(place);
      const mayRead = mayNamePath(who, path) && holds(who, path, 'reader');
      return isHome && (route.startsWith('GET') ? mayRead : curatesAt(who, path));
    }
    case 'a circle': {
      const path = pathOf(place);
      const isMember = holds(who, path, 'reader') && CIRCLE_MEMBERS.includes(who.peer ?? '');
      const maySee = curatesAt(who, path) || (route.startsWith('GET') && isMember);
      return isHome && maySee;
    }
    case 'a hold':
    case 'an item':
    case 'a statement':
      return isHome && curatesAt(who, pathOf(place));
    case 'a message':
    case 'handed to the caller':
      return isHome;
    case 'seeded':
      if (route.endsWith('/lineage')) return seesInLineage(cell);
      if (route.includes('/ingest/')) return seesStatus(cell, who);
      if (route.includes('/documents')) {
        return maySeeStatus(who, documentOf(cell).path, {
          isThere: documentOf(cell).peer === who.peer,
        });
      }
      throw new Error(`who may know of what ${route} is about, if it is seeded? Say so here`);
    case 'about another':
    case 'about the scope':
    case 'handed to another':
    case 'malformed':
    case 'missing':
    case 'foreign':
    case 'of another':
      return false;
    default:
      throw new Error(`who may know of "${target}"? Say so here`);
  }
}

function writesAt(route: string, cell: Cell, who: Identity): boolean {
  const isDocument = route.includes('/documents/');
  const isThere = !isDocument || (cell['target'] === 'seeded' && who.account === 'home');
  const path = isDocument ? documentOf(cell).path : pathOf(cell['place'] ?? '');
  return isThere && mayNamePath(who, path) && holds(who, path, 'member');
}

function placeAspects(place: string, who: Identity): Aspects {
  const path = pathOf(place);
  const isScope = who.account === 'home' ? place in SCOPES : place === 'root';
  const isAdmin = mayNamePath(who, path) && holds(who, path, 'account_admin');
  return {
    exists: yesNo(isScope && holds(who, path, 'reader')),
    administers: yesNo(isAdmin),
    curatesHere: yesNo(curatesAt(who, path)),
  };
}

/** The cell with all that its route's table may ask about. */
export function situationOf(route: string, cell: Cell): Cell {
  const who = identityOf(cell['identity']);
  const sees = seesTarget(route, cell, who);
  const isAdmin = mayNamePath(who, '/') && holds(who, '/', 'account_admin');
  const takesWrites = cell['place'] !== undefined || route.includes('/documents/');
  return {
    credential: who.credential,
    kind: who.kind,
    hasPeer: yesNo(who.peer !== null),
    isAdmin: yesNo(isAdmin),
    curates: isCuratorSomewhere(who) ? 'somewhere' : 'nowhere',
    target: 'none',
    ...cell,
    ...(cell['place'] === undefined ? {} : placeAspects(cell['place'], who)),
    ...(takesWrites ? { writes: yesNo(writesAt(route, cell, who)) } : {}),
    ...(cell['names'] === undefined ? {} : { naming: namingOf(cell, who) }),
    ...(cell['to'] === undefined ? {} : { curatesTarget: yesNo(curatesAt(who, promotedTo(cell))) }),
    ...(sees === null ? {} : { sees: yesNo(sees) }),
  };
}
