/** Scopes: those that the viewer may read, as a tree, and one of them in detail. The address holds what was asked for. */
import type { OutputOf } from '../../../operations/registry.ts';
import { empty, pager } from '../../design/elements.ts';
import { errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { ROLE_WORDS } from '../../design/words.ts';
import type { ViewerRequest, PeopleRoute, Problem, ShownPage } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { scopeSheet } from './detail.ts';
import { countsLine, graphAddress, scopeAddress, SCOPES_PATH, type ScopeItem } from './parts.ts';
import { branches, type Branch } from './tree.ts';

function filters(within: string, problem: Problem | null): Markup {
  return html`<form class="sheet filters" method="get" action="${SCOPES_PATH}" aria-label="Scopes">
    ${field({ name: 'within', label: 'Within', value: within, hint: 'A path such as /team. The list shows it and its descendants.' }, problem)}
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

function branchEntry({ below, item, name }: Branch<ScopeItem>): Markup {
  return html`<li>
    <a class="title" href="${scopeAddress(item.path)}">${written(name)}</a>
    <p class="meta">
      <span class="badge plain">${ROLE_WORDS[item.role]}</span> ${countsLine(item)}
      <a href="${graphAddress(item.path)}"
        >Picture<span class="hidden-text"> of ${written(item.path)}</span></a
      >
    </p>
    ${
      below.length === 0
        ? NOTHING
        : html`<ul>
            ${below.map(branchEntry)}
          </ul>`
    }
  </li>`;
}

function nothing(within: string, isFirst: boolean): Markup {
  if (!isFirst) return empty('There are no more', 'That was the last page.');
  return within === ''
    ? empty(
        'You may read no scope yet',
        html`An operator gives you a role with <code>vouch grant add</code>. The first observation
          that names a scope creates it.`,
      )
    : empty(
        'Nothing to show',
        html`You may read no scope at ${written(within)} or below it. Leave the field empty to see
        all scopes that you may read.`,
      );
}

function tree({ items }: OutputOf<'listScopes'>): Markup {
  return html`<ul class="tree sheet">
    ${branches(items).map(branchEntry)}
  </ul>`;
}

async function directory({ call, query }: ViewerRequest, within: string): Promise<Markup> {
  const page = await call('listScopes', {
    within: within === '' ? null : within,
    cursor: query.get('cursor'),
  });
  const isFirst = !query.has('cursor');
  if (page.items.length === 0) return nothing(within, isFirst);
  return html`${tree(page)} ${pager(SCOPES_PATH, query, page.next_cursor)}`;
}

async function shown(request: ViewerRequest): Promise<ShownPage> {
  const { call, query } = request;
  const within = (query.get('within') ?? '').trim();
  const path = (query.get('scope') ?? '').trim();
  const asked = async (): Promise<readonly [Markup, Markup]> => [
    path === '' ? NOTHING : scopeSheet(await call('readScope', { scope_path: path })),
    await directory(request, within),
  ];
  const result = await asked().catch(asProblem);
  const [[detail, list], problem] =
    'code' in result ? [[NOTHING, NOTHING], result] : [result, null];
  return {
    title: path === '' || problem !== null ? 'Scopes' : `Scope ${path}`,
    main: html`<h1>Scopes</h1>
      <p class="lead">
        Each statement has a scope. Searches in the descendants of the scope find it too.
      </p>
      ${errorSummary({ problem })} ${detail} ${filters(within, problem)} ${list}`,
    ...(problem === null ? {} : { status: 422 }),
  };
}

export const SCOPES_ROUTE: PeopleRoute = {
  path: SCOPES_PATH,
  access: 'people',
  calls: ['readScope', 'listScopes'],
  show: shown,
};
