/**
 * The lines of a page in reading order. A page states only the position of each piece of text. Pieces on one base
 * line make a line, a gutter between lines makes columns, and a line across the gutter separates the columns above
 * it from those below. Distances are in points, `y` grows upwards.
 */

export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line of one column. */
export type Line = PlacedText;

/** A gap wider than this many times the height of the letters ends a line: what follows is another column. */
const COLUMN_GAP = 1.2;
const WORD_GAP = 0.15;
/** Fewer lines on a side are a coincidence, not a column. */
const LINES_OF_A_COLUMN = 2;
const MAX_COLUMNS_DEPTH = 3;

const right = (item: PlacedText): number => item.x + item.width;

function joined(items: readonly PlacedText[]): Line {
  const [first, ...rest] = items;
  if (first === undefined) throw new TypeError('a line has text');
  let text = first.text;
  let end = right(first);
  for (const item of rest) {
    const spaced = text.endsWith(' ') || item.text.startsWith(' ');
    text += !spaced && item.x - end > item.height * WORD_GAP ? ` ${item.text}` : item.text;
    end = Math.max(end, right(item));
  }
  const height = items.reduce((most, item) => Math.max(most, item.height), first.height);
  return { text: text.trim(), x: first.x, y: first.y, width: end - first.x, height };
}

/** Pieces that stand on one base line, without a gutter between them. */
function segmentsOf(texts: readonly PlacedText[]): Line[] {
  const ordered = texts.toSorted((a, b) => b.y - a.y || a.x - b.x);
  const rows: PlacedText[][] = [];
  for (const item of ordered) {
    const row = rows.at(-1);
    const base = row?.[0];
    if (row && base && Math.abs(base.y - item.y) <= Math.min(base.height, item.height) / 2) {
      row.push(item);
    } else rows.push([item]);
  }
  return rows.flatMap((row) => {
    const runs: PlacedText[][] = [];
    let end = Number.NEGATIVE_INFINITY;
    for (const item of row.toSorted((a, b) => a.x - b.x)) {
      if (item.x - end > item.height * COLUMN_GAP) runs.push([item]);
      else runs.at(-1)?.push(item);
      end = Math.max(end, right(item));
    }
    return runs.map(joined);
  });
}

/** How far up and down the first line reaches, then the first two lines together, and so on. */
function reaches(
  lines: readonly Line[],
): readonly { readonly top: number; readonly bottom: number }[] {
  let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return lines.map(({ y }) => {
    [top, bottom] = [Math.max(top, y), Math.min(bottom, y)];
    return { top, bottom };
  });
}

/** How many of the ascending values are less than `limit`. */
function countBelow(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Where a gutter runs: the place that fewest lines cross, with lines on both sides that stand beside each other (short
 * lines above longer ones are no columns); null without one. A page may have any number of lines, so the lines are
 * sorted once and places are looked up in them.
 */
function gutterOf(lines: readonly Line[]): number | null {
  const byEnd = lines.toSorted((a, b) => right(a) - right(b));
  const fromRight = lines.toSorted((a, b) => b.x - a.x);
  const ends = byEnd.map(right);
  const starts = fromRight.map(({ x }) => x).toReversed();
  const [reachBefore, reachAfter] = [reaches(byEnd), reaches(fromRight)];
  let best: { readonly at: number; readonly crossing: number } | null = null;
  for (const { x: at } of lines) {
    const before = countBelow(ends, at);
    const after = lines.length - countBelow(starts, at - 1);
    const crossing = lines.length - before - after;
    const [left, other] = [reachBefore[before - 1], reachAfter[after - 1]];
    const isGutter =
      before >= LINES_OF_A_COLUMN &&
      after >= LINES_OF_A_COLUMN &&
      crossing * 3 <= lines.length &&
      left !== undefined &&
      other !== undefined &&
      Math.min(left.top, other.top) > Math.max(left.bottom, other.bottom);
    if (isGutter && (best === null || crossing < best.crossing)) best = { at, crossing };
  }
  return best?.at ?? null;
}

function inColumns(lines: readonly Line[], depth: number): readonly Line[] {
  const gutter = depth < MAX_COLUMNS_DEPTH ? gutterOf(lines) : null;
  if (gutter === null) return lines.toSorted((a, b) => b.y - a.y || a.x - b.x);
  const ordered: Line[] = [];
  let band: Line[] = [];
  const flush = (): void => {
    ordered.push(
      ...inColumns(
        band.filter((line) => right(line) < gutter),
        depth + 1,
      ),
      ...inColumns(
        band.filter((line) => right(line) >= gutter),
        depth + 1,
      ),
    );
    band = [];
  };
  for (const line of lines.toSorted((a, b) => b.y - a.y)) {
    const crosses = line.x < gutter - 1 && right(line) >= gutter;
    if (crosses) {
      flush();
      ordered.push(line);
    } else band.push(line);
  }
  flush();
  return ordered;
}

/** The lines of a page as they are read: columns from left to right, each from top to bottom. */
export function linesOf(texts: readonly PlacedText[]): readonly Line[] {
  return inColumns(segmentsOf(texts), 0);
}
