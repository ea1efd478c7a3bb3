/** From the bytes of a document to its chunks. Runs in a process of its own: see `parse-apart.ts`. */
import { formatOf, type DocumentFormat } from '../../domain/documents/media-type.ts';
import type { Block } from './block.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { readDocx } from './docx.ts';
import { DocumentFailure } from './failure.ts';
import { readHtml, readMarkdown } from './html.ts';
import { maskBlocks } from './mask.ts';
import { readPdf } from './pdf.ts';
import { decodeText, readText } from './text.ts';

/** Most characters of all text of a document. */
const MAX_CHARACTERS = 2_000_000;

type Reader = (bytes: Uint8Array, mediaType: string) => Promise<readonly Block[]>;

const READERS: Readonly<Record<DocumentFormat, Reader>> = {
  text: async (bytes, mediaType) => readText(decodeText(bytes, mediaType)),
  markdown: async (bytes, mediaType) => readMarkdown(decodeText(bytes, mediaType)),
  html: async (bytes, mediaType) => readHtml(decodeText(bytes, mediaType)),
  pdf: readPdf,
  docx: readDocx,
};

/** The chunks of a document, secrets masked; none without text. Throws `DocumentFailure` when it cannot be read. */
export async function parseDocument(
  bytes: Uint8Array,
  mediaType: string,
): Promise<readonly Chunk[]> {
  const format = formatOf(mediaType);
  if (format === null) throw new DocumentFailure('structured_validation_failed');
  const blocks = await READERS[format](bytes, mediaType);
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > MAX_CHARACTERS) throw new DocumentFailure('source_too_large');
  return chunksOf(await maskBlocks(blocks));
}
