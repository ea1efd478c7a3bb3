/** Plain text: bytes to characters, and characters to paragraphs. */
import { Outline, type Block } from './block.ts';
import { DocumentFailure } from './failure.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)"?/i;
const BLANK_LINE = /\n[^\S\n]*\n/;
const BULLET = /^\s*(?:[-*•‣◦–]|\(?\d{1,3}[.)])\s/u;
const ENDS_SENTENCE = /[.!?:;…。！？]["'”’)\]]*$/u;

/** The charset that a media type names, or null. */
function charsetOf(mediaType: string): string | null {
  return CHARSET.exec(mediaType)?.[1] ?? null;
}

function markedCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/**
 * The text of the bytes: by their byte order mark, the named charset, or UTF-8. Throws `DocumentFailure` for
 * bytes that are no text in that charset, and for an unknown charset.
 */
export function decodeText(bytes: Uint8Array, mediaType: string): string {
  const charset = markedCharset(bytes) ?? charsetOf(mediaType) ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DocumentFailure('structured_validation_failed', { cause });
  }
}

/** Joins the lines of a paragraph that were only wrapped; a bullet or the end of a sentence keeps its line break. */
function unwrapped(paragraph: string): string {
  const pieces: string[] = [];
  let isOpen = false;
  for (const line of paragraph.split('\n')) {
    const text = line.trim();
    const goesOn = isOpen && !BULLET.test(line);
    if (pieces.length > 0) pieces.push(goesOn ? ' ' : '\n');
    pieces.push(text);
    // Only the new line is matched, not the paragraph that grows.
    isOpen = !ENDS_SENTENCE.test(text);
  }
  return pieces.join('');
}

export function readText(text: string): readonly Block[] {
  const outline = new Outline();
  const normal = text.replaceAll(/\r\n?/g, '\n').replaceAll('\f', '\n\n');
  for (const paragraph of normal.split(BLANK_LINE)) outline.text(unwrapped(paragraph));
  return outline.blocks;
}
