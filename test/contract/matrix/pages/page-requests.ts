/** What a browser sends for a cell of the tables of pages. */
import type { Browser } from '../../../console/scene.ts';
import { sendParts } from '../../../console/upload.ts';
import type { HttpAnswer } from '../../../support/http.ts';
import type { PageTable } from './page-table.ts';
import { MISSING_ID, type PageScene } from './page-scene.ts';

/** A version of an item that nobody has seen. */
const NO_VERSION = '999';
const PATHS: Readonly<Record<string, string>> = {
  'the scope': '/team',
  elsewhere: '/else',
  missing: '/none',
};

export interface Sent {
  readonly method: string;
  readonly path: string;
  /** What of the address or the form names the thing; it differs between a thing that is hidden and one that is missing. */
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The thing that a form is about, as the table calls it, and as the request names it. */
interface Named {
  readonly thing: string;
  readonly name: string;
}

type FieldsOf = (scene: PageScene, by: string, named: Named) => Readonly<Record<string, string>>;

const stale: FieldsOf = () => ({ version: NO_VERSION });
const edited = {
  version: NO_VERSION,
  statement: 'Alice keeps many other things.',
  sensitivity: '',
};
/** The items of the queue about statements; another statement has none, and its forms name one that is missing. */
const ITEMS: Readonly<Record<string, string>> = {
  contested: 'contested',
  waiting: 'in the scope',
  'waiting elsewhere': 'elsewhere',
  foreign: 'foreign',
};
const itemAbout = ({ things }: PageScene, thing: string): string =>
  things.item[ITEMS[thing] ?? ''] ?? MISSING_ID;
/** A decision at the page of a statement. */
const staleThere: FieldsOf = (scene, _by, { thing }) => ({
  review: itemAbout(scene, thing),
  version: NO_VERSION,
});
const aboutStatement: FieldsOf = (_scene, _by, { name }) => ({ knowledge: name });
const wrongPassword: FieldsOf = (_scene, by) => ({
  email: `${by.replaceAll(/[^a-z]/g, '-')}@nowhere.example`,
  password: 'not the password at all',
});

/** Fields of the forms that need some. Whoever may send the form is told what is wrong with it, or it may be sent often. */
const FIELDS: Readonly<Record<string, FieldsOf>> = {
  'POST /sign-in': wrongPassword,
  'POST /governance/sign-in': wrongPassword,
  'POST /governance/:id/approve': stale,
  'POST /governance/:id/reject': stale,
  'POST /governance/:id/defer': stale,
  'POST /governance/:id/edit': () => edited,
  'POST /governance/:id/merge': (scene) => ({
    version: NO_VERSION,
    into: scene.things.statement['believed'] ?? '',
  }),
  'POST /governance/forgetting/:id/uphold': stale,
  'POST /governance/forgetting/:id/lift': stale,
  'POST /governance/bulk': ({ things }) => ({
    action: 'reject',
    [`item.${things.item['in the scope']}`]: NO_VERSION,
  }),
  'POST /console/knowledge/:id/approve': staleThere,
  'POST /console/knowledge/:id/reject': staleThere,
  'POST /console/knowledge/:id/defer': staleThere,
  'POST /console/knowledge/:id/edit': (scene, _by, { thing }) => ({
    ...edited,
    review: itemAbout(scene, thing),
  }),
  'POST /console/knowledge/:id/reopen': () => ({ reason: 'Somebody doubts it.' }),
  'POST /console/knowledge/:id/promote': () => ({ target_scope_path: '/' }),
  'POST /console/skills/publish': () => ({
    card: JSON.stringify({ skill: 'pages', scope_path: '/team', requirements: [] }),
  }),
  'POST /console/scopes/circles/create': (_scene, _by, { name }) => ({
    scope_path: name,
    name: 'of the matrix',
    members: 'somebody-unknown',
  }),
  'POST /console/scopes/circles/:id/add': () => ({ add: 'somebody-unknown' }),
  'POST /console/scopes/circles/:id/remove': () => ({ peer: 'somebody-unknown' }),
  'POST /console/skills/check': (_scene, _by, { name }) => ({
    card: JSON.stringify({ skill: 'pages', scope_path: name, requirements: [] }),
  }),
  'POST /console/tools/:tool': () => ({ scope_path: '/team', query: 'boat' }),
  'POST /console/me/questions/yes': aboutStatement,
  'POST /console/me/questions/no': aboutStatement,
  'POST /console/me/questions/wrong': aboutStatement,
  'POST /console/me/questions/leave': (_scene, _by, { name }) => ({ question: name }),
  'POST /console/me/ask-preference': () => ({
    max_per_session: '2',
    max_per_day: '5',
    pause_for_hours: '0',
  }),
  'POST /console/me/password': () => ({
    old_password: 'not the old one at all',
    new_password: 'a wholly new password',
  }),
  'POST /console/me/erasure': () => ({ confirm: 'no', mode: 'proportionate' }),
  'POST /console/sources/upload': (_scene, by) => ({
    scope_path: '/team',
    title: '',
    external_id: `of ${by}`,
  }),
};

function nameOf({ names }: PageTable, thing: string, { things }: PageScene): string {
  if (names === null) return '';
  if (names === 'tool') return thing === 'missing' ? 'no_tool' : thing;
  if (names === 'scope of the form' || 'parameter' in names) return PATHS[thing] ?? '';
  if (thing === 'missing') return MISSING_ID;
  return thing === 'malformed' ? 'no-id-at-all' : (things[names.kind][thing] ?? '');
}

/** The request for the thing. `by` tells requests of different viewers apart where that matters. */
export function requestFor(table: PageTable, thing: string, scene: PageScene, by: string): Sent {
  const [method = '', route = ''] = table.route.split(' ');
  const name = nameOf(table, thing, scene);
  const path = route.replace(/:(?:id|tool)/, name).replace('*rest', 'no/such/page');
  const { names } = table;
  const query =
    names !== null && typeof names === 'object' && 'parameter' in names
      ? `?${new URLSearchParams({ [names.parameter]: name, skill: 'trip' }).toString()}`
      : '';
  const fields = FIELDS[table.route]?.(scene, by, { thing, name }) ?? {};
  return { method, path: path + query, name, fields };
}

/** Sends it. A form carries `csrf` unless that is null. */
export function sendFrom(
  browser: Browser,
  { fields, method, path }: Sent,
  csrf: string | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  if (method === 'GET') return browser.request(method, path, { headers });
  const token: Record<string, string> = csrf === null ? {} : { _csrf: csrf };
  if (path === '/console/sources/upload') {
    const file = { name: 'note.txt', type: 'text/plain', bytes: 'When does it open?' };
    return sendParts(
      browser,
      path,
      [...Object.entries({ ...token, ...fields }), ['file', file]],
      headers,
    );
  }
  if (method === 'DELETE') {
    const named: Record<string, string> = csrf === null ? {} : { 'x-csrf-token': csrf };
    return browser.request(method, path, { headers: { ...named, ...headers } });
  }
  return browser.request(method, path, { fields: { ...token, ...fields }, headers });
}
