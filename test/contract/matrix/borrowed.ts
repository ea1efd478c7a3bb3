/** Names of another account in requests: where a request takes one, beside its target, and how it is put there. */
import type { HttpCall } from '../../support/http.ts';
import type { Foreign } from './foreign.ts';
import { NOTHING } from './world.ts';

/** Pairs of one length. The first of each is a name in the other account and nowhere else. */
export const NAMES = {
  scope: ['/zonk-place', '/zank-place'],
  corpus: ['/zonk-corpus', '/zank-corpus'],
  peer: ['zonk-peer', 'zank-peer'],
  speaker: ['zonk-speaker', 'zank-speaker'],
  session: ['zonk-session', 'zank-session'],
  skill: ['zonk-skill', 'zank-skill'],
  circle: ['zonk-circle', 'zank-circle'],
  once: ['zonk-key', 'zank-key'],
  document: ['zonk-handbook', 'zank-handbook'],
  bytes: ['Wm9uaydzLg==', 'WmFuaydzLg=='],
} as const;
/** Is part of every text and name of the other account. */
export const FOREIGN_WORD = 'zonk';

export type Request = Pick<HttpCall, 'method' | 'path' | 'json' | 'headers'>;
type Named = keyof typeof NAMES | Exclude<keyof Foreign, 'state' | 'accountId'>;

/** A place of a request that takes a name. */
export interface Borrowed {
  readonly what: string;
  /** The field or parameter; null where it is none. */
  readonly field: string | null;
  readonly of: Named;
  readonly put: (request: Request, name: string) => Request;
}

type Fields = Readonly<Record<string, unknown>>;

/** Methods that have no body: their fields stand in the address. */
const BY_ADDRESS = ['GET', 'DELETE'];

/** The request with these fields in its body, or in its query when its address says what it is about. */
export function withFields(request: Request, fields: Fields): Request {
  if (!BY_ADDRESS.includes(request.method ?? 'GET')) {
    return { ...request, json: { ...Object(request.json), ...fields } };
  }
  const [path = '', query = ''] = request.path.split('?');
  const all = { ...Object.fromEntries(new URLSearchParams(query)), ...fields };
  return {
    ...request,
    path: `${path}?${new URLSearchParams(all as Record<string, string>).toString()}`,
  };
}

/** A field of the body, with others beside it. */
export const field = (
  name: string,
  of: Named,
  { beside = {}, as = (text) => text }: { beside?: Fields; as?: (name: string) => unknown } = {},
): Borrowed => ({
  what: `${name} ${JSON.stringify(beside)}`,
  field: name,
  of,
  put: (request, text) => withFields(request, { ...beside, [name]: as(text) }),
});

/** A parameter of the query. */
export const parameter = (
  name: string,
  of: Named,
  {
    beside = {},
    as = (text) => text,
  }: {
    beside?: Readonly<Record<string, string>>;
    as?: (name: string) => string;
  } = {},
): Borrowed => ({
  what: `${name} ${JSON.stringify(beside)}`,
  field: name,
  of,
  put: (request, text) => withFields(request, { ...beside, [name]: as(text) }),
});

/** The id in the path; the request has one that is missing. */
export const inPath = (of: Named, query = ''): Borrowed => ({
  what: `${of} in the path${query}`,
  field: null,
  of,
  put: (request, id) => ({ ...request, path: request.path.replace(NOTHING, id) + query }),
});

export const ONCE: Borrowed = {
  what: 'an idempotency key',
  field: null,
  of: 'once',
  put: (request, name) => ({ ...request, headers: { 'idempotency-key': name } }),
};
export const SCOPE = field('scope_path', 'scope');
/** One of several scopes. */
export const SCOPES = field('scope_paths', 'scope', {
  beside: { scope_path: null },
  as: (path) => ['/', path],
});
export const BELOW = field('scope_path', 'scope', { as: (path) => `${path}/deep` });
export const SESSION = field('session_id', 'session');
export const PEER = field('peer_key', 'peer');
/** A cursor of the list of statements, as if the last row shown had this id. */
export function cursorAt(id: string): string {
  const place = [0.5, '2024-01-01T00:00:00.000000Z', id];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}
export const CURSOR = parameter('cursor', 'statementId', { as: cursorAt });
