/**
 * The picture of a lineage as SVG. A list beside it has the same content, so nothing in the picture takes the focus.
 */
import { html, type Markup } from '../../design/markup.ts';
import { NODE, type Box, type LineagePicture } from './lineage-layout.ts';

/** What stands in a box: two short lines, and all of it for who rests on it. */
export interface BoxWords {
  readonly key: string;
  readonly kind: 'knowledge' | 'message' | 'document_version';
  readonly name: string;
  readonly below: string;
  readonly title: string;
  /** The id of a statement that has a page. */
  readonly leadsTo: string | null;
}

const BASELINES = [18, 35] as const;
const PADDING = 10;
const middleOf = ({ y }: Box): number => y + NODE.height / 2;

function line(from: Box, to: Box): Markup {
  const [startX, startY] = [from.x + NODE.width, middleOf(from)];
  const [endX, endY] = [to.x, middleOf(to)];
  const bend = (endX - startX) / 2;
  return html`<path
    class="line"
    d="M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}"
  ></path>`;
}

function box({ x, y }: Box, words: BoxWords, isTarget: boolean): Markup {
  const inside = html`<title>${words.title}</title>
    <rect x="${x}" y="${y}" width="${NODE.width}" height="${NODE.height}" rx="8"></rect>
    <text class="name" x="${x + PADDING}" y="${y + BASELINES[0]}">${words.name}</text>
    <text x="${x + PADDING}" y="${y + BASELINES[1]}">${words.below}</text>`;
  const look = `box ${words.kind} ${isTarget ? 'target' : ''}`;
  return words.leadsTo === null || isTarget
    ? html`<g class="${look}">${inside}</g>`
    : html`<a class="${look}" href="/console/knowledge/${words.leadsTo}" tabindex="-1"
        >${inside}</a
      >`;
}

function mark({ x, y }: Box, count: number): Markup {
  return html`<g class="mark">
    <circle cx="${x + NODE.height / 2}" cy="${y + NODE.height / 2}" r="15"></circle>
    <text x="${x + NODE.height / 2}" y="${y + NODE.height / 2 + 4}">+${count}</text>
  </g>`;
}

/** Draws it. `beyond` says of each thing how many of its sources are not in the picture. */
export function drawLineage(
  picture: LineagePicture,
  words: readonly BoxWords[],
  beyond: ReadonlyMap<string, number>,
): Markup {
  const { boxes, height, lines, marks, width } = picture;
  return html`<svg
    class="graph lineage-picture"
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
    aria-hidden="true"
    focusable="false"
  >
    ${lines.map(({ from, to }) => {
      const [start, end] = [boxes.get(from), boxes.get(to)];
      return start === undefined || end === undefined ? html`` : line(start, end);
    })}
    ${[...marks].map(([key, place]) => {
      const start = boxes.get(key);
      const end = { x: place.x + NODE.height / 2 - 15, y: place.y };
      return html`${start === undefined ? html`` : line(start, end)}
      ${mark(place, beyond.get(key) ?? 0)}`;
    })}
    ${words.map((of, at) => {
      const place = boxes.get(of.key);
      return place === undefined ? html`` : box(place, of, at === 0);
    })}
  </svg>`;
}
