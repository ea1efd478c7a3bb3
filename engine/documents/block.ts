/** Every format is read into blocks: passages of text under their headings, in reading order. */

export interface Block {
  readonly text: string;
  /** Outermost first. */
  readonly headings: readonly string[];
}

/** The most characters of a heading; longer text that is marked as a heading is read as a paragraph. */
const MAX_HEADING = 200;
const MAX_DEPTH = 6;

/** Text as Postgres and people can keep it: well-formed, no controls but line breaks, no runs of blanks. */
export function cleanBlock(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\u200B\u2060\uFEFF\u00AD]/gu, '')
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}

/** Collects blocks while headings come and go. */
export class Outline {
  readonly blocks: Block[] = [];
  readonly #open: { readonly level: number; readonly text: string }[] = [];

  /** From here on text stands under this heading; deeper and equal ones end. Level 1 is the outermost. */
  heading(level: number, text: string): void {
    const cleaned = cleanBlock(text).replaceAll('\n', ' ');
    if (cleaned === '') return;
    if (cleaned.length > MAX_HEADING) {
      this.text(cleaned);
      return;
    }
    while ((this.#open.at(-1)?.level ?? 0) >= level) this.#open.pop();
    if (this.#open.length < MAX_DEPTH) this.#open.push({ level, text: cleaned });
  }

  text(text: string): void {
    const cleaned = cleanBlock(text);
    if (cleaned === '') return;
    this.blocks.push({ text: cleaned, headings: this.#open.map((heading) => heading.text) });
  }
}

/** Between blocks that are shown together; no block holds it, see `cleanBlock`. */
export const BLOCK_GLUE = '\n\n';

export interface Section {
  readonly headings: readonly string[];
  readonly texts: readonly string[];
}

function sameHeadings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((heading, index) => heading === b[index]);
}

/** Neighbouring blocks under the same headings. */
export function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections: { headings: readonly string[]; texts: string[] }[] = [];
  for (const { headings, text } of blocks) {
    const last = sections.at(-1);
    if (last !== undefined && sameHeadings(last.headings, headings)) last.texts.push(text);
    else sections.push({ headings, texts: [text] });
  }
  return sections;
}
