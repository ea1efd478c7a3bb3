/** Graph: the statements of one scope as a picture and as a table. The address holds all of what was asked for. */
import { empty } from '../../design/elements.ts';
import { choice, errorSummary, field } from '../../design/forms.ts';
import { attributes, html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest, PeopleRoute, Problem, ShownPage } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { GRAPH_PATH, knowledgeAddress, scopeAddress, SCOPES_PATH } from '../scopes/parts.ts';
import { Pictures } from './cache.ts';
import { draw, type Graph } from './draw.ts';
import { graphTable } from './table.ts';

const SIZES = ['30', '60', '90', '150'] as const;
const USUAL_SIZE = '90';

interface Asked {
  readonly scope: string;
  readonly descendants: boolean;
  readonly size: string;
}

function filters({ descendants, scope, size }: Asked, problem: Problem | null): Markup {
  return html`<form class="sheet filters" method="get" action="${GRAPH_PATH}" aria-label="Picture">
    ${field({ name: 'scope', label: 'Scope', value: scope, hint: 'A path, such as /team' }, problem)}
    ${choice(
      { name: 'limit', label: 'Statements at most', chosen: size },
      SIZES.map((value) => ({ value, name: value })),
    )}
    <div class="field">
      <label class="option">
        <input
          type="checkbox"
          name="descendants"
          value="1"
          ${attributes({ checked: descendants })}
        />
        With its descendants
      </label>
    </div>
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

const LEGEND = html`<ul class="legend">
  <li><span class="dot active"></span> believed</li>
  <li>
    <span class="dot provisional"></span> provisional: only the people who said or relayed it see it
  </li>
  <li><span class="dot superseded"></span> replaced</li>
  <li><span class="key mentions"></span> mentions a name</li>
  <li><span class="key superseded_by"></span> replaced by</li>
  <li><span class="key derived_from"></span> derived from</li>
  <li><span class="key disagrees"></span> cannot both be true</li>
</ul>`;

/** The picture and the same as a table: all that follows from the rows alone. */
function drawn(graph: Graph): Markup {
  return html`<div class="scroll sheet picture" role="region" aria-label="Picture" tabindex="0">
      ${draw(graph)}
    </div>
    ${LEGEND}
    <section class="sheet">${graphTable(graph)}</section>`;
}

const pictures = new Pictures(drawn);

/** What was left out, so that nobody takes the picture for the whole. */
function limits({ more_scopes: moreScopes, more_statements: more, statements }: Graph): Markup {
  const parts = [
    ...(more
      ? [`Only ${statements.length} statements are shown, those with the highest confidence first.`]
      : []),
    ...(moreScopes ? ['Only the first 32 scopes of the tree are included.'] : []),
  ];
  return parts.length === 0 ? NOTHING : html`<p class="quiet-text">${parts.join(' ')}</p>`;
}

function picture(graph: Graph, { descendants }: Asked): Markup {
  const { scope_path: path } = graph;
  if (graph.statements.length === 0) {
    return empty(
      'Nothing to draw',
      html`Nothing is believed in ${written(path)}${descendants ? ' or below it' : ''} that you may
        see. ${descendants ? NOTHING : 'Include its descendants, or choose another scope.'} For a
        list of all scopes see <a href="${SCOPES_PATH}">Scopes</a>.`,
    );
  }
  return html`<p class="lead">
      What is believed in ${written(path)}${descendants ? ' and below it' : ''}. Names stand around
      the scope, statements around the names; each number is a row of the table.
    </p>
    ${limits(graph)} ${pictures.of(graph)}
    <p class="actions">
      <a class="button quiet" href="${scopeAddress(path)}">About the scope</a>
      <a class="button quiet" href="${knowledgeAddress(path)}">List its statements</a>
    </p>`;
}

/** The scope that is asked for, or the first one that the viewer may read; empty where there is none. */
async function scopeOf({ call, query }: ViewerRequest): Promise<string> {
  const asked = (query.get('scope') ?? '').trim();
  if (asked !== '') return asked;
  const { items } = await call('listScopes', { limit: 1 });
  return items[0]?.path ?? '';
}

/** The problem with the names of the form's own fields. */
function ofField(problem: Problem): Problem {
  const fields = problem.fields.map((fault) =>
    fault.path === 'scope_path' ? { ...fault, path: 'scope' } : fault,
  );
  return { ...problem, fields };
}

async function shown(request: ViewerRequest): Promise<ShownPage> {
  const { call, query } = request;
  const asked: Asked = {
    scope: await scopeOf(request),
    descendants: query.get('descendants') === '1',
    size: SIZES.find((size) => size === query.get('limit')) ?? USUAL_SIZE,
  };
  const { descendants, scope, size } = asked;
  const shownFor = async (): Promise<Markup> =>
    scope === ''
      ? empty('You may read no scope yet', 'Ask an operator for a role in one.')
      : picture(
          await call('readScopeGraph', { scope_path: scope, descendants, limit: Number(size) }),
          asked,
        );
  const result = await shownFor().catch((error: unknown) => ofField(asProblem(error)));
  const [main, problem] = 'code' in result ? [NOTHING, result] : [result, null];
  return {
    title: 'Picture of a scope',
    main: html`<h1>Picture of a scope</h1>
      ${errorSummary({ problem })} ${filters(asked, problem)} ${main}`,
    ...(problem === null ? {} : { status: 422 }),
  };
}

export const GRAPH_ROUTE: PeopleRoute = {
  path: GRAPH_PATH,
  access: 'people',
  calls: ['listScopes', 'readScopeGraph'],
  show: shown,
};
