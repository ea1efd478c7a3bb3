/** Writes the inventory of surfaces to docs/SURFACES.md and docs/surfaces.json. */
import { writeFileSync } from 'node:fs';
import { surfaceInventory } from '../runtime/surfaces/inventory.ts';
import { surfacePage } from '../runtime/surfaces/page.ts';

const inventory = await surfaceInventory();
const at = (name: string): URL => new URL(`../docs/${name}`, import.meta.url);
writeFileSync(at('surfaces.json'), `${JSON.stringify(inventory, null, 2)}\n`);
writeFileSync(at('SURFACES.md'), surfacePage(inventory));
