/**
 * Cuts a long text into passages that an embedder and a ranker can judge: at most 1,200 characters each,
 * ending where a paragraph, a sentence or at least a word ends, and overlapping by up to 160, so that what
 * stands at a seam is whole in one of them. A short text is one passage. Lengths are UTF-16 code units, and
 * no surrogate pair is cut.
 */

/** Code units of the longest passage. */
export const LONGEST_PASSAGE = 1200;
const OVERLAP = 160;
/** Seams are looked for in the last third only, so that passages stay long. */
const EARLIEST_SEAM = 800;

const SEAMS = [/\n\s*\n/gu, /[.!?。！？…]["')\]]?\s|[。！？]/gu, /\s/gu] as const;

function isInsidePair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

/** Where the passage from `start` ends: after the last seam of the best kind. */
function endOf(text: string, start: number): number {
  const limit = start + LONGEST_PASSAGE;
  if (limit >= text.length) return text.length;
  const window = text.slice(start + EARLIEST_SEAM, limit);
  for (const seam of SEAMS) {
    const last = [...window.matchAll(seam)].at(-1);
    if (last !== undefined) return start + EARLIEST_SEAM + last.index + last[0].length;
  }
  return isInsidePair(text, limit) ? limit - 1 : limit;
}

/** Where the next passage starts: at a word within the overlap before `end`. */
function startBefore(text: string, end: number): number {
  const tail = text.slice(end - OVERLAP, end);
  const gap = /\s/u.exec(tail);
  const start = gap === null ? end - OVERLAP : end - OVERLAP + gap.index + 1;
  return isInsidePair(text, start) ? start + 1 : start;
}

export interface PlacedPassage {
  readonly text: string;
  /** Code units of the text before it. */
  readonly start: number;
}

/** The passages of a text in order, with their places; at least one, blank texts included. */
export function placedPassagesOf(text: string): PlacedPassage[] {
  const passages: PlacedPassage[] = [];
  let start = 0;
  for (;;) {
    const end = endOf(text, start);
    passages.push({ text: text.slice(start, end), start });
    if (end >= text.length) return passages;
    start = startBefore(text, end);
  }
}

/** The passages alone. */
export function passagesOf(text: string): string[] {
  return placedPassagesOf(text).map((passage) => passage.text);
}
