/** The matrix is whole: every route and operation has rows, every cell has an answer, every row names its sentence. */
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ROUTES } from '../../../api/rest/routes.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { operations } from '../../../operations/registry.ts';
import { readFiles } from '../../architecture/source-tree.ts';
import {
  allCells,
  denseCover,
  meetingsOf,
  thinCovers,
  type RouteCell,
} from '../../contract/matrix/cells.ts';
import {
  cellsAmiss,
  namesAmiss,
  operationsAmiss,
  routesAmiss,
  sentencesAmiss,
} from '../../contract/matrix/complete.ts';
import { pairwise, product } from '../../contract/matrix/cover.ts';
import { doorsAmiss } from '../../contract/matrix/doors.ts';
import {
  AT_THE_DOOR,
  OF_ROUTES,
  OPERATIONS,
  WITHOUT_ROUTE,
} from '../../contract/matrix/operations.ts';
import { ROUTE_TABLES } from '../../contract/matrix/routes/index.ts';
import * as views from '../../contract/matrix/statements/views.ts';
import { inLongRun } from '../../support/run.ts';

const MOST_REQUESTS = 5_000;
const MOST_OF_SHORT_RUN = 2_200;

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'access' in value && 'run' in value;

/** Every operation of the tree, those of the command line too. */
async function allOperations(): Promise<readonly Operation[]> {
  const found = new Set<Operation>();
  for (const { path } of readFiles(['operations'], '.ts')) {
    const exported: Record<string, unknown> = await import(`../../../${path}`);
    for (const value of Object.values(exported)) if (isOperation(value)) found.add(value);
  }
  return [...found];
}

const invented = defineOperation({
  id: 'memory.invented',
  access: 'any_identity',
  effect: 'read',
  input: z.object({}),
  output: z.object({}),
  run: () => Promise.resolve({}),
});

describe('what the matrix lacks fails the run', () => {
  test('every route of the service has a table, and nothing else has', () => {
    expect(routesAmiss(ROUTES, ROUTE_TABLES)).toEqual([]);
  });

  test('every operation has a row, and no row is about none', async () => {
    const all = await allOperations();
    expect(all.length).toBeGreaterThan(Object.keys(operations).length);
    expect(operationsAmiss(all, OPERATIONS)).toEqual([]);
  });

  test('an operation whose route says whom it lets in has no row of its own', () => {
    const twice = [...WITHOUT_ROUTE].filter(([id, { who }]) => OF_ROUTES.get(id)?.who === who);
    expect(OF_ROUTES.size).toBeGreaterThan(40);
    expect(twice.map(([id]) => id)).toEqual([]);
  });

  test('every cell of every route has an answer, and every row decides about some', () => {
    expect(ROUTE_TABLES.flatMap(cellsAmiss)).toEqual([]);
  });

  test('every row names a sentence that can be looked up', () => {
    const rows = [
      ...ROUTE_TABLES.flatMap((table) => table.rows),
      ...Object.values(views).flat(),
      ...AT_THE_DOOR,
      ...OPERATIONS.values(),
    ];
    expect(rows.length).toBeGreaterThan(200);
    expect(sentencesAmiss(rows)).toEqual([]);
  });

  test('a route without rows is named', () => {
    const route = { method: 'GET', path: '/api/v1/invented' };
    expect(routesAmiss([...ROUTES, route], ROUTE_TABLES)).toEqual([
      'no rows for route GET /api/v1/invented',
    ]);
    const [first, ...others] = ROUTE_TABLES;
    expect(routesAmiss(ROUTES, others)).toEqual([`no rows for route ${first?.route}`]);
  });

  test('every field that takes a name is sent one of another account, and a field without is named', () => {
    const routes = ROUTES.map(({ method, operation, path }) => {
      const options = { io: 'input', unrepresentable: 'any' } as const;
      const { properties = {} } = z.toJSONSchema(operations[operation].input, options);
      return { method, path, fields: Object.keys(properties) };
    });
    expect(namesAmiss(routes, ROUTE_TABLES)).toEqual([]);
    const invented = {
      method: 'POST',
      path: '/api/v1/search',
      fields: ['colour', 'other_scope_path'],
    };
    expect(namesAmiss([invented], ROUTE_TABLES)).toEqual([
      'POST /api/v1/search: no name of another account in other_scope_path',
    ]);
  });

  test('an operation without a row is named', async () => {
    expect(operationsAmiss([...(await allOperations()), invented], OPERATIONS)).toEqual([
      'no rows for operation memory.invented',
    ]);
  });

  test('a cell without a row is named, and so is a row that names no sentence', () => {
    const table = {
      route: 'GET /api/v1/invented',
      request: () => ({ path: '/api/v1/invented' }),
      vary: { colour: ['green', 'red'] },
      rows: [{ when: { colour: ['green'] }, answer: ['200'], from: 'interface 4: green' }],
    } as const;
    expect(cellsAmiss(table)).toEqual([expect.stringContaining('no row fits')]);
    expect(sentencesAmiss([{ from: 'decisions 99: no such section' }])).toHaveLength(1);
    expect(sentencesAmiss([{ from: 'interface 4.2: has no parts' }])).toHaveLength(1);
    expect(sentencesAmiss([{ from: 'decisions : whatever' }])).toHaveLength(1);
  });
});

describe('who is let in by the pipeline of an operation', () => {
  test('is as the table says, for every operation of the service', async () => {
    expect(await doorsAmiss(await allOperations())).toEqual([]);
  });

  test('an operation that forgets whom it is for is found out', async () => {
    const forgets = (operation: Operation, access: Operation['access']): Operation => ({
      ...operation,
      access,
    });
    const { eraseSelf, requestReconcile, search } = operations;
    expect(await doorsAmiss([forgets(requestReconcile as Operation, 'any_identity')])).not.toEqual(
      [],
    );
    expect(await doorsAmiss([forgets(eraseSelf as Operation, 'any_identity')])).not.toEqual([]);
    expect(await doorsAmiss([forgets(search as Operation, 'public')])).not.toEqual([]);
    expect(await doorsAmiss([forgets(search as Operation, 'human')])).not.toEqual([]);
  });

  test('what is for the command line only has no route', () => {
    const routed = ROUTES.map(({ operation }) => operations[operation].id);
    const kept = [...OPERATIONS].filter(([, { who }]) => who === 'the command line');
    expect(kept.filter(([id]) => routed.includes(id))).toEqual([]);
  });
});

describe('the cover', () => {
  test('asks for every pair of values that may meet, and far less than everything', () => {
    const dimensions = {
      a: ['1', '2', '3'],
      b: ['1', '2', '3', '4'],
      c: ['x', 'y'],
      d: ['x', 'y', 'z'],
    };
    const may = ({ a, c }: Readonly<Record<string, string>>): boolean => a !== '1' || c === 'x';
    const cover = pairwise(dimensions, may);
    const all = product(dimensions, may);
    const pairs = (cells: typeof all): Set<string> =>
      new Set(
        cells.flatMap((cell) =>
          Object.keys(cell).flatMap((one) =>
            Object.keys(cell).map((two) => `${one}${cell[one]} ${two}${cell[two]}`),
          ),
        ),
      );
    expect(pairs(cover)).toEqual(pairs(all));
    expect(cover.length).toBeLessThan(all.length / 3);
    expect(pairwise(dimensions, may)).toEqual(cover);
  });

  const rowsMissed = (covers: readonly (readonly RouteCell[])[]) =>
    ROUTE_TABLES.flatMap(({ rows }, nth) => {
      const met = new Set(covers[nth]?.map(({ row }) => row));
      return rows.filter((row) => !met.has(row));
    });

  // Only the long run asks with it, and to put it together takes a second.
  inLongRun(() => {
    test('of the long run has at most five thousand requests, and meets every row', () => {
      const covers = ROUTE_TABLES.map(denseCover);
      expect(covers.flat().length).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(rowsMissed(covers)).toEqual([]);
    });
  });

  test('of the short run has every caller at every row it can meet, every value at its route, and every object before every caller', () => {
    const covers = thinCovers(ROUTE_TABLES);
    expect(covers.flat().length).toBeLessThanOrEqual(MOST_OF_SHORT_RUN);
    expect(rowsMissed(covers)).toEqual([]);
    const all = ROUTE_TABLES.map(allCells);
    const meetings = (cells: readonly RouteCell[]) => new Set(cells.flatMap(meetingsOf));
    expect(meetings(covers.flat())).toEqual(meetings(all.flat()));
    for (const [nth, cells] of all.entries()) {
      const valuesOf = (some: readonly RouteCell[]): Set<string> =>
        new Set(some.flatMap(({ cell }) => Object.entries(cell).map((each) => each.join())));
      const rows = ROUTE_TABLES[nth]?.rows ?? [];
      const callersOf = (some: readonly RouteCell[]): Set<string> =>
        new Set(some.map(({ cell, row }) => `${rows.indexOf(row)} ${cell['identity']}`));
      expect(valuesOf(covers[nth] ?? [])).toEqual(valuesOf(cells));
      expect(callersOf(covers[nth] ?? [])).toEqual(callersOf(cells));
    }
  });
});
