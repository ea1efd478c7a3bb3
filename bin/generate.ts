/** Writes what is made from the code: the description of the API, the inventory of surfaces, the page of settings. */
import { writeFileSync } from 'node:fs';
import { openApiText } from '../api/openapi/index.ts';
import { operations } from '../operations/registry.ts';
import { surfaceInventory } from '../runtime/surfaces/inventory.ts';
import { surfacePage } from '../runtime/surfaces/page.ts';
import { settingsPage } from '../runtime/surfaces/settings-page.ts';

const write = (name: string, text: string): void =>
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), text);

const inventory = await surfaceInventory();
write('openapi.json', openApiText(operations));
write('surfaces.json', `${JSON.stringify(inventory, null, 2)}\n`);
write('reference/surfaces.md', surfacePage(inventory));
write('reference/settings.md', settingsPage());
