/** HTML, and with it Markdown and DOCX, which are turned into HTML first. */
import { marked } from 'marked';
import { parse } from 'parse5';
import { Outline, type Block } from './block.ts';
import { CELL_GLUE, CELLS, childrenOf, readTable, UNREAD, type Node } from './table.ts';
import { wordSet } from '../../domain/text/word-set.ts';

const BLOCKS =
  wordSet(`address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form
header hgroup hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul`);
const HEADING = /^h([1-6])$/;

/** Walks a tree without recursion, because a document may nest to any depth. */
class Walk {
  readonly #outline = new Outline();
  /** The cells of the row so far, each with what separates it from the next. */
  #row: string[] = [];
  #text = '';
  #preformatted = 0;
  #heading: number | null = null;

  run(roots: readonly Node[]): readonly Block[] {
    const open: { readonly node: Node; readonly left: boolean }[] = [];
    const push = (nodes: readonly Node[]): void => {
      for (const node of nodes.toReversed()) open.push({ node, left: false });
    };
    push(roots);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, left } = next;
      if (left) this.#leave(node.nodeName);
      else if (this.#enter(node)) {
        open.push({ node, left: true });
        push(childrenOf(node));
      }
    }
    this.#flush();
    return this.#outline.blocks;
  }

  /** Takes in the node; answers whether its children are to be read. */
  #enter(node: Node): boolean {
    const name = node.nodeName;
    if ('value' in node && name === '#text') {
      this.#text += this.#preformatted > 0 ? node.value : node.value.replaceAll(/\s+/g, ' ');
      return false;
    }
    if (UNREAD.has(name)) return false;
    if (name === 'table' && this.#readTable(node)) return false;
    if (name === 'br') this.#text += '\n';
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined || (BLOCKS.has(name) && !CELLS.has(name))) this.#flush();
    if (level !== undefined) this.#heading = Number(level);
    if (name === 'pre') this.#preformatted += 1;
    return true;
  }

  /** Whether the table is one that can be read by rows. */
  #readTable(table: Node): boolean {
    const rows = readTable(table);
    if (rows === null) return false;
    this.#flush();
    for (const row of rows) this.#outline.text(row);
    return true;
  }

  #leave(name: string): void {
    // The cells of a row belong together and make one block.
    if (CELLS.has(name)) this.#endCell();
    else if (HEADING.test(name) || BLOCKS.has(name)) this.#flush();
    if (name === 'pre') this.#preformatted -= 1;
  }

  #endCell(): void {
    const text = this.#row.length === 0 ? this.#text.trim() : this.#text.trimEnd();
    this.#text = '';
    if (text !== '') this.#row.push(`${text}${CELL_GLUE}`);
    else if (this.#row.length > 0) this.#row.push('| ');
  }

  #flush(): void {
    const read = [...this.#row, this.#text].join('').trimEnd();
    const text = read.endsWith('|') ? read.slice(0, -1) : read;
    this.#row = [];
    this.#text = '';
    if (this.#heading === null) this.#outline.text(text);
    else this.#outline.heading(this.#heading, text);
    this.#heading = null;
  }
}

export function readHtml(html: string): readonly Block[] {
  return new Walk().run(parse(html).childNodes);
}

export function readMarkdown(markdown: string): readonly Block[] {
  return readHtml(marked.parse(markdown, { async: false, gfm: true }));
}
