/**
 * Reads an archive as one from a stranger, member by member. Memory is bounded by a block and a piece of the file,
 * whatever the archive says. Contents that are many times larger than the file are a bomb.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import { ALWAYS_READ_BYTES, MOST_TIMES_LARGER } from '../../domain/portability/bounds.ts';
import {
  BLOCK_BYTES,
  decodeTarHeader,
  isTarEnd,
  type TarHeader,
} from '../../domain/portability/tar-header.ts';

export interface ArchiveMember extends TarHeader {
  /** The contents, in pieces. They are read before the next member is asked for. */
  readonly bytes: AsyncGenerator<Uint8Array>;
}

const PIECE_BYTES = 262_144;

const cutShort = (): ArchiveError =>
  new ArchiveError('The archive ends too early or is damaged. Nothing was imported.');

/** The decompressed bytes of the file, in pieces. */
async function* contents(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) {
    throw new ArchiveError(`${path} is not a file. Name the archive that an export wrote.`);
  }
  const most = Math.max(ALWAYS_READ_BYTES, found.size * MOST_TIMES_LARGER);
  const file = createReadStream(path, { highWaterMark: PIECE_BYTES });
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  file.on('error', (error) => gunzip.destroy(error));
  file.pipe(gunzip);
  let read = 0;
  try {
    for await (const piece of gunzip) {
      signal.throwIfAborted();
      const bytes = Buffer.from(piece);
      read += bytes.byteLength;
      if (read > most) {
        throw new ArchiveError(
          `The contents are more than ${MOST_TIMES_LARGER} times larger than the file: this is no archive of an account. Nothing was imported.`,
        );
      }
      yield bytes;
    }
  } catch (error) {
    if (error instanceof ArchiveError || signal.aborted) throw error;
    throw cutShort();
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

/** Takes bytes off a sequence of pieces. */
class Pieces {
  readonly #source: AsyncGenerator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncGenerator<Buffer>) {
    this.#source = source;
  }

  /** At most `most` bytes; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#rest.byteLength === 0) {
      const next = await this.#source.next();
      if (next.done === true) return null;
      this.#rest = next.value;
    }
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.byteLength);
    return taken;
  }

  /** Exactly `size` bytes, of which there are few. */
  async exactly(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = size; missing > 0;) {
      const part = await this.some(missing);
      if (part === null) throw cutShort();
      parts.push(part);
      missing -= part.byteLength;
    }
    return Buffer.concat(parts);
  }

  close(): Promise<unknown> {
    return this.#source.return(undefined);
  }
}

async function* body(pieces: Pieces, size: number): AsyncGenerator<Uint8Array> {
  for (let missing = size; missing > 0;) {
    const part = await pieces.some(missing);
    if (part === null) throw cutShort();
    missing -= part.byteLength;
    yield part;
  }
}

/** Nothing but the second empty block may follow the first one. */
async function assertEnded(pieces: Pieces): Promise<void> {
  const isEnd = isTarEnd(await pieces.exactly(BLOCK_BYTES));
  if (isEnd && (await pieces.some(1)) === null) return;
  throw new ArchiveError('Something stands after the end of the archive. Nothing was imported.');
}

/**
 * The members of the archive, in order.
 * @throws ArchiveError for anything that an export does not write.
 */
export async function* archiveMembers(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<ArchiveMember> {
  const pieces = new Pieces(contents(path, signal));
  try {
    for (;;) {
      const block = await pieces.exactly(BLOCK_BYTES);
      if (isTarEnd(block)) return await assertEnded(pieces);
      const header = decodeTarHeader(block);
      const bytes = body(pieces, header.size);
      yield { ...header, bytes };
      while ((await bytes.next()).done !== true);
      const rest = header.size % BLOCK_BYTES;
      if (rest > 0 && !isTarEnd(await pieces.exactly(BLOCK_BYTES - rest))) {
        throw new ArchiveError(
          `Something stands after the end of ${header.name}. Nothing was imported.`,
        );
      }
    }
  } finally {
    await pieces.close();
  }
}
