/** Cuts the bytes of a resource into lines, and lines into pages of bounded bytes. */
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import { MOST_LINE_BYTES, MOST_PAGE_ROWS, PAGE_BYTES } from '../../domain/portability/bounds.ts';

export interface LinePage {
  /** The number of the first line, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

const NEWLINE = 0x0a;

/** @throws ArchiveError for a line that is too long or no UTF-8, and when the last line has no end. */
export async function* linePages(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<LinePage> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const refused = (line: number, why: string): ArchiveError =>
    new ArchiveError(`${name}, line ${line}: ${why}. Nothing was imported.`);
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  let first = 1;
  let lines: string[] = [];
  let pageBytes = 0;
  const take = (end: Uint8Array): void => {
    const line = Buffer.concat([...begun, end]);
    try {
      lines.push(utf8.decode(line));
    } catch {
      throw refused(first + lines.length, 'this is not UTF-8');
    }
    pageBytes += line.byteLength;
    begun = [];
    begunBytes = 0;
  };
  for await (const piece of bytes) {
    let at = 0;
    for (;;) {
      const end = piece.indexOf(NEWLINE, at);
      const size = (end === -1 ? piece.byteLength : end) - at;
      if (begunBytes + size > MOST_LINE_BYTES) {
        throw refused(first + lines.length, 'the line is too long');
      }
      if (end === -1) break;
      take(piece.subarray(at, end));
      at = end + 1;
      if (lines.length >= MOST_PAGE_ROWS || pageBytes >= PAGE_BYTES) {
        yield { first, lines };
        first += lines.length;
        lines = [];
        pageBytes = 0;
      }
    }
    if (at < piece.byteLength) {
      begun.push(piece.slice(at));
      begunBytes += piece.byteLength - at;
    }
  }
  if (begunBytes > 0) throw refused(first + lines.length, 'the line has no end');
  if (lines.length > 0) yield { first, lines };
}
