/** The list of a tab: two lines for each item, with only what tells it from the others; those of one talk stand together. */
import { excerptOf } from '../../../domain/text/excerpt.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { ageWords, dueWords, pager, statementText, timeOf } from '../../design/elements.ts';
import { attributes, html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { BULK_KIND, carried, carriedHere, numberOf, QUEUE_PATH, walkAt } from './asked.ts';
import { bulkButtons, bulkForm, chooseAll, chosenField } from './bulk.ts';
import { DID_WORDS, undoForm, whoWords } from './undo.ts';

export type Item = OutputOf<'listReviews'>['items'][number];

/** Grapheme clusters of a statement in the list. */
const LONGEST_TITLE = 160;

/** Items that came up in one conversation about one person, or alone. */
interface Group {
  readonly items: Item[];
}

/** The page in groups, each where its first item stood. */
export function groupsOf(items: readonly Item[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const key = JSON.stringify([item.subject?.key ?? null, item.session_id]);
    const group = groups.get(key) ?? { items: [] };
    group.items.push(item);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The items in the order in which the list shows them. */
export function inOrder(items: readonly Item[]): readonly Item[] {
  return groupsOf(items).flatMap((group) => group.items);
}

/** Whom the statement is about, in a word or two. */
export function personOf({ knowledge, subject }: Item): Markup {
  if (subject !== null) return written(subject.name);
  return knowledge.subject_peer_id === null
    ? html`about ${written(knowledge.scope_path)}`
    : html`about a person`;
}

const STATES: Readonly<Partial<Record<Item['state'], string>>> = {
  escalated: 'administrators see it too',
  awaiting_consent: 'waits for consent',
  deferred: 'deferred',
};

/** What is shown of an item beside its statement. */
interface Beside {
  readonly request: ViewerRequest;
  readonly isGrouped: boolean;
  /** The scope that most of the page is of: only another one is named. */
  readonly usualScope: string | null;
}

function secondLine(item: Item, { isGrouped, request, usualScope }: Beside): Markup {
  const { now } = request;
  if (item.scheduled !== null) {
    const { action, decided_by: by } = item.scheduled;
    return html`<div class="meta">
      <span class="badge wait">${DID_WORDS[action] ?? action} by ${whoWords(by, request)}</span>
      ${undoForm(request, item.id, 'list')}
    </div>`;
  }
  const { scope_path: scope } = item.knowledge;
  const parts = [
    ...(isGrouped ? [] : [personOf(item)]),
    ...(scope === usualScope ? [] : [html`in ${written(scope)}`]),
    html`${ageWords(item.opened_at, now)} old`,
    html`${dueWords(item.due_at, now)}`,
    ...(STATES[item.state] === undefined ? [] : [html`${STATES[item.state]}`]),
    ...(item.voided === null ? [] : [html`a decision was not carried out`]),
  ];
  return html`<p class="meta">
    ${parts.map((part, at) => html`${at === 0 ? '' : ' · '}${part}`)}
  </p>`;
}

export const cut = (statement: string | null): Markup =>
  statementText(statement === null ? null : excerptOf(statement, LONGEST_TITLE));

interface Listed extends Beside {
  readonly openId: string | null;
  readonly placeOf: (item: Item) => string;
}

function box(item: Item, { query }: ViewerRequest): Markup {
  if (item.kind !== BULK_KIND || item.scheduled !== null) return NOTHING;
  return html`<input
    type="checkbox"
    form="bulk"
    name="${chosenField(item.id)}"
    value="${item.version}"
    aria-labelledby="item-${item.id}"
    ${attributes({ checked: query.get('all') === '1' })}
  />`;
}

function entry(item: Item, of: Listed): Markup {
  const { openId, placeOf, request } = of;
  const isOpen = item.id === openId;
  const to = `${QUEUE_PATH}/${item.id}${carriedHere(request.query, { kind: null, walk: placeOf(item) })}`;
  return html`<li class="${isOpen ? 'entry open' : 'entry'}">
    ${box(item, request)}
    <div>
      <a
        class="title"
        id="item-${item.id}"
        href="${to}"
        ${attributes({ 'aria-current': isOpen ? 'true' : null })}
        >${cut(item.knowledge.statement)}</a
      >
      ${secondLine(item, of)}
    </div>
  </li>`;
}

function groupEntry({ items }: Group, of: Listed): Markup {
  const [first] = items;
  if (first === undefined) return NOTHING;
  if (items.length === 1) return entry(first, { ...of, isGrouped: false });
  const talk = first.session_id === null ? 'from documents' : 'in one conversation';
  return html`<li class="group">
    <p>${personOf(first)} <span class="quiet-text">${items.length} ${talk}</span></p>
    <ul class="list">
      ${items.map((item) => entry(item, { ...of, isGrouped: true }))}
    </ul>
  </li>`;
}

/** The text that stands there most often; null where there is none. */
function mostCommon(texts: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  return first?.[0] ?? null;
}

/** The list, with what may be done with many of it; `total` is how many the tab has, if that is known. */
export function itemList(
  request: ViewerRequest,
  page: { readonly items: readonly Item[]; readonly next_cursor: string | null },
  { openId, total }: { readonly openId: string | null; readonly total: number | null },
): Markup {
  const { query } = request;
  const before = numberOf(query, 'before');
  const nth = new Map(inOrder(page.items).map((item, at) => [item.id, before + at + 1]));
  const of: Listed = {
    request,
    openId,
    isGrouped: false,
    usualScope: mostCommon(page.items.map(({ knowledge }) => knowledge.scope_path)),
    placeOf: (item) => walkAt({ nth: nth.get(item.id) ?? 1, total }),
  };
  const isBulk = page.items.some((item) => item.kind === BULK_KIND);
  const [kind] = page.items.map((item) => item.kind);
  const listed = new URLSearchParams(carriedHere(query, kind === undefined ? {} : { kind }));
  const next = new URLSearchParams(listed);
  next.set('before', String(before + page.items.length));
  return html`${isBulk ? html`${bulkForm(query)} ${chooseAll(listed)}` : NOTHING}
    <ul class="list sheet items">
      ${groupsOf(page.items).map((group) => groupEntry(group, of))}
    </ul>
    ${isBulk ? bulkButtons() : NOTHING}
    ${pager(QUEUE_PATH, page.next_cursor === null ? listed : next, page.next_cursor)}`;
}

/** An item as an entry of a short list elsewhere. */
export function itemEntry(item: Item, now: Date): Markup {
  return html`<li>
    <a class="title" href="${QUEUE_PATH}/${item.id}${carried(new URLSearchParams())}"
      >${cut(item.knowledge.statement)}</a
    >
    <p class="meta">
      <span>${personOf(item)}</span> <span>${ageWords(item.opened_at, now)} old</span>
      <span>due ${timeOf(item.due_at)}</span>
    </p>
  </li>`;
}
