/**
 * Which code a program runs: its bundle where one was made of just these sources, the sources otherwise. A thousand files
 * take more than a second to load; a bundle of them takes half as long (ADR 74).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programsDigest, SOURCES } from './inputs.ts';

/** The programs that are bundled, by the names of their files in `bin`. */
export const PROGRAMS = ['api', 'dev', 'worker'] as const;
export type BundledProgram = (typeof PROGRAMS)[number];

/** Set to anything, it makes programs run from the sources, so that profiles name their files. */
const FROM_SOURCES = 'VOUCH_FROM_SOURCES';
const DIGITS_OF_NAME = 16;

export const PROGRAMS_FOLDER = join(SOURCES, 'build/programs');

/** Where the bundles of sources with the digest are. A folder is there as a whole or not at all, and never changes. */
export function folderOfPrograms(digest: string, within = PROGRAMS_FOLDER): string {
  return join(within, digest.slice(0, DIGITS_OF_NAME));
}

/** Whether the bundles of these sources have been made. */
export function hasPrograms(digest = programsDigest(), within = PROGRAMS_FOLDER): boolean {
  return existsSync(folderOfPrograms(digest, within));
}

/** The address of the code that the program is to run; `folder` is where its bundle would be. */
export function addressOfProgram(
  name: BundledProgram,
  environment: Readonly<Record<string, string | undefined>>,
  folder = folderOfPrograms(programsDigest()),
): string {
  const bundle = join(folder, `${name}.mjs`);
  const isBundled = (environment[FROM_SOURCES] ?? '') === '' && existsSync(bundle);
  return pathToFileURL(isBundled ? bundle : join(SOURCES, 'bin', `${name}.ts`)).href;
}
