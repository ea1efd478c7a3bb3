/** What people asked to be forgotten, in the scopes that the viewer curates: without its words. */
import { dueWords, empty, pager, timeOf } from '../../design/elements.ts';
import { errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ShownPage, ViewerRequest } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { asker, FORGETTING_PATH, whatHolds, valueCount, type ShownHold } from './words.ts';

const PAGE_SIZE = 25;

function entry(hold: ShownHold, now: Date): Markup {
  const { due_at: due, id, opened_at: opened, scope_path: scope, state } = hold;
  return html`<li>
    <a class="title" href="${FORGETTING_PATH}/${id}"
      >${written(asker(hold))} asked to forget something</a
    >
    <p>${whatHolds(hold)}</p>
    <p class="meta">
      <span>${valueCount(hold.value_count)}</span> <span>in ${written(scope)} and below</span>
      <span>asked ${timeOf(opened)}</span>
      ${state === 'open' ? html`<span>${dueWords(due, now)}</span>` : NOTHING}
    </p>
  </li>`;
}

function filters(scope: string, state: string): Markup {
  return html`<form
    class="sheet filters"
    method="get"
    action="${FORGETTING_PATH}"
    aria-label="Requests to forget"
  >
    ${field({ name: 'scope', label: 'Scope and below', value: scope })}
    <input type="hidden" name="state" value="${state}" />
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

/** Shows the requests that wait, or all. */
export async function showRequests({ call, now, query }: ViewerRequest): Promise<ShownPage> {
  const scope = (query.get('scope') ?? '').trim();
  const all = query.get('state') === 'all';
  const result = await call('listHolds', {
    scope_path: scope === '' ? null : scope,
    state: all ? null : 'open',
    limit: PAGE_SIZE,
    cursor: query.get('cursor'),
  }).catch(asProblem);
  const problem = 'code' in result ? result : null;
  const list =
    'code' in result
      ? NOTHING
      : result.items.length === 0
        ? empty('Nothing waits here', 'Nobody waits for a decision about a request to forget.')
        : html`<ul class="list sheet">
              ${result.items.map((hold) => entry(hold, now))}
            </ul>
            ${pager(FORGETTING_PATH, query, result.next_cursor)}`;
  return {
    title: 'Requests to forget',
    main: html`<p><a href="/governance">Decisions</a></p>
      <h1>Requests to forget</h1>
      <p class="lead">
        What people asked to be forgotten. You see what it is when you open a request, and the
        service records who looks.
      </p>
      ${errorSummary({ problem })} ${filters(scope, all ? 'all' : 'open')}
      <p>
        ${
          all
            ? html`<a href="${FORGETTING_PATH}">Only those that wait</a>`
            : html`<a href="${FORGETTING_PATH}?state=all">Those that were decided, too</a>`
        }
      </p>
      ${list}`,
    ...(problem === null ? {} : { status: 422 }),
  };
}
