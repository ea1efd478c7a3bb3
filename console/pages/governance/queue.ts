/** The queue of the viewer as curator: filters in the address, what is due first at the top, decisions about many at once. */
import { audiencesOf } from '../../../domain/governance/audience.ts';
import { ITEM_KINDS, OPEN_ITEM_STATES } from '../../../domain/governance/items.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import {
  doneNotice,
  empty,
  pager,
  stateBadge,
  statementText,
  timeOf,
  withQuery,
} from '../../design/elements.ts';
import { choice, csrfField, errorSummary, field } from '../../design/forms.ts';
import { attributes, html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { aboutOf, readersWords } from '../../design/audience.ts';
import { ITEM_STATE_WORDS, ITEM_WORDS } from '../../design/words.ts';
import type { ViewerRequest, ShownPage } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { asked, carried, DONE, given, keysAreOn, PAGE_SIZE, QUEUE_PATH } from './asked.ts';
import { bulkResults, chosenField } from './bulk.ts';
import { keyLegend, QUEUE_KEYS } from './keys.ts';
import { reasonWords } from '../reasons.ts';

function filters(query: URLSearchParams): Markup {
  const any = { value: '', name: 'All' };
  return html`<form
    class="sheet filters dense"
    method="get"
    action="${QUEUE_PATH}"
    aria-label="Queue"
  >
    ${field({ name: 'scope', label: 'Scope and below', value: given(query, 'scope') ?? '/' })}
    ${choice({ name: 'kind', label: 'Question', chosen: given(query, 'kind') ?? '' }, [any, ...ITEM_KINDS.map((kind) => ({ value: kind, name: ITEM_WORDS[kind] }))])}
    ${choice({ name: 'state', label: 'State', chosen: given(query, 'state') ?? '' }, [any, ...OPEN_ITEM_STATES.map((state) => ({ value: state, name: ITEM_STATE_WORDS[state] }))])}
    ${field({ name: 'subject', label: 'About the person', value: given(query, 'subject') ?? '' })}
    ${choice({ name: 'order', label: 'Order', chosen: given(query, 'order') ?? 'due' }, [
      { value: 'due', name: 'Due first' },
      { value: 'newest', name: 'Newest first' },
    ])}
    ${keysAreOn(query) ? NOTHING : html`<input type="hidden" name="keys" value="off" />`}
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

type Item = OutputOf<'listReviews'>['items'][number];

function meta({ due_at: due, kind, knowledge, reason, state }: Item): Markup {
  return html`<p class="meta">
    ${stateBadge(knowledge.state)} <span>${ITEM_WORDS[kind]}</span>
    <span>${ITEM_STATE_WORDS[state]}: ${reasonWords(reason)}</span>
    <span>in ${written(knowledge.scope_path)}</span> <span>due ${timeOf(due)}</span>
  </p>`;
}

/** An item as an entry of a list. */
export function itemEntry(item: Item): Markup {
  return html`<li>
    <a class="title" href="${QUEUE_PATH}/${item.id}">${statementText(item.knowledge.statement)}</a>
    ${meta(item)}
  </li>`;
}

/** What approval means, which is not the same for each question. */
const APPROVED: Readonly<Record<Item['kind'], string>> = {
  gate_a_b: 'After approval these people see it',
  gate_b: 'After approval it is shared with',
  revalidation: 'After approval it is still believed, for',
  contest: 'After approval the contest is dismissed, and these people see it',
  conflict: 'After approval this statement is believed, for',
};

/** What its approval makes visible to whom. */
function approvalOf(item: Item): Markup {
  const { after } = audiencesOf(item);
  return html`<p class="after">
    ${APPROVED[item.kind]}: ${readersWords(after, aboutOf(item.knowledge))}
  </p>`;
}

function chosenEntry(item: Item, { form, query }: ViewerRequest): Markup {
  const name = chosenField(item.id);
  const isChosen = query.get('all') === '1' || form[name] !== undefined;
  return html`<li class="pick">
    <input
      type="checkbox"
      id="pick-${item.id}"
      name="${name}"
      value="${item.version}"
      aria-labelledby="item-${item.id}"
      ${attributes({ checked: isChosen })}
    />
    <div>
      <a class="title" id="item-${item.id}" href="${QUEUE_PATH}/${item.id}${carried(query)}"
        >${statementText(item.knowledge.statement)}</a
      >
      ${meta(item)} ${approvalOf(item)}
    </div>
  </li>`;
}

function decideButtons(): Markup {
  return html`<div class="actions">
    <button type="submit" name="action" value="approve" data-key="a">
      Approve the chosen items
    </button>
    <button class="danger" type="submit" name="action" value="reject" data-key="r">
      Reject the chosen items
    </button>
    <button class="quiet" type="submit" name="action" value="defer" data-key="d">
      Defer the chosen items until tomorrow
    </button>
  </div>`;
}

function list(request: ViewerRequest, page: OutputOf<'listReviews'>): Markup {
  const { csrf, query } = request;
  const listed = new URLSearchParams(carried(query));
  const cursor = given(query, 'cursor');
  if (cursor !== null) listed.set('cursor', cursor);
  const [first] = page.items;
  if (first === undefined) {
    return page.next_cursor === null
      ? empty(
          'Nothing waits here',
          'No item in the scopes that you curate fits these filters. Choose other filters, or come back later.',
        )
      : html`${empty('Nothing so far', 'No item on this page fits these filters. The next page may have some.')}
        ${pager(QUEUE_PATH, listed, page.next_cursor)}`;
  }
  const isAll = query.get('all') === '1';
  return html`<p class="actions">
      <a class="button" href="${QUEUE_PATH}/${first.id}${carried(query, { walk: '1' })}"
        >Decide the items one by one</a
      >
      <a
        class="button quiet"
        data-choose-all=""
        href="${withQuery(QUEUE_PATH, listed, { all: isAll ? null : '1' })}"
        >${isAll ? 'Choose none' : 'Choose all on this page'}</a
      >
    </p>
    ${keyLegend({ path: QUEUE_PATH, query }, QUEUE_KEYS)}
    <form method="post" action="${QUEUE_PATH}/bulk${carried(query)}" data-items="">
      ${csrfField(csrf)}
      <ul class="list sheet">
        ${page.items.map((item) => chosenEntry(item, request))}
      </ul>
      ${decideButtons()}
    </form>
    ${pager(QUEUE_PATH, listed, page.next_cursor)}`;
}

/** Shows the queue, and above it what was decided. */
export async function showQueue(request: ViewerRequest): Promise<ShownPage> {
  const { call, query } = request;
  const cursor = given(query, 'cursor');
  const result = await call('listReviews', {
    ...asked(query),
    cursor,
    limit: PAGE_SIZE,
  }).catch(asProblem);
  const problem = 'code' in result ? result : request.problem;
  return {
    title: 'Decisions',
    main: html`<h1>Items that wait for a decision</h1>
      <p class="lead">
        You see the items of the scopes that you curate. You can also
        <a href="/console/skills/write">write skill cards</a>.
      </p>
      ${errorSummary({ problem })}
      ${problem === null ? html`${doneNotice(query, DONE)} ${await bulkResults(request)}` : NOTHING}
      ${filters(query)} ${'code' in result ? NOTHING : list(request, result)}`,
    ...('code' in result ? { status: 422 } : {}),
  };
}
