/** Small parts that pages share: badges, times, statements in lists, empty lists, pages of lists. */
import type { KnowledgeState } from '../../domain/statements/states.ts';
import { aboutOf, readersOf, readersWords, type ReadStatement } from './audience.ts';
import { html, NOTHING, written, type Markup } from './markup.ts';
import { STATE_WORDS } from './words.ts';

const STATE_KINDS: Readonly<Record<KnowledgeState, 'good' | 'wait' | 'bad' | 'plain'>> = {
  proposed: 'wait',
  provisional: 'wait',
  held: 'wait',
  active: 'good',
  needs_revalidation: 'wait',
  stale: 'plain',
  contested: 'bad',
  superseded: 'plain',
  expired: 'plain',
  rejected: 'bad',
  redacted: 'plain',
  retracted: 'plain',
};

/** The state of a statement as a badge; its colour says nothing that its words do not say. */
export function stateBadge(state: KnowledgeState): Markup {
  return html`<span class="badge ${STATE_KINDS[state]}">${STATE_WORDS[state].name}</span>`;
}

const TWO_DIGITS = 2;
const two = (n: number): string => String(n).padStart(TWO_DIGITS, '0');

/** A point of time: UTC from the server; the script shows the reader's zone. */
export function timeOf(iso: string): Markup {
  const at = new Date(iso);
  const day = at.toISOString().slice(0, 'yyyy-mm-dd'.length);
  const text = `${day} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;
  return html`<time datetime="${at.toISOString()}" data-local="">${text}</time>`;
}

const MINUTE_MS = 60_000;
const SPANS = [
  { name: 'day', ms: 1_440 * MINUTE_MS },
  { name: 'hour', ms: 60 * MINUTE_MS },
  { name: 'minute', ms: MINUTE_MS },
] as const;

/** A length of time in its largest unit: `3 days`. */
function spanWords(ms: number): string {
  const span = SPANS.find((one) => ms >= one.ms);
  if (span === undefined) return 'a moment';
  const count = Math.floor(ms / span.ms);
  return `${count} ${span.name}${count === 1 ? '' : 's'}`;
}

/** How long ago it was. */
export function ageWords(iso: string, now: Date): string {
  return spanWords(now.getTime() - Date.parse(iso));
}

/** How long is left until then, or how long that is over. */
export function dueWords(iso: string, now: Date): string {
  const left = Date.parse(iso) - now.getTime();
  return left >= 0 ? `due in ${spanWords(left)}` : `overdue by ${spanWords(-left)}`;
}

/** A share of one in hundredths. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}\u00A0%`;
}

export interface ListedStatement {
  readonly id: string;
  readonly statement: string | null;
  readonly state: KnowledgeState;
  readonly confidence: number;
  readonly recorded_at: string;
  readonly scope_path: string;
}

/** The words of a statement, or that they are gone. */
export function statementText(statement: string | null): Markup {
  return statement === null
    ? html`<span class="quiet-text">The service removed its text.</span>`
    : written(statement);
}

/** A statement as an entry of a list, with who reads it. `viewerPeerId` is who looks. */
export function readEntry(
  row: ListedStatement & ReadStatement,
  viewerPeerId: string | null,
): Markup {
  const about = aboutOf(row, viewerPeerId);
  return statementEntry(row, html`<span>read by ${readersWords(readersOf(row), about)}</span>`);
}

/** A statement as an entry of a list. `beside` is further markup of the entry. */
export function statementEntry(row: ListedStatement, beside: Markup = NOTHING): Markup {
  return html`<li>
    <a class="title" href="/console/knowledge/${row.id}">${statementText(row.statement)}</a>
    <p class="meta">
      ${stateBadge(row.state)} <span>${percent(row.confidence)} sure</span>
      <span>in ${written(row.scope_path)}</span>
      <span>recorded ${timeOf(row.recorded_at)}</span> ${beside}
    </p>
  </li>`;
}

/** The text of a list without entries: why it is empty, and what to do next. */
export function empty(title: string, next: Markup | string): Markup {
  return html`<div class="sheet empty">
    <h2>${title}</h2>
    <p>${next}</p>
  </div>`;
}

/** The address with some parameters of its query set anew; null takes one away. */
export function withQuery(
  path: string,
  query: URLSearchParams,
  changes: Readonly<Record<string, string | null>>,
): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Links to the first and the next page of a list. */
export function pager(path: string, query: URLSearchParams, nextCursor: string | null): Markup {
  const isFirst = !query.has('cursor');
  if (isFirst && nextCursor === null) return NOTHING;
  return html`<nav class="actions" aria-label="Pages of the list">
    ${isFirst ? NOTHING : html`<a class="button quiet" href="${withQuery(path, query, { cursor: null })}">First page</a>`}
    ${nextCursor === null ? html`<p class="quiet-text">This is the end of the list.</p>` : html`<a class="button quiet" rel="next" href="${withQuery(path, query, { cursor: nextCursor })}">Next page</a>`}
  </nav>`;
}

/**
 * The notice of a form's effect, on the page with `?done=…` that the form led to. It shows only words of the page's own
 * list.
 */
export function doneNotice(
  query: URLSearchParams,
  words: Readonly<Record<string, string>>,
): Markup {
  const done = query.get('done') ?? '';
  if (!Object.hasOwn(words, done)) return NOTHING;
  return html`<div class="notice" role="status"><p>${words[done]}</p></div>`;
}
