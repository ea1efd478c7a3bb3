/** The first reading of an archive: which members there are, their hashes, and that its manifest lists exactly these. */
import { createHash } from 'node:crypto';
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import {
  MOST_BLOB_BYTES,
  MOST_BLOBS,
  MOST_MANIFEST_BYTES,
} from '../../domain/portability/bounds.ts';
import {
  blobName,
  entryKind,
  MANIFEST_NAME,
  RESOURCE_NAMES,
  type EntryKind,
} from '../../domain/portability/entries.ts';
import { shownName } from '../../domain/portability/tar-header.ts';
import { archiveMembers, type ArchiveMember } from './archive-reader.ts';
import type { ArchiveManifest } from './manifest.ts';

/** Resources of any schema. */
const MOST_RESOURCES = 200;

interface FoundMember {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Ends of lines. */
  readonly lines: number;
}

export interface ScannedArchive {
  readonly resources: readonly FoundMember[];
  readonly blobs: readonly FoundMember[];
  readonly manifest: Uint8Array;
  /** SHA-256 of the manifest, which names the hashes of everything else. */
  readonly digest: string;
}

const refused = (why: string): ArchiveError => new ArchiveError(`${why}. Nothing was imported.`);

function countLines(piece: Uint8Array): number {
  let lines = 0;
  for (let at = piece.indexOf(0x0a); at !== -1; at = piece.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}

async function readWhole({ bytes, size }: ArchiveMember): Promise<Uint8Array> {
  if (size > MOST_MANIFEST_BYTES) throw refused(`${MANIFEST_NAME} is too large`);
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

async function digestOf({ bytes, name, size }: ArchiveMember): Promise<FoundMember> {
  const hash = createHash('sha256');
  let lines = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    lines += countLines(piece);
  }
  return { name, sha256: hash.digest('hex'), bytes: size, lines };
}

/** Holds the members to their order: resources, blobs by their hashes, the manifest. Each name stands once. */
class Order {
  readonly #resources = new Set<string>();
  #lastBlob = '';
  #blobs = 0;

  check(name: string, kind: EntryKind | null): EntryKind {
    if (kind === null) throw refused(`${shownName(name)} is no member of an archive`);
    if (kind.kind === 'resource') {
      if (this.#resources.has(name)) throw refused(`${name} stands twice in the archive`);
      if (this.#blobs > 0) throw refused(`${name} stands at a wrong place`);
      if (this.#resources.size >= MOST_RESOURCES) throw refused('The archive has too many members');
      this.#resources.add(name);
    }
    if (kind.kind === 'blob') {
      if (kind.sha256 === this.#lastBlob) throw refused(`${name} stands twice in the archive`);
      if (kind.sha256 < this.#lastBlob) throw refused(`${name} stands at a wrong place`);
      if (this.#blobs >= MOST_BLOBS) throw refused('The archive has too many members');
      this.#lastBlob = kind.sha256;
      this.#blobs += 1;
    }
    return kind;
  }
}

/** Reads all of the archive once. Nothing of it is kept but names, hashes and the manifest. */
export async function scanArchive(path: string, signal: AbortSignal): Promise<ScannedArchive> {
  const order = new Order();
  const resources: FoundMember[] = [];
  const blobs: FoundMember[] = [];
  let manifest: Uint8Array | null = null;
  for await (const member of archiveMembers(path, signal)) {
    if (manifest !== null) throw refused(`${shownName(member.name)} stands after ${MANIFEST_NAME}`);
    const kind = order.check(member.name, entryKind(member.name));
    if (kind.kind === 'manifest') {
      manifest = await readWhole(member);
    } else if (kind.kind === 'resource') {
      resources.push(await digestOf(member));
    } else {
      if (member.size > MOST_BLOB_BYTES) throw refused(`${member.name} is too large`);
      const found = await digestOf(member);
      if (found.sha256 !== kind.sha256) throw refused(`${member.name} is damaged`);
      blobs.push(found);
    }
  }
  if (manifest === null) throw refused(`The archive lacks ${MANIFEST_NAME}`);
  const digest = createHash('sha256').update(manifest).digest('hex');
  return { resources, blobs, manifest, digest };
}

/** Compares two lists by name, in order. */
function compareNames(found: readonly string[], expected: readonly string[]): void {
  const unknown = found.find((name) => !expected.includes(name));
  if (unknown !== undefined) throw refused(`${unknown} is no member that this build knows`);
  const missing = expected.find((name) => !found.includes(name));
  if (missing !== undefined) throw refused(`The archive lacks ${missing}`);
  const wrong = found.find((name, at) => name !== expected[at]);
  if (wrong !== undefined) throw refused(`${wrong} stands at a wrong place`);
}

/** @throws ArchiveError, with the name of the member, where archive and manifest differ. */
export function compareWithManifest(scanned: ScannedArchive, manifest: ArchiveManifest): void {
  compareNames(
    scanned.resources.map(({ name }) => name),
    RESOURCE_NAMES,
  );
  compareNames(
    manifest.resources.map(({ name }) => name),
    RESOURCE_NAMES,
  );
  for (const [at, { count, name, sha256 }] of manifest.resources.entries()) {
    const found = scanned.resources[at];
    if (found?.sha256 !== sha256) throw refused(`${name} is not what ${MANIFEST_NAME} says`);
    if (found.lines !== count)
      throw refused(`${name} has another number of lines than ${MANIFEST_NAME} says`);
  }
  for (const [at, { bytes, sha256 }] of manifest.blobs.entries()) {
    const found = scanned.blobs[at];
    if (found?.sha256 !== sha256 || found.bytes !== bytes) {
      throw refused(`${blobName(sha256)} is missing, or not what ${MANIFEST_NAME} says`);
    }
  }
  const more = scanned.blobs[manifest.blobs.length];
  if (more !== undefined) throw refused(`${more.name} is not listed in ${MANIFEST_NAME}`);
}
