/** PDF: the text of its pages, in the order in which a person reads them. */
import { getDocumentProxy } from 'unpdf';
import { Outline, type Block } from './block.ts';
import { DocumentFailure } from './failure.ts';
import { linesOf, type PlacedText } from './pdf-layout.ts';

const MAX_PAGES = 5_000;
/** A short line is a heading when it is this many times as high as the body text. */
const HEADING_SCALE = 1.15;
const MAX_HEADING = 120;
/** Lines further apart than this many times their height are paragraphs of their own. */
const PARAGRAPH_GAP = 1.6;

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function textsOf(document: PdfDocument, pageNumber: number): Promise<PlacedText[]> {
  const page = await document.getPage(pageNumber);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.flatMap((item): PlacedText[] => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [, , , , x, y] = item.transform as readonly number[];
    if (x === undefined || y === undefined) return [];
    return [{ text: item.str, x, y, width: item.width, height: item.height || 1 }];
  });
}

/** The height that most characters have. */
function bodyHeight(texts: readonly PlacedText[]): number {
  const byHeight = new Map<number, number>();
  for (const { height, text } of texts) {
    const rounded = Math.round(height * 2) / 2;
    byHeight.set(rounded, (byHeight.get(rounded) ?? 0) + text.length);
  }
  return [...byHeight].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 1;
}

/** Adds a line to its paragraph; a word divided at the end of a line becomes one word again. */
function continued(paragraph: string, line: string): string {
  // Only the end is matched, because a paragraph grows line by line.
  const divided = /\p{Ll}-$/u.test(paragraph.slice(-3)) && /^\p{Ll}/u.test(line);
  if (divided) return paragraph.slice(0, -1) + line;
  return `${paragraph} ${line}`;
}

function addPage(outline: Outline, texts: readonly PlacedText[], body: number): void {
  let paragraph = '';
  let last: { readonly y: number; readonly height: number } | null = null;
  const flush = (): void => {
    outline.text(paragraph);
    paragraph = '';
  };
  for (const line of linesOf(texts)) {
    const isHeading = line.height > body * HEADING_SCALE && line.text.length <= MAX_HEADING;
    const gap = last === null ? 0 : last.y - line.y;
    const isNear = gap >= 0 && gap <= Math.max(line.height, last?.height ?? 0) * PARAGRAPH_GAP;
    if (isHeading || !isNear) flush();
    if (isHeading) outline.heading(line.height > body * 1.5 ? 1 : 2, line.text);
    else paragraph = paragraph === '' ? line.text : continued(paragraph, line.text);
    last = isHeading ? null : line;
  }
  flush();
}

/** The blocks of a PDF; none where it holds pictures only. Throws `DocumentFailure` when it is no PDF, or locked. */
export async function readPdf(bytes: Uint8Array): Promise<readonly Block[]> {
  let document: PdfDocument;
  try {
    // A copy: the parser takes over the bytes that it is given.
    document = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  } catch (cause) {
    throw new DocumentFailure('structured_validation_failed', { cause });
  }
  try {
    if (document.numPages > MAX_PAGES) throw new DocumentFailure('source_too_large');
    const pages: PlacedText[][] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      pages.push(await textsOf(document, number));
    }
    const outline = new Outline();
    const body = bodyHeight(pages.flat());
    for (const page of pages) addPage(outline, page, body);
    return outline.blocks;
  } finally {
    await document.loadingTask.destroy();
  }
}
