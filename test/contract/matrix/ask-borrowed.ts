/**
 * Asks with names of another account. What takes one is asked twice, with a name that nobody has and with one of the other
 * account, and both are answered alike: to the byte where it is refused, else but for ids, instants and the name itself.
 */
import { eachOf } from '../../../engine/async.ts';
import type { HttpAnswer } from '../../support/http.ts';
import { sized } from '../../support/run.ts';
import { withoutTimes } from '../answers.ts';
import { situationOf } from './aspects.ts';
import { NAMES, type Borrowed } from './borrowed.ts';
import { product } from './cover.ts';
import type { Foreign } from './foreign.ts';
import type { RouteTable } from './routes/route-table.ts';
import type { MatrixScene } from './scene.ts';
import { rowFor, type Cell } from './table.ts';
import type { IdentityName } from './world.ts';

const CALLERS: readonly IdentityName[] = [
  'an agent',
  'a curator',
  'an administrating agent',
  'a member',
  'a machine without a peer',
  'an administrator',
];
const AT_ONCE = 4;
/** A read whose answer keeps changing is asked so many times. */
const MOST_TIMES = 50;
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const INSTANTS = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** An id of the other account, and one beside it that nothing has: lists in the order of ids go on at the same place. */
function namesOf({ of }: Borrowed, { foreign }: MatrixScene): readonly [string, string] {
  if (of in NAMES) return NAMES[of as keyof typeof NAMES];
  const id = foreign[of as Exclude<keyof Foreign, 'state'>];
  return [id, `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`];
}

function comparable(answer: HttpAnswer, name: string): string {
  const text = JSON.stringify(withoutTimes(answer)).replaceAll(name, '<name>');
  return answer.status < 300 ? text.replaceAll(IDS, 'id').replaceAll(INSTANTS, 'then') : text;
}

/** A cell of the caller about nothing that there is, where the caller is let in if that can be. */
function cellFor({ may, route, rows, vary }: RouteTable, identity: string): Cell {
  const cells = product(
    { identity: [identity], ...vary, ...(vary['target'] && { target: ['missing'] }) },
    may,
  );
  const isIn = (cell: Cell) =>
    rowFor(rows, situationOf(route, cell)).answer.some((each) => each.startsWith('2'));
  const found = cells.find(isIn) ?? cells[0];
  if (found === undefined) throw new Error(`${route} has no cell for ${identity}`);
  return found;
}

interface Asking {
  readonly table: RouteTable;
  readonly borrowed: Borrowed;
  readonly identity: IdentityName;
  readonly n: number;
}

/** Each name by every caller; in the short run by two, whose turn it is. */
function askings(tables: readonly RouteTable[]): Asking[] {
  const all = tables.flatMap((table) =>
    (table.borrows ?? []).map((borrowed) => ({ table, borrowed })),
  );
  return all.flatMap((each, nth) => {
    const turn = nth % CALLERS.length;
    const [one, other] = [CALLERS.slice(turn, turn + 1), CALLERS.at(turn - CALLERS.length / 2)];
    const callers = sized({
      short: [...one, ...(other === undefined ? [] : [other])],
      long: CALLERS,
    });
    return callers.map((identity, at) => ({
      ...each,
      identity,
      n: 1_000_000 + nth * CALLERS.length + at,
    }));
  });
}

/**
 * How the answers to the two names differ; null where they do not. What was written before may still be on its way into an
 * index: a read whose answer to the unknown name has changed meanwhile proves nothing, and is asked again.
 */
async function differenceOf(
  send: (name: string) => Promise<string>,
  { theirs, times, unknown }: { theirs: string; times: number; unknown: string },
): Promise<string | null> {
  let without = await send(unknown);
  for (let n = 1; ; n += 1) {
    const foreign = await send(theirs);
    if (foreign === without) return null;
    const again = n < times ? await send(unknown) : without;
    if (again === without) return `${foreign}, not ${without}`;
    without = again;
  }
}

/** Where a name of the other account is answered in another way than one that nobody has. */
export async function askBorrowed(
  scene: MatrixScene,
  tables: readonly RouteTable[],
): Promise<{ readonly asked: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const all = askings(tables);
  const ask = async ({ borrowed, identity, n, table }: Asking): Promise<void> => {
    const cell = cellFor(table, identity);
    const request = table.request({ cell, scene, fresh: undefined, n });
    const token = scene.tokenOf(identity) ?? '';
    const where = `${table.route} (${identity}, ${borrowed.what})`;
    const [theirs, unknown] = namesOf(borrowed, scene);
    // Unknown first: a name that was sent may exist from then on.
    const send = async (name: string): Promise<string> => {
      const sent = borrowed.put(request, name);
      const answer = await scene.service.call({ ...sent, token });
      const found = scene.leaks.faultsOf(where, cell, sent, answer);
      faults.push(...found.map((fault) => `${where}: ${fault}`));
      return comparable(answer, name);
    };
    const isRead = table.isLate !== true || table.route.startsWith('GET ');
    const differing = await differenceOf(send, { theirs, unknown, times: isRead ? MOST_TIMES : 1 });
    if (differing !== null) faults.push(`${where}: ${differing}`);
  };
  const reads = all.filter(({ table }) => table.isLate !== true);
  await eachOf(reads, AT_ONCE, ask);
  // One after the other: what one caller wrote, another may find between its two requests.
  for (const each of all) if (each.table.isLate === true) await ask(each);
  return { asked: all.length, faults };
}
