/**
 * The matrix over HTTP: for each route a cover of who asks, of the scope, the reader, the target, its state and history. Every
 * answer is the one that a row of the tables gives (`matrix/routes`), and shows what the judge of reads says.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SEED, sized } from '../support/run.ts';
import { closeWithoutErrors, startOwnService, type OwnService } from '../support/service.ts';
import type { HttpCall } from '../support/http.ts';
import type { Effect } from '../../operations/operation.ts';
import { operations, type OperationName } from '../../operations/registry.ts';
import { askAsTool, TOOL_OF_ROUTE } from '../support/mcp-as-rest.ts';
import { dataOf } from '../support/service.ts';
import { askClosedSources } from './matrix/closed-sources.ts';
import { askBorrowed } from './matrix/ask-borrowed.ts';
import { stateOf } from './matrix/foreign.ts';
import { IDENTITY_NAMES } from './matrix/world.ts';
import { forgetful } from './matrix/forgetful.ts';
import { askDenied, askHidden, askRedacted } from './matrix/hidden.ts';
import { Leaks } from './matrix/leaks.ts';
import { askAtRandom } from './matrix/random-reads.ts';
import { askMatrix } from './matrix/run.ts';
import { ROUTE_TABLES } from './matrix/routes/index.ts';
import { openMatrix, type MatrixScene } from './matrix/scene.ts';
import { askTogether } from './matrix/together.ts';

const RANDOM_READS = sized({ short: 100, long: 4_000 });
const MOST_SHOWN = 40;
/** Names of another account that were sent. */
const LEAST_BORROWED = 100;
/** Comparisons with a place that lacks what is hidden, of each outcome. */
const LEAST_OF_OUTCOME = 5;
/** Ids in all answers. */
const LEAST_NAMED = 500;

let service: OwnService;
let scene: MatrixScene;

beforeAll(async () => {
  service = await startOwnService();
  scene = await openMatrix(service);
}, 300_000);
afterAll(() => closeWithoutErrors(service));

async function askTools(isAsked: (effect: Effect) => boolean): Promise<void> {
  const tools = [...TOOL_OF_ROUTE].filter(([, { operation }]) =>
    isAsked(operations[operation].effect),
  );
  const routes = tools.map(([route]) => route);
  const tables = ROUTE_TABLES.filter(({ route }) => routes.includes(route));
  const asTool = (call: HttpCall) => askAsTool(service.url, call);
  const { faults, letIn } = await askMatrix(scene, asTool, { tables });
  expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
  expect([...letIn.keys()].toSorted()).toEqual(routes.toSorted());
}

// Before the routes, whose writes change what there is to read.
test(
  'every tool that reads answers everybody as the table of its route says',
  () => askTools((effect) => effect === 'read'),
  300_000,
);

async function askRoutes(isLate: boolean): Promise<number> {
  const tables = ROUTE_TABLES.filter((table) => (table.isLate === true) === isLate);
  const { asked, faults, letIn } = await askMatrix(scene, (call) => service.call(call), { tables });
  expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
  expect(faults).toHaveLength(0);
  // A route that lets nobody in is not tested.
  const silent = tables.filter(({ route, rows }) => {
    const lets = rows.some(({ answer }) => answer.some((each) => each.startsWith('2')));
    return lets && !letIn.has(route);
  });
  expect(silent.map(({ route }) => route)).toEqual([]);
  return asked;
}

test(
  'every route that only reads answers everybody as its table says, and names nothing beside',
  () => askRoutes(false),
  300_000,
);

test('a read of several scopes shows everybody what reads of each alone show, at every door, and is refused where one of them is', async () => {
  const doors = [
    { call: (call: HttpCall) => service.call(call), hasRoute: () => true },
    {
      call: (call: HttpCall) => askAsTool(service.url, call),
      hasRoute: (route: string) => TOOL_OF_ROUTE.has(route),
    },
  ];
  for (const { call, hasRoute } of doors) {
    const { faults, refused, wider } = await askTogether(scene, call, hasRoute);
    expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
    expect([wider > LEAST_OF_OUTCOME, refused > LEAST_OF_OUTCOME]).toEqual([true, true]);
  }
}, 600_000);

// Before the routes that write: both places of a pair are to be read at one time.
test('a statement that its reader may not see is like a missing one, but that a search says so of what is internal and believed', async () => {
  const { expected, faults } = await askHidden(scene);
  expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
  for (const outcome of ['shown', 'spoken of', 'missing'] as const) {
    expect([outcome, (expected.get(outcome) ?? 0) > LEAST_OF_OUTCOME]).toEqual([outcome, true]);
  }
}, 900_000);

test('a statement that was promoted out of a scope shows its source to who was there and may read that scope now, and to nobody else', async () => {
  const { faults, shown, withheld } = await askClosedSources(scene);
  expect(faults).toEqual([]);
  expect([shown > 5, withheld > 15]).toEqual([true, true]);
}, 300_000);

test('a scope that is denied, beside or below the searched scope is like a missing one', async () => {
  for (const [hidden, missing] of await askDenied(scene)) expect(hidden).toBe(missing);
});

test('a statement that was redacted is like a missing one before any index is updated', async () => {
  const [redacted, missing] = await askRedacted(scene);
  expect(redacted).toBe(missing);
});

test(`every other route does while people decide and ${RANDOM_READS} random reads (seed ${SEED}) are answered as rightly`, async () => {
  const size = { seed: SEED, size: RANDOM_READS };
  const random = askAtRandom(scene, (call) => service.call(call), size);
  const [, { faults, letIn }] = await Promise.all([askRoutes(true), random]);
  expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
  // Reads that show nothing would prove nothing.
  expect(letIn).toBeGreaterThan(RANDOM_READS / 4);
}, 3_600_000);

test('what belongs to another account is answered like what does not exist, wherever it is named', async () => {
  const { asked, faults } = await askBorrowed(scene, ROUTE_TABLES);
  expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
  expect(asked).toBeGreaterThan(LEAST_BORROWED);
}, 300_000);

// After the routes: rows of what waits for an answer are made anew.
test(
  'every tool that writes answers everybody as the table of its route says',
  () => askTools((effect) => effect !== 'read'),
  300_000,
);

const FORGETFUL: readonly (readonly [OperationName, string])[] = [
  ['search', 'POST /api/v1/search'],
  ['queryKnowledge', 'GET /api/v1/knowledge'],
  ['ingestObservation', 'POST /api/v1/ingest'],
  ['readReview', 'GET /api/v1/governance/reviews/:review_id'],
  ['approveReview', 'POST /api/v1/governance/reviews/:review_id/approve'],
];

test.each(FORGETFUL)(
  'the operation %s without its check is found out',
  async (name, route) => {
    const door = await service.door({ ...operations, [name]: forgetful(name) });
    const tables = ROUTE_TABLES.filter((table) => table.route === route);
    const asking = { tables, untilFault: true };
    const of = { ...scene, leaks: new Leaks(scene.chunks) };
    const { faults } = await askMatrix(of, (call) => door.call(call), asking);
    expect(faults).not.toEqual([]);
  },
  150_000,
);

test('no answer has named an id of another account', async () => {
  expect(await scene.leaks.foreignIds(scene)).toEqual([]);
  expect(scene.leaks.size).toBeGreaterThan(LEAST_NAMED);
});

test('no request has changed the other account', async () => {
  expect(await stateOf(service, scene.foreign.accountId)).toEqual(scene.foreign.state);
});

test('who had herself erased may read the erasure, and is nobody anywhere else', async () => {
  const token = scene.tokenOf('a person who leaves') ?? '';
  const [request] = await service.rows(
    'select id from erasure_requests where account_id = $1 order by requested_at desc limit 1',
    [service.home.id],
  );
  const path = `/api/v1/self/erasure/${String(request?.['id'])}`;
  const own = await service.call({ path, token });
  expect([own.status, dataOf(own)['id']]).toEqual([200, request?.['id']]);
  // The id of a request opens it to nobody else.
  for (const name of IDENTITY_NAMES) {
    const theirs = scene.tokenOf(name);
    const answer = await service.call({ path, ...(theirs === null ? {} : { token: theirs }) });
    expect([name, answer.status]).not.toEqual([name, 200]);
  }
  const open = ['/api/health', '/api/ready', '/api/auth/password', '/api/v1/self/erasure/'];
  for (const { route } of ROUTE_TABLES) {
    const [method = '', template = ''] = route.split(' ');
    if (open.some((each) => template.startsWith(each))) continue;
    const answer = await service.call({
      method,
      path: template.replaceAll(/:\w+/g, String(request?.['id'])),
      token,
      ...(method === 'GET' || method === 'DELETE' ? {} : { json: {} }),
    });
    expect([route, answer.status]).toEqual([route, 401]);
  }
});
