/**
 * The desk of a curator: the tabs, the list of one of them, and beside it an item. On a narrow screen it is two pages: the
 * style sheet leaves the item out of the one and the list out of the other.
 */
import { OPEN_ITEM_STATES, type ItemKind } from '../../../domain/governance/items.ts';
import { Refusal } from '../../../domain/errors.ts';
import { empty, pager } from '../../design/elements.ts';
import { choice, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { ITEM_STATE_WORDS } from '../../design/words.ts';
import type { Problem, ShownPage, ViewerRequest } from '../../design/page.ts';
import { asProblem, idIn } from '../refused.ts';
import {
  asked,
  given,
  keysAreOn,
  numberOf,
  PAGE_SIZE,
  placeIn,
  QUEUE_PATH,
  TABS,
  type WalkPlace,
} from './asked.ts';
import { bulkResults } from './bulk.ts';
import type { Review } from './evidence.ts';
import { itemView, type Step, type ItemWalk } from './item.ts';
import { inOrder, itemList, type Item } from './list.ts';
import { firstTab, tabs, waitingOf, type Summary } from './tabs.ts';
import { decisionNotice, isLateUndo, LATE_UNDO } from './undo.ts';

/** One page of one tab. */
interface Listed {
  readonly kind: ItemKind;
  /** In the order in which they are shown. */
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
  readonly total: number | null;
}

const FILTERS = ['scope', 'state', 'subject', 'order'] as const;

function filters(query: URLSearchParams, kind: ItemKind): Markup {
  const any = { value: '', name: 'All' };
  const used = FILTERS.filter((name) => given(query, name) !== null).length;
  return html`<details class="filter">
    <summary>${used === 0 ? 'Filters' : `Filters (${used} in use)`}</summary>
    <form class="filters dense" method="get" action="${QUEUE_PATH}" aria-label="Queue">
      <input type="hidden" name="kind" value="${kind}" />
      ${field({ name: 'scope', label: 'Scope and below', value: given(query, 'scope') ?? '/' })}
      ${choice({ name: 'state', label: 'State', chosen: given(query, 'state') ?? '' }, [any, ...OPEN_ITEM_STATES.map((state) => ({ value: state, name: ITEM_STATE_WORDS[state] }))])}
      ${field({ name: 'subject', label: 'About the person', value: given(query, 'subject') ?? '' })}
      ${choice({ name: 'order', label: 'Order', chosen: given(query, 'order') ?? 'due' }, [
        { value: 'due', name: 'Due first' },
        { value: 'newest', name: 'Newest first' },
      ])}
      ${keysAreOn(query) ? NOTHING : html`<input type="hidden" name="keys" value="off" />`}
      <div class="send"><button type="submit">Show</button></div>
    </form>
  </details>`;
}

/** How many the tab has, where nothing but the scope narrows the list. */
function totalOf(query: URLSearchParams, summary: Summary, kind: ItemKind): number | null {
  const isNarrowed = given(query, 'state') !== null || given(query, 'subject') !== null;
  const waiting = waitingOf(summary, kind);
  return isNarrowed || waiting === null || waiting.is_capped ? null : waiting.count;
}

/** The page of the tab. `asks` is the kind as the address has it, which may be none that there is. */
async function listOf(
  { call, query }: ViewerRequest,
  kind: ItemKind,
  asks: string = kind,
): Promise<Omit<Listed, 'total'>> {
  const page = await call('listReviews', {
    ...asked(query),
    kind: asks,
    cursor: given(query, 'cursor'),
    limit: PAGE_SIZE,
  });
  return { kind, next_cursor: page.next_cursor, items: inOrder(page.items) };
}

const HERE = {};

/** The item that follows one of the page: the next of the page that nobody has decided, or the first of the next page. */
async function nextOf(
  { call, query }: ViewerRequest,
  { items, kind, next_cursor: cursor }: Listed,
  at: number,
): Promise<Step | null> {
  const next = items.slice(at + 1).find((item) => item.scheduled === null);
  if (next !== undefined) return { id: next.id, here: HERE };
  if (cursor === null) return null;
  const page = await call('listReviews', { ...asked(query), kind, cursor, limit: 1 });
  const [first] = page.items;
  const before = String(numberOf(query, 'before') + items.length);
  return first === undefined ? null : { id: first.id, here: { cursor, before } };
}

async function walkOf(request: ViewerRequest, listed: Listed, id: string): Promise<ItemWalk> {
  const { items, total } = listed;
  const at = items.findIndex((item) => item.id === id);
  const nth = numberOf(request.query, 'before') + at + 1;
  const inList: WalkPlace | null = at === -1 ? null : { nth, total };
  const previous = items[at - 1];
  return {
    place: placeIn(request.query) ?? inList,
    next: await nextOf(request, listed, at),
    previous: previous === undefined ? null : { id: previous.id, here: HERE },
  };
}

/** The words above the list of who may decide nothing, and of an end. */
function emptyTab({ query }: ViewerRequest, { kind, next_cursor: next }: Listed): Markup {
  if (next === null) {
    return empty(
      'Nothing waits here',
      'No question of this kind waits in the scopes that you curate. Look at another tab, or change the filters.',
    );
  }
  return html`${empty('Nothing so far', 'No item on this page fits these filters. The next page may have some.')}
  ${pager(QUEUE_PATH, new URLSearchParams([...query, ['kind', kind]]), next)}`;
}

interface Shown {
  readonly page: 'list' | 'item';
  readonly summary: Summary;
  readonly listed: Omit<Listed, 'total'> | null;
  readonly review: Review | null;
  readonly problem: Problem | null;
}

function listPart(request: ViewerRequest, listed: Listed, openId: string | null): Markup {
  return listed.items.length === 0
    ? emptyTab(request, listed)
    : itemList(request, listed, { openId, total: listed.total });
}

async function desk(request: ViewerRequest, shown: Shown): Promise<ShownPage> {
  const { page, problem, review, summary } = shown;
  const kind = shown.listed?.kind ?? review?.kind ?? firstTab(summary);
  const total = totalOf(request.query, summary, kind);
  const listed = shown.listed === null ? null : { ...shown.listed, total };
  const walk =
    review === null || listed === null ? NO_WALK : await walkOf(request, listed, review.id);
  const list = listed === null ? NOTHING : listPart(request, listed, review?.id ?? null);
  return {
    title: 'Decisions',
    main: html`<div class="desk of-${page}">
      <div class="desk-head">
        <h1>Decisions</h1>
        ${tabs(request, summary, kind)}
      </div>
      <div class="told-above">
        ${isLateUndo(request) ? LATE_UNDO : errorSummary({ problem })}
        ${problem === null ? html`${await decisionNotice(request)} ${await bulkResults(request)}` : NOTHING}
      </div>
      <div class="queue">${filters(request.query, kind)} ${list}</div>
      <div class="beside">${review === null ? NOTHING : await itemView(request, review, walk)}</div>
    </div>`,
  };
}

const NO_SUMMARY: Summary = [];
const NO_WALK: ItemWalk = { place: null, next: null, previous: null };

/** The item, unless it went since it was listed. */
async function reviewOf({ call }: ViewerRequest, id: string): Promise<Review | null> {
  try {
    return await call('readReview', { review_id: id });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
    return null;
  }
}

async function summaryOf({ call, query }: ViewerRequest): Promise<Summary> {
  const { kinds } = await call('summarizeReviews', { scope_path: given(query, 'scope') });
  return kinds;
}

/** Shows the list of a tab, and its first item beside it. */
export async function showQueue(request: ViewerRequest): Promise<ShownPage> {
  const asks = given(request.query, 'kind');
  const named = TABS.find((tab) => tab.kind === asks)?.kind;
  // One does not wait for the other where the address names a tab.
  const [summary, early] = await Promise.all([
    summaryOf(request).catch(asProblem),
    named === undefined ? null : listOf(request, named).catch(asProblem),
  ]);
  if ('code' in summary) {
    const shown = { page: 'list', summary: NO_SUMMARY, listed: null, review: null } as const;
    return { ...(await desk(request, { ...shown, problem: summary })), status: 422 };
  }
  const kind = firstTab(summary);
  const listed = early ?? (await listOf(request, kind, asks ?? kind).catch(asProblem));
  if ('code' in listed) {
    const shown = { page: 'list', summary, listed: null, review: null } as const;
    return { ...(await desk(request, { ...shown, problem: listed })), status: 422 };
  }
  const first = listed.items.find((item) => item.scheduled === null) ?? listed.items[0];
  const review = first === undefined ? null : await reviewOf(request, first.id);
  return desk(request, { page: 'list', summary, listed, review, problem: request.problem });
}

/** Shows the item, beside the list of its tab. The look is recorded. */
export async function showItem(request: ViewerRequest): Promise<ShownPage> {
  const review = await request.call('readReview', { review_id: idIn(request.params) });
  // Filters of an address that somebody wrote by hand: the item itself is shown all the same.
  const [summary, listed] = await Promise.all([
    summaryOf(request).catch(asProblem),
    listOf(request, review.kind).catch(asProblem),
  ]);
  const known = 'code' in summary ? [] : summary;
  return desk(request, {
    page: 'item',
    summary: known,
    listed: 'code' in listed ? null : listed,
    review,
    problem: request.problem,
  });
}
