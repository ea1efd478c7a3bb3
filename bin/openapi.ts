/** Writes the description of the HTTP interface to docs/openapi.json. */
import { writeFileSync } from 'node:fs';
import { openApiText } from '../api/openapi/index.ts';
import { operations } from '../operations/registry.ts';

writeFileSync(new URL('../docs/openapi.json', import.meta.url), openApiText(operations));
