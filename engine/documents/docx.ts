/**
 * DOCX. The file is a zip, and a zip can be a bomb. Every entry is inflated and counted before anything of the file
 * is kept, because the size that an entry states need not be true.
 */
import mammoth from 'mammoth';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import type { Block } from './block.ts';
import { DocumentFailure } from './failure.ts';
import { readHtml } from './html.ts';

const ZIP_BOUNDS = {
  entries: 2_000,
  /** Of all entries together, inflated. */
  bytes: 128 * 1_048_576,
  /** Inflated bytes for each packed byte; text of repeated markup comes to about thirty. */
  ratio: 200,
  /** Up to this many inflated bytes, a file may have any ratio. */
  bytesAtAnyRatio: 4 * 1_048_576,
} as const;

const unreadable = (cause: unknown): DocumentFailure =>
  cause instanceof DocumentFailure
    ? cause
    : new DocumentFailure('structured_validation_failed', { cause });

function assertWithinBounds(inflated: number, packed: number, entries: number): void {
  const { bytes, bytesAtAnyRatio, entries: most, ratio } = ZIP_BOUNDS;
  if (entries > most || inflated > bytes) throw new DocumentFailure('source_too_large');
  if (inflated > bytesAtAnyRatio && inflated > packed * ratio) {
    throw new DocumentFailure('source_too_large');
  }
}

/** Inflates one entry, keeping nothing; `counted` is told of every piece. */
async function inflate(
  zip: ZipFile,
  entry: Entry,
  counted: (bytes: number) => void,
): Promise<void> {
  const stream = await zip.openReadStreamPromise(entry);
  for await (const piece of stream) counted(Buffer.from(piece as Uint8Array).length);
}

/** Throws `DocumentFailure` unless every entry can be inflated within `ZIP_BOUNDS`. */
async function assertHarmlessZip(bytes: Uint8Array): Promise<void> {
  try {
    const { promise, resolve, reject } = Promise.withResolvers<ZipFile>();
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, opened) => {
      if (error) reject(error);
      else resolve(opened);
    });
    const zip = await promise;
    assertWithinBounds(0, bytes.byteLength, zip.entryCount);
    let inflated = 0;
    for await (const entry of zip.eachEntry()) {
      // The stated size is checked first: that is cheaper than inflating.
      assertWithinBounds(inflated + entry.uncompressedSize, bytes.byteLength, 0);
      await inflate(zip, entry, (size) => {
        inflated += size;
        assertWithinBounds(inflated, bytes.byteLength, 0);
      });
    }
  } catch (error) {
    throw unreadable(error);
  }
}

export async function readDocx(bytes: Uint8Array): Promise<readonly Block[]> {
  await assertHarmlessZip(bytes);
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes) },
      // Pictures are not read, and inlined they would be most of the text.
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
    );
    return readHtml(value);
  } catch (error) {
    throw unreadable(error);
  }
}
