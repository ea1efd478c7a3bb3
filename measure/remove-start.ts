/** Removes what a start left: its directory, and Postgres' own home where that had to be elsewhere. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readIfPresent } from '../embedded/private-files.ts';

const state = z.object({ postgresHome: z.string().startsWith('/').optional() });

/** `directory` is where the service was started; `whole` is removed with it when it lies above. */
export function removeStart(directory: string, whole: string = directory): void {
  const text = readIfPresent(join(directory, '.vouch/state.json'));
  const home = text === undefined ? undefined : state.parse(JSON.parse(text)).postgresHome;
  // Homes are named one by one below a shared directory; nothing above one is ever removed.
  if (home !== undefined && dirname(home) !== '/') rmSync(home, { recursive: true, force: true });
  rmSync(whole, { recursive: true, force: true });
}
