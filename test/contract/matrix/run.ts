/** Asks a service the cells of the tables, and says where an answer is not what its row says. */
import type { HttpAnswer, HttpCall } from '../../support/http.ts';
import { situationOf } from './aspects.ts';
import { coverOf, type RouteCell } from './cells.ts';
import { shownWrongly, type Checks } from './checks.ts';
import { makeFresh } from './fresh.ts';
import { REQUESTS, type Asked } from './requests.ts';
import { ROUTE_TABLES } from './routes/index.ts';
import type { RouteTable } from './routes/route-table.ts';
import type { MatrixScene } from './scene.ts';
import { rowFor, type Cell } from './table.ts';
import type { IdentityName } from './world.ts';

const CONCURRENT = 4;

export interface HttpReport {
  readonly asked: number;
  readonly faults: readonly string[];
  /** Requests that were let in, by route. */
  readonly letIn: ReadonlyMap<string, number>;
}

export type Call = (call: HttpCall) => Promise<HttpAnswer>;

function answerOf({ status, text }: HttpAnswer): string {
  if (status < 400 || text === '') return String(status);
  const { code } = Object(JSON.parse(text));
  return typeof code === 'string' ? `${status} ${code}` : String(status);
}

const words = (cell: Cell): string => Object.values(cell).join(', ');

/** What an approval or a delay of the item would be answered if it were the only one. */
function alone(cell: Cell): readonly string[] {
  const table = ROUTE_TABLES.find(({ route }) => route.endsWith('/defer'));
  if (table === undefined) throw new Error('no table of decisions');
  return rowFor(table.rows, situationOf(table.route, cell)).answer;
}

interface Run {
  readonly scene: MatrixScene;
  readonly call: Call;
  readonly checks: Checks;
  readonly faults: string[];
  readonly letIn: Map<string, number>;
}

async function askOne(run: Run, each: RouteCell, n: number): Promise<void> {
  const { call, checks, faults, letIn, scene } = run;
  const { cell, route, row } = each;
  const asked: Asked = { cell, scene, fresh: checks.fresh.get(each), n };
  const request = REQUESTS[route];
  if (request === undefined) throw new Error(`no request for ${route}`);
  const token = scene.tokenOf(cell['identity'] as IdentityName);
  const sent = { ...request(asked), ...(token === null ? {} : { token }) };
  const answer = await call(sent);
  const got = answerOf(answer);
  if (!row.answer.includes(got)) {
    faults.push(`${route} (${words(cell)}): ${got}, not ${row.answer.join(' or ')} (${row.from})`);
    return;
  }
  if (answer.status >= 300) return;
  letIn.set(route, (letIn.get(route) ?? 0) + 1);
  for (const fault of shownWrongly(route, answer, asked, checks)) {
    faults.push(`${route} (${words(cell)}): ${fault} (${row.from})`);
  }
}

async function askAll(run: Run, cells: readonly RouteCell[], from: number): Promise<void> {
  const waiting = cells.entries();
  const ask = async (): Promise<void> => {
    for (const [index, each] of waiting) await askOne(run, each, from + index);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, ask));
}

/** Route by route: routes that read the plan come before the rows of the others are written. */
export async function askMatrix(
  scene: MatrixScene,
  call: Call,
  tables: readonly RouteTable[] = ROUTE_TABLES,
): Promise<HttpReport> {
  const covers = tables.map((table) => ({ table, cells: coverOf(table) }));
  const faults: string[] = [];
  const letIn = new Map<string, number>();
  let asked = 0;
  let checks: Checks = { fresh: new Map(), alone };
  let hasFresh = false;
  for (const { cells, table } of covers) {
    if (table.isLate === true && !hasFresh) {
      const late = covers.filter((each) => each.table.isLate === true);
      const { place, service } = scene;
      const fresh = await makeFresh(
        (query, values) => service.rows(query, values),
        place,
        late.flatMap((each) => each.cells),
      );
      checks = { ...checks, fresh };
      hasFresh = true;
    }
    await askAll({ scene, call, checks, faults, letIn }, cells, asked);
    asked += cells.length;
  }
  return { asked, faults, letIn };
}
