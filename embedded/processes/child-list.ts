/**
 * A list of the servers that run now, kept beside their data, so that the next start can recognise a
 * leftover server that neither this process nor its watchdog could stop.
 */
import { z } from 'zod';
import { readIfPresent, writePrivateFile } from '../private-files.ts';
import { type ProcessIdentity, processIdentity } from './process-identity.ts';

const childEntry = z.object({
  name: z.string(),
  identity: processIdentity,
  /** The path among the server's arguments that names its data. */
  dataPath: z.string().startsWith('/'),
});
export type ChildEntry = z.infer<typeof childEntry>;

export type ChildList = ReturnType<typeof keepChildList>;

/** Keeps the entries in `file`, rewritten at every change. */
export function keepChildList(file: string) {
  let entries: readonly ChildEntry[] = [];
  const save = (next: readonly ChildEntry[]) => {
    entries = next;
    writePrivateFile(file, JSON.stringify(next));
  };
  return {
    add: (entry: ChildEntry) => save([...entries, entry]),
    remove(identity: ProcessIdentity) {
      try {
        save(entries.filter((entry) => entry.identity.pid !== identity.pid));
      } catch {
        // A full disk, for example. An entry too many is harmless: an entry alone never gets a process stopped.
      }
    },
  };
}

/** The entries of the last start; none when the file is missing or was cut short. */
export function readChildList(file: string): readonly ChildEntry[] {
  const text = readIfPresent(file);
  if (text === undefined) return [];
  try {
    return z.array(childEntry).parse(JSON.parse(text));
  } catch {
    return [];
  }
}
