/** Files of a backup: written for their owner alone, hashed while they are written, and durable at their end. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';

export interface FileDigest {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

const CHUNK = 1024 * 1024;

/** A stream that passes on what it gets, and knows its digest at the end. */
export function digesting(): Transform & { digest(): FileDigest } {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return Object.assign(through, { digest: () => ({ bytes, sha256: hash.digest('hex') }) });
}

/** A new file (0600) that is flushed to the disk before it is closed. Fails where there is one already. */
export function privateFile(path: string): WriteStream {
  return createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: CHUNK });
}

/** Copies a file and answers what was copied. Throws `ENOENT` where there is none, and leaves nothing then. */
export async function copyHashed(from: string, to: string): Promise<FileDigest> {
  const file = await open(from, 'r');
  const hashed = digesting();
  await pipeline(file.createReadStream({ highWaterMark: CHUNK }), hashed, privateFile(to));
  return hashed.digest();
}

/** The digest of a file as it is. */
export async function digestOf(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
    bytes += chunk.byteLength;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}
