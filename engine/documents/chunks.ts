/**
 * Cuts blocks into chunks of bounded size; no chunk crosses a heading. A chunk holds whole blocks where they fit,
 * and whole sentences where a block is too long. Only a sentence that is too long is cut, between words.
 */
import { sentencesOf } from '../text/sentences.ts';
import { BLOCK_GLUE, sectionsOf, type Block } from './block.ts';
import { DocumentFailure } from './failure.ts';

/** Characters of a chunk: some paragraphs, which a model reads at once and a person in a moment. */
export const CHUNK_CHARACTERS = 2_000;
const MAX_CHUNKS = 4_000;

export interface Chunk {
  readonly text: string;
  /** Outermost first. */
  readonly headings: readonly string[];
}

/** Pieces of at most `size` characters, cut between words where there are any. */
function cut(sentence: string, size: number): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > size) {
    const space = rest.lastIndexOf(' ', size);
    let end = space > size / 2 ? space : size;
    // Never between the two halves of a surrogate pair.
    if (/[\uDC00-\uDFFF]/.test(rest.charAt(end))) end -= 1;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

/** Joins neighbours as long as they fit. */
function packed(parts: Iterable<string>, glue: string, size: number): string[] {
  const packs: string[] = [];
  for (const part of parts) {
    const last = packs.at(-1);
    if (last !== undefined && last.length + glue.length + part.length <= size) {
      packs[packs.length - 1] = `${last}${glue}${part}`;
    } else packs.push(part);
  }
  return packs;
}

function* fitting(block: string, size: number): Generator<string> {
  if (block.length <= size) {
    yield block;
    return;
  }
  const sentences = [...sentencesOf(block)].flatMap(({ text }) => cut(text, size));
  yield* packed(sentences, ' ', size);
}

/** The chunks of a document, in reading order. Throws `DocumentFailure` for more than `MAX_CHUNKS`. */
export function chunksOf(blocks: readonly Block[], size = CHUNK_CHARACTERS): readonly Chunk[] {
  const chunks = sectionsOf(blocks).flatMap(({ headings, texts }) => {
    const parts = texts.flatMap((text) => [...fitting(text, size)]);
    return packed(parts, BLOCK_GLUE, size).map((text) => ({ text, headings }));
  });
  if (chunks.length > MAX_CHUNKS) throw new DocumentFailure('source_too_large');
  return chunks;
}
