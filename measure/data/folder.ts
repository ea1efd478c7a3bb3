/** Reads the files of a data folder that is not part of this repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';

/**
 * Every JSON file of one set, in the order of their names; null where the set is missing or empty. Throws when a file
 * has another shape; the error names only the set and the position.
 */
export function readEach<S extends z.ZodType>(
  dataFolder: string,
  set: string,
  shape: S,
): z.output<S>[] | null {
  const folder = join(dataFolder, set);
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted();
  if (names.length === 0) return null;
  return names.map((name, index) => {
    const parsed = shape.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    // The parser's own message is dropped, because it may quote the file.
    if (!parsed.success) throw new Error(`file ${index + 1} of ${set} has another shape`);
    return parsed.data;
  });
}
