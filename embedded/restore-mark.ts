/**
 * The mark of a restore that has begun and not ended. While it stands, the directory holds parts of a backup, or all of it
 * without what was promised since: nothing starts on it but the restore.
 */
import { rmSync } from 'node:fs';
import { z } from 'zod';
import type { DataDirectory } from './data-dir.ts';
import { EmbeddedError } from './errors.ts';
import { readIfPresent, writePrivateFile } from './private-files.ts';

const shape = z.object({ input: z.string(), begun_at: z.string() });
export type RestoreMark = z.infer<typeof shape>;

/** The mark; null where no restore has begun. A damaged mark is one. */
export function readRestoreMark({ restoreFile }: DataDirectory): RestoreMark | null {
  const text = readIfPresent(restoreFile);
  if (text === undefined) return null;
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return { input: '<directory of the backup>', begun_at: '' };
  }
}

export function writeRestoreMark({ restoreFile }: DataDirectory, mark: RestoreMark): void {
  writePrivateFile(restoreFile, `${JSON.stringify(mark)}\n`);
}

/** Says that the restore has ended. */
export function removeRestoreMark({ restoreFile }: DataDirectory): void {
  rmSync(restoreFile, { force: true });
}

/** @throws EmbeddedError while a restore has not ended. */
export function assertNoRestore(directory: DataDirectory): void {
  const mark = readRestoreMark(directory);
  if (mark === null) return;
  throw new EmbeddedError(
    `The restore of ${mark.input} into ${directory.path} has not ended. Wait for it, or begin it again: vouch restore --input ${mark.input}`,
  );
}
