/**
 * The program in the user's cache, which runs only while its file is unchanged since the installation. The cache
 * outlives the start that filled it, and other programs of the user can write there. So the program's digest is kept
 * beside it and compared at every start.
 */
import { statSync } from 'node:fs';
import { sha256OfFile } from '../checksum.ts';
import { EmbeddedError } from '../errors.ts';
import { readIfPresent, writePrivateFile } from '../private-files.ts';

const digestFile = (program: string): string => `${program}.sha256`;

/** Writes the digest of `draft`, which is about to be moved to `program`. */
export async function rememberProgram(draft: string, program: string): Promise<void> {
  writePrivateFile(digestFile(program), `${await sha256OfFile(draft)}\n`);
}

/**
 * Passes when the program has the remembered digest and no other user but root may change it.
 * @throws EmbeddedError with what is wrong; the program must not be run then.
 */
export async function assertRemembered(program: string): Promise<void> {
  const { uid, mode } = statSync(program);
  if (uid !== process.getuid?.() && uid !== 0)
    throw new EmbeddedError('it belongs to another user');
  if ((mode & 0o022) !== 0) throw new EmbeddedError('other users may change it');
  const remembered = readIfPresent(digestFile(program))?.trim();
  if (remembered === undefined)
    throw new EmbeddedError('the digest of the installed program is missing');
  if ((await sha256OfFile(program)) !== remembered) {
    throw new EmbeddedError('its digest is not the digest of the installed program');
  }
}
