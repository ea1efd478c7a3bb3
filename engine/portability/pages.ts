/** The second and the third reading of an archive: its resources page by page, still with the hashes of the first. */
import { createHash } from 'node:crypto';
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import { entryKind } from '../../domain/portability/entries.ts';
import { TRAVELLING_NAMES, type TravellingName } from '../../domain/portability/tables.ts';
import { archiveMembers } from './archive-reader.ts';
import { linePages, type LinePage } from './line-pages.ts';
import type { ArchiveManifest } from './manifest.ts';

export interface ArchivePages {
  /** Gets the lines of each resource, in order. */
  page(table: TravellingName, page: LinePage): Promise<void>;
  /** Called after the last resource, before the first blob. */
  rowsEnded(): Promise<void>;
  /** Gets the bytes of each blob. Left out: they are passed over. */
  blob?(sha256: string, bytes: Uint8Array): Promise<void>;
}

/** The file that was read first must be the one that is written. */
const changed = (name: string): ArchiveError =>
  new ArchiveError(`${name} has changed since it was checked. Nothing was imported.`);

async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

/** Reads an archive that has been scanned. */
export async function readPages(
  path: string,
  manifest: ArchiveManifest,
  signal: AbortSignal,
  pages: ArchivePages,
): Promise<void> {
  let read = 0;
  let blobs = 0;
  const endRows = async (): Promise<void> => {
    if (read !== TRAVELLING_NAMES.length) throw changed('The archive');
    if (blobs === 0) await pages.rowsEnded();
  };
  for await (const member of archiveMembers(path, signal)) {
    const kind = entryKind(member.name);
    if (kind?.kind === 'resource') {
      const table = TRAVELLING_NAMES[read];
      const expected = manifest.resources[read];
      if (table === undefined || table !== kind.table) throw changed(member.name);
      const hash = createHash('sha256');
      for await (const page of linePages(member.name, hashed(member.bytes, hash))) {
        signal.throwIfAborted();
        await pages.page(table, page);
      }
      if (hash.digest('hex') !== expected?.sha256) throw changed(member.name);
      read += 1;
    } else if (kind?.kind === 'blob') {
      await endRows();
      const expected = manifest.blobs[blobs];
      if (expected?.sha256 !== kind.sha256 || expected.bytes !== member.size) {
        throw changed(member.name);
      }
      blobs += 1;
      await pages.blob?.(kind.sha256, await whole(member.bytes));
    } else {
      await endRows();
    }
  }
  if (blobs !== manifest.blobs.length) throw changed('The archive');
}
