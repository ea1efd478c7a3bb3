/** The matrix of the pages is whole: every page and form has a table, every cell a row, every row a sentence and a use. */
import { describe, expect, test } from '@jest/globals';
import { CONSOLE_ROUTES, methodsOf } from '../../../console/routes.ts';
import { routesAmiss, sentencesAmiss } from '../../contract/matrix/complete.ts';
import { cellsOf } from '../../contract/matrix/pages/page-table.ts';
import { PAGE_TABLES } from '../../contract/matrix/pages/tables.ts';

const MOST_REQUESTS = 2_200;

const routes = CONSOLE_ROUTES.flatMap(({ path, show, take }) => [
  ...(show === undefined ? [] : [{ method: 'GET', path }]),
  ...(take === undefined ? [] : methodsOf(path).map((method) => ({ method, path }))),
]);

describe('what the matrix of the pages lacks fails the run', () => {
  test('every page and every form has a table, and nothing else has', () => {
    expect(routesAmiss(routes, PAGE_TABLES)).toEqual([]);
  });

  test('a page and a form without a table are named', () => {
    const invented = [...routes, { method: 'POST', path: '/console/invented' }];
    expect(routesAmiss(invented, PAGE_TABLES)).toEqual([
      'no rows for route POST /console/invented',
    ]);
    const without = PAGE_TABLES.filter(({ route }) => route !== 'GET /console/me');
    expect(routesAmiss(routes, without)).toEqual(['no rows for route GET /console/me']);
  });

  test('every cell has a row, every row decides about some, and all can be asked in a minute', () => {
    const idle = PAGE_TABLES.flatMap((table) => {
      const met = new Set(cellsOf(table).map(({ row }) => row));
      const idleRows = table.rows.filter((row) => !met.has(row));
      return idleRows.map(({ answer, from }) => `${table.route}: ${answer.join()} (${from})`);
    });
    expect(idle).toEqual([]);
    const size = PAGE_TABLES.reduce((all, table) => all + cellsOf(table).length, 0);
    expect(size).toBeLessThanOrEqual(MOST_REQUESTS);
  });

  test('every row names a sentence that can be looked up', () => {
    expect(sentencesAmiss(PAGE_TABLES.flatMap(({ rows }) => rows))).toEqual([]);
  });
});
