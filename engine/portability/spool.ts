/**
 * A private file without a name: the lines of one resource, whose number of bytes stands before them in the archive and
 * is known only after them. It is unlinked once it is open, so it is gone with the process.
 */
import { createHash, type Hash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';

export interface SpooledLines {
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 262_144;

export class Spool {
  readonly #file: FileHandle;
  #hash: Hash = createHash('sha256');
  #count = 0;
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** `path` is free for a moment, beside the archive, where there is room for it. */
  static async open(path: string): Promise<Spool> {
    await rm(path, { force: true });
    const file = await open(path, 'wx+', 0o600);
    await rm(path, { force: true });
    return new Spool(file);
  }

  /** Adds lines, each with its end. */
  async add(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.byteLength;) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        at,
        bytes.byteLength - at,
        this.#bytes + at,
      );
      at += bytesWritten;
    }
    this.#bytes += bytes.byteLength;
    this.#count += lines.length;
  }

  /** What was added since the start or since the last call. */
  end(): SpooledLines {
    const sha256 = this.#hash.digest('hex');
    const ended = { count: this.#count, bytes: this.#bytes, sha256 };
    this.#hash = createHash('sha256');
    this.#count = 0;
    this.#bytes = 0;
    return ended;
  }

  /** The first bytes, in pieces. */
  async *read(bytes: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes;) {
      const size = Math.min(CHUNK_BYTES, bytes - at);
      // A buffer of its own: the reader may keep the piece until it is written.
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(size), 0, size, at);
      if (bytesRead === 0) throw new Error('the spool is shorter than what was written');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
