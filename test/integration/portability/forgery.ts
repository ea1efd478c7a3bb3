/** Archives taken apart and put together again, as somebody would who wants to bring in what no export wrote. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { encodeTarHeader } from '../../../domain/portability/tar-header.ts';
import { manifestBytes } from '../../../engine/portability/manifest.ts';
import { archiveMembers } from '../../../engine/portability/archive-reader.ts';

export interface Member {
  readonly name: string;
  readonly bytes: Buffer;
  /** The type in the header; a plain file unless given. */
  readonly type?: string;
}

export type Row = Readonly<Record<string, unknown>>;

export async function membersOf(path: string): Promise<readonly Member[]> {
  const members: Member[] = [];
  for await (const { bytes, name } of archiveMembers(path, new AbortController().signal)) {
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(piece.slice());
    members.push({ name, bytes: Buffer.concat(pieces) });
  }
  return members;
}

function headerOf({ bytes, name, type }: Member): Uint8Array {
  const block = encodeTarHeader({ name, size: bytes.byteLength });
  if (type === undefined) return block;
  block.set(Buffer.from(type), 156);
  block.set(Buffer.from(' '.repeat(8)), 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(Buffer.from(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
}

/** The tar of the members. */
export function tarOf(members: readonly Member[]): Buffer {
  const blocks = members.flatMap((member) => [
    headerOf(member),
    member.bytes,
    new Uint8Array((512 - (member.bytes.byteLength % 512)) % 512),
  ]);
  return Buffer.concat([...blocks, new Uint8Array(1024)]);
}

export function writeArchive(path: string, members: readonly Member[]): string {
  writeFileSync(path, gzipSync(tarOf(members)), { mode: 0o600 });
  return path;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The same members with a manifest that fits them, changed as `change` says. */
export function refitted(
  members: readonly Member[],
  change: (manifest: Record<string, unknown>) => Record<string, unknown> = (same) => same,
): readonly Member[] {
  return members.map((member) => {
    if (member.name !== 'manifest.json') return member;
    const { sha256: _own, ...manifest }: Record<string, unknown> = JSON.parse(
      member.bytes.toString(),
    );
    const resources = members
      .filter(({ name }) => name.startsWith('resources/'))
      .map(({ bytes, name }) => ({
        name,
        count: bytes.toString().split('\n').length - 1,
        sha256: sha256(bytes),
      }));
    return { ...member, bytes: manifestBytes(change({ ...manifest, resources })) };
  });
}

/** The members with other rows in a resource, and a manifest that fits them. */
export function withRows(
  members: readonly Member[],
  table: string,
  change: (rows: readonly Row[]) => readonly Row[],
): readonly Member[] {
  const changed = members.map((member) => {
    if (member.name !== `resources/${table}.jsonl`) return member;
    const rows: Row[] = member.bytes
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const lines = change(rows).map((row) => `${JSON.stringify(row)}\n`);
    return { ...member, bytes: Buffer.from(lines.join('')) };
  });
  return refitted(changed);
}

/** The members with other values in the first row of a resource. */
export function withFirstRow(members: readonly Member[], table: string, values: Row) {
  return withRows(members, table, ([first, ...others]) => [{ ...first, ...values }, ...others]);
}
