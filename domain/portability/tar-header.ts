/**
 * Headers of tar (POSIX ustar) in one form only: plain files with short names. What is read must be byte for byte what
 * would be written for that name and size. So links, folders, long names, sparse files and other dialects are refused,
 * and nothing of a header is believed. Libraries for tar read far more than that, and gather what they read of names
 * in memory, whatever its size.
 */
import { ArchiveError } from './archive-error.ts';

export const BLOCK_BYTES = 512;
/** Bytes of a name in a header. */
const MOST_NAME_BYTES = 100;
/** Sizes up to here are octal digits, larger ones binary. */
const MOST_OCTAL_SIZE = 8 ** 11 - 1;
const SIZE_AT = 124;
const CHECKSUM_AT = 148;
const TYPE_AT = 156;

export interface TarHeader {
  readonly name: string;
  readonly size: number;
}

/** One byte for each character. */
const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\0`;
}

function writeSize(block: Uint8Array<ArrayBuffer>, size: number): void {
  if (size <= MOST_OCTAL_SIZE) {
    block.set(bytesOf(octal(size, 11)), SIZE_AT);
    return;
  }
  block[SIZE_AT] = 0x80;
  new DataView(block.buffer).setBigUint64(SIZE_AT + 4, BigInt(size));
}

/** The header of a plain file, readable by its owner alone, of no owner and no time. */
export function encodeTarHeader({ name, size }: TarHeader): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  const bytes = bytesOf(name);
  if (bytes.length > MOST_NAME_BYTES) throw new RangeError('the name of a member is too long');
  block.set(bytes, 0);
  block.set(bytesOf(`${octal(0o600, 7)}${octal(0, 7)}${octal(0, 7)}`), 100);
  writeSize(block, size);
  block.set(bytesOf(octal(0, 11)), 136);
  block.set(bytesOf(' '.repeat(8)), CHECKSUM_AT);
  block.set(bytesOf('0'), TYPE_AT);
  block.set(bytesOf('ustar\x0000'), 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(bytesOf(`${octal(sum, 6)} `), CHECKSUM_AT);
  return block;
}

function sizeOf(block: Uint8Array): number {
  if (block[SIZE_AT] === 0x80) {
    const large = new DataView(block.buffer, block.byteOffset).getBigUint64(SIZE_AT + 4);
    return large <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(large) : Number.NaN;
  }
  const digits = textOf(block.subarray(SIZE_AT, SIZE_AT + 11));
  return /^[0-7]{11}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

/** A name as it may stand in a message: nobody knows yet what the archive has put there. */
export function shownName(name: string): string {
  return /^[\w./-]{1,100}$/.test(name) ? name : 'a member with a strange name';
}

const TYPES: Readonly<Record<string, string>> = {
  '1': 'a link',
  '2': 'a link',
  '3': 'a device',
  '4': 'a device',
  '5': 'a folder',
  '6': 'a pipe',
};

/** Whether the block ends an archive. */
export function isTarEnd(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** @throws ArchiveError for any header that `encodeTarHeader` does not make. */
export function decodeTarHeader(block: Uint8Array): TarHeader {
  const end = block.indexOf(0);
  const name = textOf(block.subarray(0, Math.min(end === -1 ? BLOCK_BYTES : end, 100)));
  const kind = TYPES[String.fromCharCode(block[TYPE_AT] ?? 0)];
  if (kind !== undefined) {
    throw new ArchiveError(
      `${shownName(name)} is ${kind}. An archive has plain files only; nothing was imported.`,
    );
  }
  const size = sizeOf(block);
  const isOurs =
    Number.isSafeInteger(size) &&
    encodeTarHeader({ name, size }).every((byte, at) => byte === block[at]);
  if (!isOurs) {
    throw new ArchiveError(
      `The header of ${shownName(name)} is damaged, or was not written by an export. Nothing was imported.`,
    );
  }
  return { name, size };
}
