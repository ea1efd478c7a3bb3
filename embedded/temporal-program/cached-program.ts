/**
 * The program in the user's cache: run only while it is what was installed. The cache outlives the start that filled
 * it, and other programs of the user write beside it, so its digest is kept with it and compared at every start.
 */
import { statSync } from 'node:fs';
import { sha256OfFile } from '../checksum.ts';
import { EmbeddedError } from '../errors.ts';
import { readIfPresent, writePrivateFile } from '../private-files.ts';

const digestFile = (program: string): string => `${program}.sha256`;

/** Remembers what `draft` is, which is about to be put at `program`. */
export async function rememberProgram(draft: string, program: string): Promise<void> {
  writePrivateFile(digestFile(program), `${await sha256OfFile(draft)}\n`);
}

/**
 * Passes when the program is the one that was remembered and nobody else may change it.
 * @throws EmbeddedError saying what is wrong with it; it must not be run then.
 */
export async function assertRemembered(program: string): Promise<void> {
  const { uid, mode } = statSync(program);
  if (uid !== process.getuid?.() && uid !== 0)
    throw new EmbeddedError('it belongs to another user');
  if ((mode & 0o022) !== 0) throw new EmbeddedError('other users may change it');
  const remembered = readIfPresent(digestFile(program))?.trim();
  if (remembered === undefined) throw new EmbeddedError('nothing says what was installed');
  if ((await sha256OfFile(program)) !== remembered) {
    throw new EmbeddedError('it is not what was installed');
  }
}
