/** The circles of a scope and of those above it, and for the curators of the scope the form for a new one. */
import { holdsRoleAt, isCuratorSomewhere } from '../../../domain/identity/caller.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { doneNotice, empty, pager } from '../../design/elements.ts';
import { csrfField, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ShownPage, ViewerRequest } from '../../design/page.ts';
import { askedScope } from '../asked-scope.ts';
import { asProblem } from '../refused.ts';
import { withTypedKeys } from '../typed-keys.ts';
import { CIRCLES_PATH, KEYS_HINT, memberCount, READS_EARLIER } from './words.ts';

const PAGE_SIZE = 25;
const DONE = { deleted: 'You deleted the circle.' } as const;

type Listed = OutputOf<'listCircles'>['items'][number];

const entry = ({ id, member_count: count, name, scope_path: scope }: Listed): Markup =>
  html`<li>
    <a class="title" href="${CIRCLES_PATH}/${id}">${written(name)}</a>
    <p class="meta">
      <span>${memberCount(count)}</span> <span>in ${written(scope)} and below</span>
    </p>
  </li>`;

function filters(scope: string): Markup {
  return html`<form
    class="sheet filters"
    method="get"
    action="${CIRCLES_PATH}"
    aria-label="Circles"
  >
    ${field({ name: 'scope', label: 'Scope and above', value: scope })}
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

function creation({ csrf, form, problem: faults }: ViewerRequest, scope: string): Markup {
  const members = form['members'] ?? '';
  return html`<section class="sheet" aria-labelledby="create">
    <h2 id="create">Create a circle</h2>
    <p>${READS_EARLIER}</p>
    <form method="post" action="${CIRCLES_PATH}/create">
      ${csrfField(csrf)}
      ${field({ name: 'scope_path', label: 'Scope', value: form['scope_path'] ?? scope, isRequired: true }, faults, 'create')}
      ${field({ name: 'name', label: 'Name', value: form['name'] ?? '', isRequired: true, longest: 256 }, faults, 'create')}
      ${field({ name: 'members', label: 'Members (optional)', value: members, rows: 4, hint: KEYS_HINT }, faults, 'create')}
      <button type="submit">Create</button>
    </form>
  </section>`;
}

const nothing = (mayCreate: boolean): Markup =>
  empty(
    'No circle here',
    mayCreate
      ? 'Create one below, or choose another scope.'
      : 'A curator makes circles. A circle appears here when you are a member of it. Choose another scope, or ask a curator.',
  );

/** Shows the circles, and above them what a form has done or why it was refused. */
export async function showCircles(request: ViewerRequest): Promise<ShownPage> {
  const { call, form, query, viewer } = request;
  const sent = (form['scope_path'] ?? '').trim();
  const scope = sent === '' ? await askedScope(request) : sent;
  const result = await call('listCircles', {
    scope_path: scope,
    limit: PAGE_SIZE,
    cursor: query.get('cursor'),
  }).catch(asProblem);
  const ofAddress = 'code' in result ? result : null;
  const typed = { field: 'members', list: 'members', typed: form['members'] ?? '' };
  const refused = withTypedKeys(request.problem, typed);
  const problem = refused ?? ofAddress;
  // Who sends the form for a scope that somebody else curates is shown it again, with the refusal.
  const mayCreate =
    holdsRoleAt(viewer.caller, scope, 'curator') ||
    (request.problem !== null && isCuratorSomewhere(viewer.caller));
  return {
    title: 'Circles',
    main: html`<h1>Circles</h1>
      <p class="lead">
        A circle is a named list of people and agents, to address something to. Its members see who
        else is in it.
      </p>
      ${errorSummary({ problem })} ${problem === null ? doneNotice(query, DONE) : NOTHING}
      ${filters(scope)}
      ${
        'code' in result
          ? NOTHING
          : result.items.length === 0
            ? nothing(mayCreate)
            : html`<ul class="list sheet">
                  ${result.items.map(entry)}
                </ul>
                ${pager(CIRCLES_PATH, query, result.next_cursor)}`
      }
      ${mayCreate ? creation({ ...request, problem: refused }, scope) : NOTHING}`,
    ...(ofAddress === null ? {} : { status: 422 }),
  };
}
