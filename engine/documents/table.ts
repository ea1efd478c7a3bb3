/** Tables whose first row names the columns: each cell is read with the name of its column, wherever the row is quoted. */
import type { DefaultTreeAdapterTypes } from 'parse5';
import { wordSet } from '../../domain/text/word-set.ts';

export type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements without text for a reader. */
export const UNREAD = wordSet(
  'head script style template noscript svg math iframe object canvas audio video select textarea button',
);
export const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

/** Between the cells of a row. */
export const CELL_GLUE = ' | ';
/** Elements inside a table that lays out a page and lists nothing. */
const LAYOUT = wordSet('table h1 h2 h3 h4 h5 h6 pre');
/** The most characters of all column names: they are repeated in each row, and a document must not swell by them. */
const MAX_COLUMN_NAMES = 200;

export function childrenOf(node: Node): readonly Node[] {
  return 'childNodes' in node ? node.childNodes : [];
}

/** All nodes within, in reading order, without recursion and without what nobody reads. */
function* within(root: Node): Generator<Node> {
  const open = childrenOf(root).toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (UNREAD.has(node.nodeName)) continue;
    yield node;
    for (const child of childrenOf(node).toReversed()) open.push(child);
  }
}

/** Elements that a browser shows within a line. */
const INLINE = wordSet(
  'a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr',
);

function textOf(root: Node): string {
  const parts: string[] = [];
  for (const node of within(root)) {
    if ('value' in node && node.nodeName === '#text') parts.push(node.value);
    else if (!INLINE.has(node.nodeName)) parts.push(' ');
  }
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}

/** The nodes of a table; null at the first sign of a page, so that tables in tables cost no more than their text. */
function contentsOf(table: Node): readonly Node[] | null {
  const nodes: Node[] = [];
  for (const node of within(table)) {
    if (LAYOUT.has(node.nodeName)) return null;
    nodes.push(node);
  }
  return nodes;
}

/**
 * The caption and the rows of a table, each as one passage: "Name: Ada | City: Oslo". Null if its first row does not name
 * the columns, or if the table lays out a page. A row with more or fewer cells than names, as joined cells make it, is
 * read without names: a wrong one would be worse.
 */
export function readTable(table: Node): readonly string[] | null {
  const nodes = contentsOf(table);
  if (nodes === null) return null;
  const rows = nodes
    .filter(({ nodeName }) => nodeName === 'tr')
    .map((row) => childrenOf(row).filter(({ nodeName }) => CELLS.has(nodeName)));
  const [first = [], ...others] = rows;
  const names = first.map(textOf);
  if (first.some(({ nodeName }) => nodeName !== 'th') || others.length === 0) return null;
  if (names.every((name) => name === '') || names.join('').length > MAX_COLUMN_NAMES) return null;
  const passages = others.map((row) => {
    const isNamed = row.length === names.length;
    const cells = row.map(textOf).map((text, column) => {
      const name = names[column] ?? '';
      return isNamed && name !== '' && text !== '' ? `${name}: ${text}` : text;
    });
    return cells.filter((text) => text !== '').join(CELL_GLUE);
  });
  return [...nodes.filter(({ nodeName }) => nodeName === 'caption').map(textOf), ...passages];
}
