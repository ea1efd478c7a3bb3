/** Removes the data of a start: its directory, and the directory of Postgres where that is elsewhere. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readIfPresent } from '../embedded/private-files.ts';

const state = z.object({ postgresHome: z.string().startsWith('/').optional() });

/** `directory` is where the service was started. `whole` is removed: that directory or one above it. */
export function removeStart(directory: string, whole: string = directory): void {
  const text = readIfPresent(join(directory, '.vouch/state.json'));
  const home = text === undefined ? undefined : state.parse(JSON.parse(text)).postgresHome;
  // Each start has a directory of its own below a shared one; only that is removed, never the shared one.
  if (home !== undefined && dirname(home) !== '/') rmSync(home, { recursive: true, force: true });
  rmSync(whole, { recursive: true, force: true });
}
