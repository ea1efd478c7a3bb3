/** The second and the third reading of an archive: its resources page by page, still with the hashes of the first. */
import { createHash } from 'node:crypto';
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import { entryKind } from '../../domain/portability/entries.ts';
import { TRAVELLING_NAMES, type TravellingName } from '../../domain/portability/tables.ts';
import { archiveMembers, type ArchiveMember } from './archive-reader.ts';
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

/** How far a reading has come, held to the manifest. */
class Reading {
  readonly #manifest: ArchiveManifest;
  readonly #pages: ArchivePages;
  #resources = 0;
  #blobs = 0;

  constructor(manifest: ArchiveManifest, pages: ArchivePages) {
    this.#manifest = manifest;
    this.#pages = pages;
  }

  async resource({ bytes, name }: ArchiveMember, found: string, signal: AbortSignal) {
    const table = TRAVELLING_NAMES[this.#resources];
    const expected = this.#manifest.resources[this.#resources];
    if (table === undefined || table !== found) throw changed(name);
    const hash = createHash('sha256');
    for await (const page of linePages(name, hashed(bytes, hash))) {
      signal.throwIfAborted();
      await this.#pages.page(table, page);
    }
    if (hash.digest('hex') !== expected?.sha256) throw changed(name);
    this.#resources += 1;
  }

  async blob({ bytes, name, size }: ArchiveMember, found: string): Promise<void> {
    await this.endRows();
    const expected = this.#manifest.blobs[this.#blobs];
    if (expected?.sha256 !== found || expected.bytes !== size) throw changed(name);
    this.#blobs += 1;
    if (this.#pages.blob === undefined) return;
    const content = await whole(bytes);
    if (createHash('sha256').update(content).digest('hex') !== found) throw changed(name);
    await this.#pages.blob(found, content);
  }

  /** Once, after the last resource. */
  async endRows(): Promise<void> {
    if (this.#resources !== TRAVELLING_NAMES.length) throw changed('The archive');
    if (this.#blobs === 0) await this.#pages.rowsEnded();
  }

  async end(): Promise<void> {
    await this.endRows();
    if (this.#blobs !== this.#manifest.blobs.length) throw changed('The archive');
  }
}

/** Reads an archive that has been scanned. */
export async function readPages(
  path: string,
  manifest: ArchiveManifest,
  signal: AbortSignal,
  pages: ArchivePages,
): Promise<void> {
  const reading = new Reading(manifest, pages);
  for await (const member of archiveMembers(path, signal)) {
    const kind = entryKind(member.name);
    if (kind?.kind === 'resource') await reading.resource(member, kind.table, signal);
    else if (kind?.kind === 'blob') await reading.blob(member, kind.sha256);
  }
  await reading.end();
}
