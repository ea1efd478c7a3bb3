/** Asks a service the cells of the tables, and says where an answer is not what its row says. */
import type { HttpAnswer, HttpCall } from '../../support/http.ts';
import { exactly } from '../answers.ts';
import { situationOf } from './aspects.ts';
import { coversOf, type RouteCell } from './cells.ts';
import type { Checks } from './checks.ts';
import { makeFresh } from './fresh.ts';
import type { Asked } from './asking.ts';
import type { Query } from './row-set.ts';
import { ROUTE_TABLES } from './routes/index.ts';
import type { RouteTable } from './routes/route-table.ts';
import type { MatrixScene } from './scene.ts';
import { rowFor, type Cell } from './table.ts';
import type { IdentityName } from './world.ts';

const CONCURRENT = 8;

export interface HttpReport {
  readonly asked: number;
  readonly faults: readonly string[];
  /** Requests that were let in, by route. */
  readonly letIn: ReadonlyMap<string, number>;
}

export type Call = (call: HttpCall) => Promise<HttpAnswer>;

/** Status and code, as rows write them. */
export function answerOf({ status, text }: HttpAnswer): string {
  if (status < 400 || text === '') return String(status);
  const { code } = Object(JSON.parse(text));
  return typeof code === 'string' ? `${status} ${code}` : String(status);
}

export const wordsOf = (cell: Cell): string => Object.values(cell).join(', ');

/** What the entry of a list would be answered if it came alone to the route whose path ends in `end`. */
function alone(end: string, cell: Cell): readonly string[] {
  const table = ROUTE_TABLES.find(({ route }) => route.endsWith(end));
  if (table === undefined) throw new Error(`no table of ${end}`);
  return rowFor(table.rows, situationOf(table.route, cell)).answer;
}

const COVERS = coversOf(ROUTE_TABLES);

interface Run {
  readonly scene: MatrixScene;
  readonly call: Call;
  readonly checks: Checks;
  readonly faults: string[];
  readonly letIn: Map<string, number>;
  /** What each caller is told of what is not there, by route. */
  readonly missing: Map<string, string>;
  readonly isOver: () => boolean;
}

/** Whatever a caller may not know of is answered as what is not there, byte for byte. */
function notAsMissing({ missing }: Run, { cell, route }: RouteCell, answer: HttpAnswer): string[] {
  const [where, bytes] = [`${route} ${cell['identity']}`, JSON.stringify(exactly(answer))];
  const first = missing.get(where);
  if (first === undefined) missing.set(where, bytes);
  return first === undefined || first === bytes ? [] : [`${bytes}, and not as before ${first}`];
}

async function askOne(run: Run, each: RouteCell, n: number): Promise<void> {
  const { call, checks, faults, letIn, scene } = run;
  const { cell, route, row, table } = each;
  const asked: Asked = { cell, scene, fresh: checks.fresh.get(each), n };
  const token = scene.tokenOf(cell['identity'] as IdentityName);
  const sent = { ...table.request(asked), ...(token === null ? {} : { token }) };
  const answer = await call(sent);
  const got = answerOf(answer);
  const where = `${route} (${wordsOf(cell)})`;
  const isIn = answer.status < 300;
  const turnsOf = table.showsTurns === true && isIn ? asked.fresh?.path : undefined;
  faults.push(
    ...scene.leaks
      .faultsOf(where, cell, sent, answer, turnsOf)
      .map((fault) => `${where}: ${fault}`),
  );
  if (!row.answer.includes(got)) {
    faults.push(`${where}: ${got}, not ${row.answer.join(' or ')} (${row.from})`);
    return;
  }
  if (isIn) letIn.set(route, (letIn.get(route) ?? 0) + 1);
  const wrong = [
    ...(isIn ? (table.shows?.(answer, asked, checks) ?? []) : []),
    ...(answer.status === 404 ? notAsMissing(run, each, answer) : []),
  ];
  faults.push(...wrong.map((fault) => `${where}: ${fault} (${row.from})`));
}

async function askAll(run: Run, cells: readonly RouteCell[], from: number): Promise<void> {
  const waiting = cells.entries();
  const ask = async (): Promise<void> => {
    for (const [index, each] of waiting) {
      if (run.isOver()) return;
      await askOne(run, each, from + index);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, ask));
}

export interface Asking {
  readonly tables?: readonly RouteTable[];
  /** Whether one fault is enough. */
  readonly untilFault?: boolean;
}

/** All that only reads the plan side by side; then, with rows of their own, the others route by route. */
export async function askMatrix(
  scene: MatrixScene,
  call: Call,
  { tables = ROUTE_TABLES, untilFault = false }: Asking = {},
): Promise<HttpReport> {
  const cellsOf = (isLate: boolean) =>
    tables
      .filter((table) => (table.isLate === true) === isLate)
      .map(({ route }) => COVERS.get(route) ?? []);
  const faults: string[] = [];
  const run = {
    scene,
    call,
    faults,
    letIn: new Map<string, number>(),
    missing: new Map<string, string>(),
    isOver: () => untilFault && faults.length > 0,
  };
  const [early, late] = [cellsOf(false).flat(), cellsOf(true)];
  await askAll({ ...run, checks: { fresh: new Map(), alone } }, early, 0);
  const { place, service } = scene;
  const query: Query = (text, values) => service.rows(text, values);
  const fresh = await makeFresh(query, place, late.flat());
  let asked = early.length;
  for (const cells of late) {
    await askAll({ ...run, checks: { fresh, alone } }, cells, asked);
    asked += cells.length;
  }
  return { asked, faults, letIn: run.letIn };
}
