import { readFileSync } from 'node:fs';
import { z } from 'zod';

const MANIFEST = new URL('../../package.json', import.meta.url);

/** The semantic version of the application that runs. */
export const APP_VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(MANIFEST, 'utf8'))).version;
