/** The queue of the viewer as curator: filters in the address, what is due first at the top. */
import { ITEM_KINDS, OPEN_ITEM_STATES } from '../../../domain/governance/items.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import {
  doneNotice,
  empty,
  pager,
  stateBadge,
  statementText,
  timeOf,
} from '../../design/elements.ts';
import { choice, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { ITEM_STATE_WORDS, ITEM_WORDS } from '../../design/words.ts';
import type { ViewerRequest, ShownPage } from '../../page.ts';
import { asProblem } from '../refused.ts';

export const QUEUE_PATH = '/governance';
const PAGE_SIZE = 25;

const DONE = {
  approved: 'You have approved it.',
  rejected: 'You have rejected it.',
  deferred: 'It waits until tomorrow.',
  edited: 'The new wording is proposed. It keeps the sources of the old one.',
} as const;

const given = (query: URLSearchParams, name: string): string | null => {
  const text = (query.get(name) ?? '').trim();
  return text === '' ? null : text;
};

function filters(query: URLSearchParams): Markup {
  const any = { value: '', name: 'All' };
  return html`<form class="sheet filters" method="get" action="${QUEUE_PATH}" aria-label="Queue">
    ${field({ name: 'scope', label: 'Scope and below', value: given(query, 'scope') ?? '/' })}
    ${choice({ name: 'kind', label: 'Question', chosen: given(query, 'kind') ?? '' }, [any, ...ITEM_KINDS.map((kind) => ({ value: kind, name: ITEM_WORDS[kind] }))])}
    ${choice({ name: 'state', label: 'It', chosen: given(query, 'state') ?? '' }, [any, ...OPEN_ITEM_STATES.map((state) => ({ value: state, name: ITEM_STATE_WORDS[state] }))])}
    ${choice({ name: 'order', label: 'Order', chosen: given(query, 'order') ?? 'due' }, [
      { value: 'due', name: 'Due first' },
      { value: 'newest', name: 'Newest first' },
    ])}
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

type Item = OutputOf<'listReviews'>['items'][number];

/** An item as an entry of a list. */
export function itemEntry({ due_at: due, id, kind, knowledge, state }: Item): Markup {
  return html`<li>
    <a class="title" href="${QUEUE_PATH}/${id}">${statementText(knowledge.statement)}</a>
    <p class="meta">
      ${stateBadge(knowledge.state)} <span>${ITEM_WORDS[kind]}</span>
      <span>${ITEM_STATE_WORDS[state]}</span> <span>in ${written(knowledge.scope_path)}</span>
      <span>due ${timeOf(due)}</span>
    </p>
  </li>`;
}

/** Shows the queue, and above it what was decided. */
export async function showQueue(request: ViewerRequest): Promise<ShownPage> {
  const { query } = request;
  const asked = {
    scope_path: given(query, 'scope'),
    kind: given(query, 'kind'),
    state: given(query, 'state'),
    order: given(query, 'order'),
    cursor: given(query, 'cursor'),
    limit: PAGE_SIZE,
  };
  const result = await request.call('listReviews', asked).catch(asProblem);
  const problem = 'code' in result ? result : null;
  return {
    title: 'Decisions',
    main: html`<h1>What waits for a decision</h1>
      ${errorSummary({ problem })} ${problem === null ? doneNotice(query, DONE) : NOTHING}
      ${filters(query)}
      ${
        'code' in result
          ? NOTHING
          : result.items.length === 0
            ? empty(
                'Nothing waits here',
                'Nothing in the scopes that you curate fits these filters. Choose others, or come back later.',
              )
            : html`<ul class="list sheet">
                  ${result.items.map(itemEntry)}
                </ul>
                ${pager(QUEUE_PATH, query, result.next_cursor)}`
      }`,
    ...(problem === null ? {} : { status: 422 }),
  };
}
