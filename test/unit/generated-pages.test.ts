/** The pages that are made from the code: the inventory of surfaces and the settings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { TOOLS } from '../../api/mcp/tools.ts';
import { ROUTES } from '../../api/rest/routes.ts';
import { commandOperations } from '../../cli/program.ts';
import { operations } from '../../operations/registry.ts';
import { SETTING_SUFFIXES } from '../../runtime/config/model-settings.ts';
import { surfaceInventory, type Inventory } from '../../runtime/surfaces/inventory.ts';
import { surfacePage } from '../../runtime/surfaces/page.ts';
import { settingsPage } from '../../runtime/surfaces/settings-page.ts';
import { ROOT } from '../architecture/source-tree.ts';

const written = JSON.parse(readFileSync(join(ROOT, 'docs/surfaces.json'), 'utf8')) as Inventory;
const page = readFileSync(join(ROOT, 'docs/reference/surfaces.md'), 'utf8');

describe('the written inventory', () => {
  test('is that of this source tree: npm run generate writes it', async () => {
    expect(written).toEqual(await surfaceInventory());
    expect(page).toBe(surfacePage(written));
  });

  test('says of each operation what it does', () => {
    const silent = written.operations.filter(({ summary }) => summary === null);
    expect(silent.map(({ operation }) => operation)).toEqual([]);
  });

  test('names every door that an operation has', async () => {
    const doors = [
      ...ROUTES.map(({ method, operation, path }) => [
        operations[operation].id,
        `${method} ${path}`,
      ]),
      ...TOOLS.map(({ name, operation }) => [operations[operation].id, name]),
      ...(await commandOperations()).map(({ command, operation }) => [operation.id, command]),
    ];
    const missing = doors.filter(([id = '', door = '']) => {
      const found = written.operations.find(({ operation }) => operation === id);
      return found === undefined || !Object.values(found.doors).flat().includes(door);
    });
    expect(missing).toEqual([]);
    expect(doors.length).toBeGreaterThan(70);
    expect(doors.filter(([, door = '']) => !page.includes(`\`${door}\``))).toEqual([]);
  });

  test('has no operation without a door, and says of each noun of the command line what it runs', () => {
    const lost = written.operations.filter(({ state }) => state === 'unavailable');
    expect(lost.map(({ operation }) => operation)).toEqual([]);
    const nouns = readdirSync(join(ROOT, 'cli/nouns')).map((file) =>
      file.replace(/(-noun)?\.ts$/, ''),
    );
    const named = new Set(
      written.operations.flatMap(({ doors }) => doors.cli.map((command) => command.split(' ')[1])),
    );
    // The bridge is a client of the service and runs no operation itself; rules belong to `vouch governance`. A
    // backup copies files.
    expect(nouns.filter((noun) => !named.has(noun))).toEqual(['backup', 'mcp', 'rules']);
  });
});

describe('the page of settings', () => {
  test('is that of this source tree: npm run generate writes it', () => {
    expect(readFileSync(join(ROOT, 'docs/reference/settings.md'), 'utf8')).toBe(settingsPage());
  });

  test('names what belongs to a role of models, and the guide explains each', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/models.md'), 'utf8');
    const unexplained = SETTING_SUFFIXES.filter(
      (suffix) => suffix !== '' && !guide.includes(`${suffix}\``),
    );
    expect(unexplained).toEqual([]);
  });
});
