/**
 * The tables of the desk, cell by cell: `tables.md` says what becomes of a statement. A long run plays every cell in process
 * and over REST. In a short one each action and each question meets each situation and each of its outcomes in process.
 * Over REST, whose door adds what depends on the route and on the outcome, each action meets each of its outcomes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Scene } from '../../integration/observations/scene.ts';
import { covering } from '../../support/cover.ts';
import { sized } from '../../support/run.ts';
import { closeWithoutErrors, startService, type Service } from '../../support/service.ts';
import { TABLES, type Action } from './actions.ts';
import { DeskTables, type Door } from './desk.ts';
import { parseGrids } from './grid.ts';
import { openInProcess } from './in-process.ts';
import { openOverRest } from './over-rest.ts';
import { SITUATIONS, type Situation } from './situations.ts';

const grids = parseGrids(readFileSync(join(import.meta.dirname, 'tables.md'), 'utf8'));
const outcomes = grids.get('outcomes') ?? new Map<string, ReadonlyMap<string, string>>();

interface Cell {
  readonly table: string;
  readonly column: string;
  readonly action: Action;
  readonly name: string;
  readonly situation: Situation;
}

const CELLS: readonly Cell[] = [...TABLES].flatMap(([table, columns]) =>
  [...columns].flatMap(([column, action]) =>
    [...SITUATIONS].map(([name, situation]) => ({ table, column, action, name, situation })),
  ),
);

const written = ({ column, name, table }: Cell): string | undefined =>
  grids.get(table)?.get(name)?.get(column);

const outcomeIn = (cell: Cell): string => `${cell.table}, ${cell.column}: ${String(written(cell))}`;

/** Each action and each question in each situation, and each outcome of each of them. */
const PAIRS = covering(CELLS, (cell) => [
  outcomeIn(cell),
  `${cell.action.does} ${cell.name}`,
  `${cell.column} ${cell.name}`,
]);

/** Each outcome of each action, and each situation. */
const OUTCOMES = covering(CELLS, (cell) => [outcomeIn(cell), cell.name]);

/** The code of the answer, and the changes, as `DeskTables.play` says them. */
function outcomeOf(name: string | undefined, keepsMarks: boolean): string {
  const [told = `no outcome ${String(name)}`] = outcomes.get(name ?? '')?.values() ?? [];
  const outcome = told.replace(/^4\d\d /, '');
  return keepsMarks ? outcome : outcome.replace('; marked', '');
}

test('the tables have a cell for every action, question and situation, and no other', () => {
  const expected = [...TABLES].map(
    ([table, columns]) => [table, [...SITUATIONS.keys()], [...columns.keys()]] as const,
  );
  const found = [...grids]
    .filter(([table]) => table !== 'outcomes')
    .map(([table, rows]) => {
      const columns = new Set([...rows.values()].flatMap((cells) => [...cells.keys()]));
      return [table, [...rows.keys()], [...columns]] as const;
    });
  expect(found).toEqual(expected);
  const named = new Set(
    [...grids]
      .filter(([table]) => table !== 'outcomes')
      .flatMap(([, rows]) => [...rows.values()].flatMap((cells) => [...cells.values()])),
  );
  expect([...named].toSorted()).toEqual([...outcomes.keys()].toSorted());
});

describe.each([
  ['in process', openScene, sized({ short: PAIRS, long: CELLS })],
  ['over REST', openService, sized({ short: OUTCOMES, long: CELLS })],
] as const)('%s', (_name, open, cells) => {
  let place: Place;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place?.close());

  test.each([...TABLES.keys()])(
    'what becomes of a statement: %s',
    async (table) => {
      const door = await place.door(table);
      const desk = await DeskTables.open(door);
      for (const cell of cells.filter((each) => each.table === table)) {
        const { action, column, name, situation } = cell;
        const expected = outcomeOf(written(cell), door.keepsMarks);
        const found = await desk.play(situation, action);
        expect([table, column, name, found]).toEqual([table, column, name, expected]);
      }
    },
    240_000,
  );
});

interface Place {
  /** In an account of its own. */
  door(table: string): Promise<Door>;
  close(): Promise<void>;
}

async function openScene(): Promise<Place> {
  const scene = await Scene.open();
  return { door: () => openInProcess(scene), close: () => scene.close() };
}

async function openService(): Promise<Place> {
  const service: Service = await startService();
  return {
    door: async (table) => openOverRest(service, await service.account(table.replaceAll(' ', '-'))),
    close: () => closeWithoutErrors(service),
  };
}
