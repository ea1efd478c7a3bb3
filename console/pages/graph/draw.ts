/** The picture of a scope as SVG, drawn on the server. Everything in it leads somewhere; its words stand in the table too. */
import { excerptOf } from '../../../domain/text/excerpt.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { html, type Markup } from '../../design/markup.ts';
import { STATE_WORDS } from '../../design/words.ts';
import { scopeAddress } from '../scopes/parts.ts';
import {
  CENTRE,
  halfWidth,
  HEIGHT,
  HUB_RADIUS,
  layoutOf,
  STATEMENT_RADIUS,
  WIDTH,
  type Layout,
  type Placed,
} from './layout.ts';

export type Graph = OutputOf<'readScopeGraph'>;
type Tie = Graph['ties'][number];

const LONGEST_LABEL = 18;
const LONGEST_TITLE = 120;
const CENTRE_RADIUS = 34;

/** The point on the way from one place to another that is `radius` away from the first. */
function edgeOf(from: Placed, to: Placed, radius: number): Placed {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const at = (start: number, step: number) =>
    Math.round((start + (step * radius) / length) * 10) / 10;
  return { x: at(from.x, dx), y: at(from.y, dy) };
}

function rings({ rings: radii }: Layout): Markup {
  return html`<g class="rings">
    ${radii.map((radius) => html`<ellipse cx="${CENTRE.x}" cy="${CENTRE.y}" rx="${Math.round(halfWidth(radius))}" ry="${radius}"></ellipse>`)}
  </g>`;
}

function mentions({ hubs }: Graph, layout: Layout): Markup {
  const lines = hubs.flatMap(({ statement_ids: ids }, at) => {
    const hub = layout.hubs[at];
    if (hub === undefined) return [];
    return ids.flatMap((id) => {
      const place = layout.statements.get(id);
      return place === undefined
        ? []
        : [html`<line x1="${hub.x}" y1="${hub.y}" x2="${place.x}" y2="${place.y}"></line>`];
    });
  });
  return html`<g class="mentions">${lines}</g>`;
}

function tieLine({ from, kind, to }: Tie, { statements }: Layout): Markup {
  const [start, end] = [statements.get(from), statements.get(to)];
  if (start === undefined || end === undefined) return html``;
  const a = edgeOf(start, end, STATEMENT_RADIUS);
  const b = edgeOf(end, start, STATEMENT_RADIUS + 2);
  return kind === 'disagrees'
    ? html`<line class="disagrees" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"></line>`
    : html`<line
        class="${kind}"
        x1="${a.x}"
        y1="${a.y}"
        x2="${b.x}"
        y2="${b.y}"
        marker-end="url(#arrow)"
      ></line>`;
}

function hubMarks({ hubs }: Graph, layout: Layout): Markup {
  return html`<g class="hubs">
    ${hubs.map(({ name, statement_ids: ids }, at) => {
      const { x, y } = layout.hubs[at] ?? CENTRE;
      return html`<g>
        <title>${name}: ${ids.length} statements</title>
        <circle cx="${x}" cy="${y}" r="${HUB_RADIUS}"></circle>
        <text class="count" x="${x}" y="${y + 4}">${ids.length}</text>
        <text x="${x}" y="${y + HUB_RADIUS + 13}">${excerptOf(name, LONGEST_LABEL)}</text>
      </g>`;
    })}
  </g>`;
}

function statementMarks({ statements }: Graph, layout: Layout): Markup {
  return html`<g class="statements">
    ${statements.map(({ id, state, statement }, at) => {
      const { x, y } = layout.statements.get(id) ?? CENTRE;
      return html`<a href="/console/knowledge/${id}" tabindex="-1" class="${state}">
        <title>${at + 1}. ${STATE_WORDS[state].name}: ${excerptOf(statement, LONGEST_TITLE)}</title>
        <circle cx="${x}" cy="${y}" r="${STATEMENT_RADIUS}"></circle>
        <text x="${x}" y="${y + 3.5}">${at + 1}</text>
      </a>`;
    })}
  </g>`;
}

function scopeMark({ scope_path: path }: Graph): Markup {
  const name = path === '/' ? '/' : path.slice(path.lastIndexOf('/') + 1);
  return html`<a class="focus" href="${scopeAddress(path)}" tabindex="-1">
    <title>The scope ${excerptOf(path, LONGEST_TITLE)}</title>
    <circle cx="${CENTRE.x}" cy="${CENTRE.y}" r="${CENTRE_RADIUS}"></circle>
    <text x="${CENTRE.x}" y="${CENTRE.y + 4}">${excerptOf(name, LONGEST_LABEL / 2)}</text>
  </a>`;
}

/**
 * Draws the picture. A person who cannot see it uses the table, so the links of the picture are not in the order of the
 * keyboard.
 */
export function draw(graph: Graph): Markup {
  const layout = layoutOf({
    statements: graph.statements.map(({ id }) => id),
    hubs: graph.hubs.map(({ statement_ids: ids }) => ids),
  });
  return html`<svg
    class="graph"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    aria-hidden="true"
    focusable="false"
  >
    <defs>
      <marker
        id="arrow"
        viewBox="0 0 8 8"
        refX="8"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto"
      >
        <path d="M0 0 8 4 0 8z"></path>
      </marker>
    </defs>
    ${rings(layout)} ${mentions(graph, layout)}
    <g class="ties">${graph.ties.map((tie) => tieLine(tie, layout))}</g>
    ${hubMarks(graph, layout)} ${statementMarks(graph, layout)} ${scopeMark(graph)}
  </svg>`;
}
