/**
 * Several scopes in one read, against reads of each of them alone: the same ids and sources together, for everybody, and a
 * refusal exactly where one of the reads alone is refused.
 */
import { eachOf } from '../../../engine/async.ts';
import type { HttpAnswer } from '../../support/http.ts';
import { sized } from '../../support/run.ts';
import { dataOf, rowsOf, type Body } from '../../support/service.ts';
import type { Request } from './asking.ts';
import { withFields } from './borrowed.ts';
import { READS } from './routes/reads.ts';
import { answerOf, type Call } from './run.ts';
import type { MatrixScene } from './scene.ts';
import type { Cell } from './table.ts';
import { IDENTITY_NAMES, pathOf, type IdentityName } from './world.ts';

const AT_ONCE = 4;

/** Scopes that one read names: beside and below each other, linked, missing, denied to some, outside of a pin. */
const PLACES: readonly (readonly string[])[] = [
  ['own', 'sibling'],
  ['sibling', 'child', 'linked', 'missing'],
  ['missing', 'denied'],
  ['denied', 'own', 'root'],
  ['linked', 'own', 'malformed'],
  ['root', 'ancestor', 'own', 'child', 'sibling', 'denied', 'linked', 'missing'],
];
const NAMES = ['nobody', 'itself', 'a member', 'somebody unknown'];

const listOf = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? value.map((one): Body => Object(one)) : [];

/** What a route answers of a cell, as rows of ids. */
interface Variant {
  readonly route: string;
  readonly cell: Cell;
  readonly rows: (answer: HttpAnswer) => readonly Body[];
}

const candidates = (answer: HttpAnswer): readonly Body[] => listOf(dataOf(answer)['candidates']);
/** The facts of all parts, and the statements after them. */
const ofContext = (answer: HttpAnswer): readonly Body[] => {
  const data = dataOf(answer);
  const parts = ['peer_profile', 'scope_cards', 'entity_cards'].flatMap((name) =>
    listOf(data[name]),
  );
  const facts = parts.flatMap((part) => listOf(part['pinned_facts']));
  return [...facts, ...listOf(data['knowledge'])].map(({ id }): Body => ({ id }));
};

const SEARCH = { route: 'POST /api/v1/search', rows: candidates };
const SOURCES = {
  route: 'POST /api/v1/source-search',
  rows: (answer: HttpAnswer) =>
    listOf(dataOf(answer)['results']).map(({ message_id: id }): Body => ({ id })),
};
const LISTED = { route: 'GET /api/v1/knowledge', rows: rowsOf };

const said = { sought: 'what was said', at: 'now' };
const VARIANTS: readonly Variant[] = [
  { ...SEARCH, cell: { ...said, links: 'without' } },
  { ...SEARCH, cell: { ...said, links: 'with' } },
  { ...SEARCH, cell: { ...said, at: 'then', links: 'with' } },
  { ...SEARCH, cell: { sought: 'what was uploaded', at: 'now', links: 'without' } },
  { ...SOURCES, cell: { ...said, mode: 'exact', links: 'without', neighbours: 'without' } },
  { ...SOURCES, cell: { ...said, mode: 'exact', links: 'with', neighbours: 'without' } },
  ...['active', 'provisional', 'held', 'superseded', 'stale'].map((state) => ({
    ...LISTED,
    cell: { state },
  })),
  { route: 'POST /api/v1/context', cell: {}, rows: ofContext },
  {
    route: 'POST /api/v1/ask',
    cell: { at: 'now', links: 'without', effort: 'none', sources: 'without' },
    rows: candidates,
  },
];

/** The request of a route for one place, with these places in its stead. */
function ofPlaces(request: Request, places: readonly string[]): Request {
  const paths = places.map(pathOf);
  if (request.json !== undefined) {
    return withFields(request, { scope_path: null, scope_paths: paths });
  }
  const [path = '', query] = request.path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.delete('scope_path');
  for (const each of paths) parameters.append('scope_paths', each);
  return { ...request, path: `${path}?${parameters.toString()}` };
}

interface Asking {
  readonly identity: IdentityName;
  readonly variant: Variant;
  readonly places: readonly string[];
  readonly names: string;
}

/** In the short run everybody meets every variant, with lists of places and names in turns. */
function askings(): readonly Asking[] {
  return IDENTITY_NAMES.flatMap((identity, n) =>
    VARIANTS.flatMap((variant, v) => {
      const turn = (list: readonly unknown[], step: number): number => (n * step + v) % list.length;
      return sized({
        short: () => [[turn(PLACES, 1), turn(NAMES, 1)] as const],
        long: () => PLACES.flatMap((_, p) => NAMES.map((__, m) => [p, m] as const)),
      })().map(([p, m]) => ({
        identity,
        variant,
        places: PLACES[p] ?? [],
        names: NAMES[m] ?? '',
      }));
    }),
  );
}

/** What several reads alone are answered together: the refusal that comes first, or 200. */
function expectedAnswer(alone: readonly HttpAnswer[]): string {
  const all = alone.map(answerOf);
  const order = ['401 unauthorized', '422 invalid_request', '403 forbidden', '422 unknown_peer'];
  return order.find((each) => all.includes(each)) ?? '200';
}

const sourcesOf = (rows: readonly Body[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const byId = new Map<string, Set<string>>();
  for (const { id, source_message_ids: sources } of rows) {
    const known = byId.get(String(id)) ?? new Set();
    byId.set(String(id), known);
    if (Array.isArray(sources)) for (const source of sources) known.add(String(source));
  }
  return byId;
};

/** Differences between what one read shows and what all reads alone show. */
function faultsOf(one: readonly Body[], alone: readonly Body[], namesAnother: boolean): string[] {
  const [shown, expected] = [sourcesOf(one), sourcesOf(alone)];
  const faults = [
    ...[...shown.keys()].filter((id) => !expected.has(id)).map((id) => `shows ${id}`),
    ...[...expected.keys()].filter((id) => !shown.has(id)).map((id) => `hides ${id}`),
  ];
  for (const [id, sources] of shown) {
    const allowed = expected.get(id) ?? new Set();
    const wrong = [...sources].filter((source) => !allowed.has(source));
    // In a scope of another path a reader may be named, where the read alone lists what the person was there for.
    const missing = namesAnother ? [] : [...allowed].filter((source) => !sources.has(source));
    faults.push(...wrong.map((source) => `shows source ${source}`));
    faults.push(...missing.map((source) => `hides source ${source}`));
  }
  return faults;
}

export interface TogetherReport {
  readonly faults: readonly string[];
  /** Reads that were let in and showed more than any of the reads alone. */
  readonly wider: number;
  readonly refused: number;
}

/** Asks for lists of scopes, and for each of the scopes alone, at the door of `call`, which has some of the routes. */
export async function askTogether(
  scene: MatrixScene,
  call: Call,
  hasRoute: (route: string) => boolean,
): Promise<TogetherReport> {
  const tables = new Map(READS.map((table) => [table.route, table]));
  const asked = new Map<string, Promise<HttpAnswer>>();
  const faults: string[] = [];
  let [wider, refused] = [0, 0];
  const ask = ({ identity, names, variant }: Asking, places: readonly string[] | string) => {
    const table = tables.get(variant.route);
    if (table === undefined) throw new Error(`no table of ${variant.route}`);
    const place = typeof places === 'string' ? places : 'own';
    const cell = { ...variant.cell, identity, names, place };
    const request = table.request({ cell, scene, fresh: undefined, n: 0 });
    const sent = typeof places === 'string' ? request : ofPlaces(request, places);
    const token = scene.tokenOf(identity);
    const key = JSON.stringify([identity, sent]);
    const answer = asked.get(key) ?? call({ ...sent, ...(token === null ? {} : { token }) });
    asked.set(key, answer);
    return answer;
  };
  const compare = async (asking: Asking): Promise<void> => {
    const { identity, names, places, variant } = asking;
    const { route, rows } = variant;
    const where = `${route} ${JSON.stringify(variant.cell)} (${identity}, ${names}: ${places.join(', ')})`;
    const together = await ask(asking, places);
    const alone: HttpAnswer[] = [];
    for (const place of places) alone.push(await ask(asking, place));
    const [got, expected] = [answerOf(together), expectedAnswer(alone)];
    if (got !== expected) faults.push(`${where}: ${got}, not ${expected}`);
    if (together.status !== 200 || expected !== '200') {
      refused += 1;
      return;
    }
    const shown = rows(together);
    const each = alone.map(rows);
    const namesAnother = names === 'a member';
    faults.push(...faultsOf(shown, each.flat(), namesAnother).map((fault) => `${where}: ${fault}`));
    if (each.every(({ length }) => length < shown.length)) wider += 1;
  };
  const asking = askings().filter(({ variant }) => hasRoute(variant.route));
  await eachOf(asking, AT_ONCE, compare);
  return { faults, wider, refused };
}
