/**
 * The matrix over HTTP: for each route a cover of who asks, of the scope, the reader, the target, its state and history. Every
 * answer is the one that a row of the tables gives (`matrix/routes`), and shows what the judge of reads says.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeWithoutErrors, startOwnService, type OwnService } from '../support/service.ts';
import type { Effect } from '../../operations/operation.ts';
import { operations, type OperationName } from '../../operations/registry.ts';
import { askAsTool, TOOL_OF_ROUTE } from '../support/mcp-as-rest.ts';
import { dataOf } from '../support/service.ts';
import { IDENTITY_NAMES } from './matrix/world.ts';
import { forgetful } from './matrix/forgetful.ts';
import { askMatrix } from './matrix/run.ts';
import { ROUTE_TABLES } from './matrix/routes/index.ts';
import { openMatrix, type MatrixScene } from './matrix/scene.ts';

const MOST_REQUESTS = 5_000;
const MOST_SHOWN = 40;

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
  const { faults, letIn } = await askMatrix(scene, (call) => askAsTool(service.url, call), tables);
  expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
  expect([...letIn.keys()].toSorted()).toEqual(routes.toSorted());
}

// Before the routes, whose writes change what there is to read.
test(
  'every tool that reads answers everybody as the table of its route says',
  () => askTools((effect) => effect === 'read'),
  300_000,
);

test('every route answers everybody as its table says', async () => {
  const { asked, faults, letIn } = await askMatrix(scene, (call) => service.call(call));
  expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
  expect(faults).toHaveLength(0);
  expect(asked).toBeLessThanOrEqual(MOST_REQUESTS);
  // A route that lets nobody in is not tested.
  const silent = ROUTE_TABLES.filter(({ route, rows }) => {
    const lets = rows.some(({ answer }) => answer.some((each) => each.startsWith('2')));
    return lets && !letIn.has(route);
  });
  expect(silent.map(({ route }) => route)).toEqual([]);
}, 600_000);

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
    const { faults } = await askMatrix(scene, (call) => door.call(call), tables);
    expect(faults).not.toEqual([]);
  },
  150_000,
);

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
