/**
 * Writes an archive, member by member, into a draft beside its place. The draft gets the archive's name once everything
 * is written and synced, so whatever ends the process leaves no archive that is not whole.
 */
import { createWriteStream } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import { BLOCK_BYTES, encodeTarHeader } from '../../domain/portability/tar-header.ts';
import { pipeline } from 'node:stream/promises';

export interface ArchiveWriter {
  /** Adds a member of exactly `size` bytes. */
  add(name: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Adds a member that is in memory. */
  addBytes(name: string, bytes: Uint8Array): Promise<void>;
  /** Ends the archive; its draft is durable afterwards. Answers its bytes. */
  finish(): Promise<number>;
  /** Gives the draft its name. Throws where a file of that name has appeared meanwhile. */
  publish(): Promise<void>;
  /** Removes the draft. May be called at any time. */
  discard(): Promise<void>;
}

const GZIP_LEVEL = 6;

/** @throws ArchiveError when there is something at the path. */
export async function assertFree(output: string): Promise<void> {
  const found = await stat(output).catch(() => null);
  if (found === null) return;
  throw new ArchiveError(`${output} exists already. Name another file: nothing is overwritten.`);
}

function isThere(error: unknown): boolean {
  return Reflect.get(Object(error), 'code') === 'EEXIST';
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Opens the draft anew, for its owner alone: an earlier one of that name is of a process that has died. */
async function openDraft(draft: string, output: string) {
  await rm(draft, { force: true });
  try {
    const stream = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await once(stream, 'open');
    return stream;
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'code');
    throw new ArchiveError(
      `${output} cannot be written (${typeof code === 'string' ? code : 'unknown'}). Name a file in a folder that exists and that you may write to.`,
    );
  }
}

/**
 * Begins an archive at `output`. `draft` is where it is written; no two processes may name the same one at a time.
 * @throws ArchiveError when the output exists, or cannot be written.
 */
export async function beginArchive(output: string, draft: string): Promise<ArchiveWriter> {
  await assertFree(output);
  const file = await openDraft(draft, output);
  const gzip = createGzip({ level: GZIP_LEVEL });
  const written = pipeline(gzip, file);
  // Whoever writes next is told; until then nobody waits for it.
  written.catch(() => undefined);
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written]);
  };
  const fill = async (size: number): Promise<void> => {
    const rest = size % BLOCK_BYTES;
    if (rest > 0) await write(new Uint8Array(BLOCK_BYTES - rest));
  };
  return {
    async add(name, size, bytes) {
      await write(encodeTarHeader({ name, size }));
      let sent = 0;
      for await (const chunk of bytes) {
        sent += chunk.byteLength;
        await write(chunk);
      }
      if (sent !== size) throw new Error(`a member has ${sent} bytes and not ${size}`);
      await fill(size);
    },
    async addBytes(name, bytes) {
      await write(encodeTarHeader({ name, size: bytes.byteLength }));
      await write(bytes);
      await fill(bytes.byteLength);
    },
    async finish() {
      await write(new Uint8Array(2 * BLOCK_BYTES));
      gzip.end();
      await written;
      return file.bytesWritten;
    },
    async publish() {
      try {
        await link(draft, output);
      } catch (error) {
        if (!isThere(error)) throw error;
        throw new ArchiveError(
          `${output} has appeared meanwhile. Name another file: nothing is overwritten.`,
        );
      }
      await rm(draft, { force: true });
      await syncFolder(dirname(output));
    },
    async discard() {
      gzip.destroy();
      await written.catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}
