/** Asks a service every cell of the tables of pages, and says where an answer is not what its row says. */
import type { HttpAnswer } from '../../../support/http.ts';
import { coverOf, thingsOf, type PageCell, type PageTable, type Viewer } from './page-table.ts';
import { requestFor, sendFrom, type Sent } from './page-requests.ts';
import { csrfOf, HIDDEN_WORDS, TEMPORAL_UI, type PageScene } from './page-scene.ts';

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** What differs between two answers to the same question. */
const OF_THE_MOMENT = new Set(['date', 'x-trace-id', 'content-length', 'set-cookie']);
/** Nothing of it stands in a scope that a curator of another one may read. */
const HIDDEN_PLACES: readonly (readonly [Viewer, string])[] = [['a curator', 'elsewhere']];

export interface PageReport {
  readonly asked: number;
  readonly faults: readonly string[];
  /** Answers that were compared with that to something missing. */
  readonly compared: number;
}

/** As rows write it. */
function told({ headers: { location }, status }: HttpAnswer): string {
  if (location === undefined) return String(status);
  if (location.startsWith(TEMPORAL_UI)) return `${status} temporal`;
  return `${status} ${location.replace(/[?#].*/s, '').replaceAll(ID, ':id')}`;
}

/** All that a browser gets, without what was asked for, the token of its forms and the moment. */
function bytesOf({ headers, status, text }: HttpAnswer, { name }: Sent, csrf: string): string {
  const named = Object.entries(headers).filter(([key]) => !OF_THE_MOMENT.has(key));
  const all = JSON.stringify([status, named.toSorted(), text]);
  const without = [name, encodeURIComponent(name), encodeURIComponent(encodeURIComponent(name))]
    .filter((each) => each !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, each) => rest.replaceAll(each, '<name>'), all);
  return csrf === '' ? without : without.replaceAll(csrf, '<token>');
}

interface Run {
  readonly scene: PageScene;
  readonly tokens: ReadonlyMap<Viewer, string>;
  readonly faults: string[];
  compared: number;
}

interface Answered {
  readonly status: string;
  readonly bytes: string;
}

async function askCell(run: Run, { row, table, thing, viewer }: PageCell): Promise<Answered> {
  const { faults, scene } = run;
  const sent = requestFor(table, thing, scene, viewer);
  const isLast = table.route.endsWith('/sign-out');
  const browser = isLast ? await scene.freshBrowser(viewer) : scene.browserOf(viewer);
  const csrf = isLast ? await csrfOf(browser) : (run.tokens.get(viewer) ?? '');
  const key =
    viewer === 'a key of an agent' ? { authorization: `Bearer ${scene.scene.relay}` } : {};
  const answer = await sendFrom(browser, sent, csrf, key);
  const status = told(answer);
  const where = `${table.route} (${viewer}, ${thing})`;
  if (!row.answer.includes(status)) {
    faults.push(`${where}: ${status}, not ${row.answer.join(' or ')} (${row.from})`);
  }
  for (const word of HIDDEN_WORDS[viewer]) {
    if (answer.text.includes(word)) faults.push(`${where}: shows "${word}"`);
  }
  return { status, bytes: bytesOf(answer, sent, csrf) };
}

/** What is answered alike must be alike to the byte, or the thing is no secret. */
function compare(run: Run, { table, thing, viewer }: PageCell, to: Answered, got: Answered): void {
  const { names } = table;
  if (names === null || names === 'tool') return;
  const isPlace = names === 'scope of the form' || 'parameter' in names;
  const isHidden = isPlace
    ? HIDDEN_PLACES.some(([who, what]) => who === viewer && what === thing)
    : got.status === to.status;
  if (!isHidden) return;
  run.compared += 1;
  if (got.bytes === to.bytes) return;
  let at = 0;
  while (at < got.bytes.length && got.bytes[at] === to.bytes[at]) at += 1;
  const part = (bytes: string): string => bytes.slice(Math.max(0, at - 40), at + 60);
  run.faults.push(
    `${table.route} (${viewer}, ${thing}): not as missing: ${part(got.bytes)} | ${part(to.bytes)}`,
  );
}

/** Whether the answer takes what was sent: others may find something else after it. */
const isTaken = ({ row, table }: PageCell): boolean =>
  !table.route.startsWith('GET ') && row.answer.some((each) => each.startsWith('303 '));

async function askTable(run: Run, table: PageTable): Promise<number> {
  const cells = coverOf(table);
  const missing = new Map<Viewer, Answered>();
  const [first] = thingsOf(table);
  const ask = async (cell: PageCell): Promise<void> => {
    const got = await askCell(run, cell);
    const to = missing.get(cell.viewer);
    if (cell.thing === first) missing.set(cell.viewer, got);
    else if (to !== undefined) compare(run, cell, to, got);
  };
  const [ofFirst, others] = [true, false].map((isFirst) =>
    cells.filter(({ thing }) => (thing === first) === isFirst),
  );
  for (const some of [ofFirst ?? [], others ?? []]) {
    await Promise.all(some.filter((cell) => !isTaken(cell)).map(ask));
    for (const cell of some.filter(isTaken)) await ask(cell);
  }
  return cells.length;
}

/** Table by table, in their order. */
export async function askPages(
  scene: PageScene,
  tables: readonly PageTable[],
): Promise<PageReport> {
  const tokens = new Map<Viewer, string>();
  for (const viewer of Object.keys(HIDDEN_WORDS) as Viewer[]) {
    tokens.set(viewer, await csrfOf(scene.browserOf(viewer)));
  }
  const run: Run = { scene, tokens, faults: [], compared: 0 };
  let asked = 0;
  for (const table of tables) asked += await askTable(run, table);
  return { asked, faults: run.faults, compared: run.compared };
}
