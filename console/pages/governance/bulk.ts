/** Many decisions at once: what is chosen in the list, the page that says who could read what, and what became of each. */
import { invalidField, type RefusalCode } from '../../../domain/errors.ts';
import { isUuid } from '../../../domain/workflow-history/safe-text.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { statementText, withQuery } from '../../design/elements.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { ITEM_STATE_WORDS } from '../../design/words.ts';
import type { Onward, ViewRequest, ViewerRequest } from '../../design/page.ts';
import { carried, QUEUE_PATH } from './asked.ts';

/** A field of this name holds the version of the item that is chosen. */
const FIELD = 'item.';
export const BULK_PATH = `${QUEUE_PATH}/bulk`;
const MOST_TOLD = 100;

/** The name of the field that chooses the item. */
export const chosenField = (id: string): string => `${FIELD}${id}`;

/** What may be done with many. */
export const BULK_ACTIONS = ['approve', 'reject', 'defer'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

interface Choice {
  readonly id: string;
  readonly version: number;
}

/** The items that the form or the address chooses. */
export function chosenIn({ form, query }: Pick<ViewRequest, 'form' | 'query'>): readonly Choice[] {
  const fields = [...query.entries(), ...Object.entries(form)];
  const chosen = new Map(
    fields.flatMap(([name, version]): [string, number][] =>
      name.startsWith(FIELD) ? [[name.slice(FIELD.length), Number(version)]] : [],
    ),
  );
  return Array.from(chosen, ([id, version]) => ({ id, version }));
}

/** The form of the list. The boxes of the items name it, since the entries hold forms of their own. */
export function bulkForm(query: ViewRequest['query']): Markup {
  const kept = new URLSearchParams(carried(query, { kind: null }));
  return html`<form id="bulk" method="get" action="${BULK_PATH}">
    ${Array.from(kept, ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
  </form>`;
}

/** Chooses every item of the page, or none. */
export function chooseAll(listed: URLSearchParams): Markup {
  const isAll = listed.get('all') === '1';
  return html`<p class="choose">
    <a data-choose-all="" href="${withQuery(QUEUE_PATH, listed, { all: isAll ? null : '1' })}"
      >${isAll ? 'Choose none' : 'Choose all on this page'}</a
    >
  </p>`;
}

/** They lead to a page that says what they would do. */
export function bulkButtons(): Markup {
  return html`<div class="actions many">
    <button form="bulk" class="quiet" type="submit" name="action" value="approve">
      Approve chosen …
    </button>
    <button form="bulk" class="quiet" type="submit" name="action" value="reject">
      Reject chosen …
    </button>
    <button form="bulk" class="quiet" type="submit" name="action" value="defer">
      Defer chosen …
    </button>
  </div>`;
}

const WHY_NOT: Readonly<Partial<Record<RefusalCode, string>>> = {
  conflict: 'it has changed since, or is to be decided by itself',
  forbidden: 'your role does not permit it',
  not_found: 'it no longer waits for you',
  unavailable: 'the time ran out: choose it again',
};

/** Why one of many was, or would be, left out. */
export const whyNot = (code: string): string =>
  Object.hasOwn(WHY_NOT, code) ? (WHY_NOT[code as RefusalCode] ?? '') : 'it was refused';

type Results = OutputOf<'decideReviews'>['results'];

/** What was decided as parameters of an address: ids and codes, no words. */
export function resultsInAddress(results: Results): Readonly<Record<string, string>> {
  return {
    decided: results.flatMap(({ id, status }) => (status === 'decided' ? [id] : [])).join(','),
    refused: results
      .flatMap(({ code, id, status }) => (status === 'refused' ? [`${id}:${code ?? ''}`] : []))
      .join(','),
  };
}

interface Told {
  readonly id: string;
  /** Null when it was decided. */
  readonly code: string | null;
}

/** The results that the address tells of; whatever else stands there is passed over. */
export function resultsOf(query: URLSearchParams): readonly Told[] {
  const list = (name: string) => (query.get(name) ?? '').split(',').slice(0, MOST_TOLD);
  const told = [
    ...list('decided').map((id) => ({ id, code: null })),
    ...list('refused').map((text) => {
      const [id = '', code = ''] = text.split(':');
      return { id, code };
    }),
  ];
  return told.filter(({ id }) => isUuid(id)).slice(0, MOST_TOLD);
}

/** What became of each item that was decided together. */
export async function bulkResults({ call, query }: ViewerRequest): Promise<Markup> {
  const told = resultsOf(query);
  if (told.length === 0) return NOTHING;
  const { items } = await call('readOutcomes', { review_ids: told.map(({ id }) => id) });
  const byId = new Map(items.map((item) => [item.id, item]));
  const lines = told.flatMap(({ code, id }) => {
    const item = byId.get(id);
    if (item === undefined) return [];
    const words = code === null ? ITEM_STATE_WORDS[item.state] : whyNot(code);
    return [
      html`<li>
        ${code === null ? html`<span class="badge good">Done</span>` : html`<span class="badge bad">Not done</span>`}
        <a href="${QUEUE_PATH}/${id}${carried(query)}"
          >${statementText(item.knowledge.statement)}</a
        >
        <span class="quiet-text">${words}</span>
      </li>`,
    ];
  });
  if (lines.length === 0) return NOTHING;
  const done = told.filter(({ code }) => code === null).length;
  return html`<div class="notice" role="status">
    <p>${done} decided, ${told.length - done} not.</p>
    <details>
      <summary>What became of each</summary>
      <ul>
        ${lines}
      </ul>
    </details>
  </div>`;
}

/** Takes the form of the preview: decides the chosen items, each in the version that was shown. */
export async function takeBulk(request: ViewerRequest): Promise<Onward> {
  const { call, form, query } = request;
  const chosen = chosenIn({ form, query: new URLSearchParams() });
  if (chosen.length === 0) throw invalidField('items', 'choose at least one');
  const action = form['action'];
  const { results } = await call('decideReviews', {
    decisions: chosen.map((choice) => ({ ...choice, action })),
  });
  return { to: `${QUEUE_PATH}${carried(query, resultsInAddress(results))}` };
}
