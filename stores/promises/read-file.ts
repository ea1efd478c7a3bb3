/** Reads lists of promises, line by line, however long they are. */
import { open } from 'node:fs/promises';
import { MOST_LINE_BYTES, readLine, type ReadLine } from '../../domain/promises/line.ts';
import { sha256Digest } from './promise-list.ts';

export interface NumberedLine {
  /** The place of its list among those that are read, and its place there: both count from 1. */
  readonly list: number;
  readonly line: number;
  readonly read: ReadLine;
}

const END = 0x0a;
const CHUNK_BYTES = 65_536;

/** The lines of a file as it is when it is opened, without their ends. Of a longer line than any promise only a part. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) return;
    const stream = file.createReadStream({
      end: size - 1,
      highWaterMark: CHUNK_BYTES,
      autoClose: false,
    });
    let begun = Buffer.alloc(0);
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      let from = 0;
      for (let at = bytes.indexOf(END); at >= 0; at = bytes.indexOf(END, from)) {
        yield Buffer.concat([begun, bytes.subarray(from, at)]);
        begun = Buffer.alloc(0);
        from = at + 1;
      }
      const rest = bytes.subarray(from);
      begun = Buffer.concat([begun, rest]).subarray(0, MOST_LINE_BYTES + 1);
    }
    if (begun.length > 0) yield begun;
  } finally {
    await file.close();
  }
}

/** The lines of the lists that say something, in their order. Rejects with the error of the system for a file that cannot be read. */
export async function* readPromiseFiles(paths: readonly string[]): AsyncGenerator<NumberedLine> {
  for (const [index, path] of paths.entries()) {
    let line = 0;
    for await (const bytes of linesOf(path)) {
      line += 1;
      const isTooLong = bytes.length > MOST_LINE_BYTES;
      const read: ReadLine = isTooLong
        ? { state: 'foreign' }
        : readLine(bytes.toString('utf8'), sha256Digest);
      if (read.state !== 'blank') yield { list: index + 1, line, read };
    }
  }
}
