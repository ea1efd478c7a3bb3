/**
 * Records of the servers that run now, kept beside their data, so that the next start can recognise a
 * leftover server that neither this process nor its watchdog could stop.
 */
import { z } from 'zod';
import { readIfPresent, writePrivateFile } from '../private-files.ts';
import { type ProcessIdentity, processIdentity } from './process-identity.ts';

const childRecord = z.object({
  name: z.string(),
  identity: processIdentity,
  /** The path among the server's arguments that names its data. */
  dataPath: z.string().startsWith('/'),
});
export type ChildRecord = z.infer<typeof childRecord>;

export interface ChildRecords {
  add(record: ChildRecord): void;
  remove(identity: ProcessIdentity): void;
}

/** Keeps the records in `file`, rewritten at every change. */
export function keepChildRecords(file: string): ChildRecords {
  let records: readonly ChildRecord[] = [];
  const save = (next: readonly ChildRecord[]) => {
    records = next;
    writePrivateFile(file, JSON.stringify(next));
  };
  return {
    add: (record) => save([...records, record]),
    remove(identity) {
      try {
        save(records.filter((record) => record.identity.pid !== identity.pid));
      } catch {
        // A full disk, for example. A record too many is harmless: a record alone never gets a process stopped.
      }
    },
  };
}

/** The records of the last start; none when the file is missing or was cut short. */
export function readChildRecords(file: string): readonly ChildRecord[] {
  const text = readIfPresent(file);
  if (text === undefined) return [];
  try {
    return z.array(childRecord).parse(JSON.parse(text));
  } catch {
    return [];
  }
}
