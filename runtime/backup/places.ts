/** Where an installation keeps what is no server's. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../config/index.ts';
import type { Variables } from '../config/model-settings.ts';

export interface KeptPlaces {
  /** The directory below which `.vouch/` lives. */
  readonly root: string;
  /** `.vouch/`. */
  readonly directory: string;
}

/** The file or folder that a setting names, in its place or in the one of an earlier version; null where there is none. */
export function foundFile(name: string, { directory, root }: KeptPlaces): string | null {
  return [resolve(root, name), resolve(directory, name)].find((path) => existsSync(path)) ?? null;
}

/** The list of promises, which no backup replaces. */
export function promisesFile(options: {
  readonly environment: Variables;
  readonly root: string;
}): string {
  return resolve(options.root, loadConfig(options.environment).settings.SERVICE_PROMISES_FILE);
}

const packageFile = new URL('../../package.json', import.meta.url);

/** The version of this build. */
export async function appVersion(): Promise<string> {
  const text = await readFile(packageFile, 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
