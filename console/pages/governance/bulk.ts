/** Many decisions at once: the form around the queue, and what became of each. */
import { invalidField, type RefusalCode } from '../../../domain/errors.ts';
import { isUuid } from '../../../domain/workflow-history/safe-text.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { statementText } from '../../design/elements.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { ITEM_STATE_WORDS } from '../../design/words.ts';
import type { Onward, ViewerRequest } from '../../design/page.ts';
import { carried, QUEUE_PATH } from './asked.ts';

/** A field of this name holds the version of the item that is chosen. */
const FIELD = 'item.';
const MOST_TOLD = 100;

/** The name of the field that chooses the item. */
export const chosenField = (id: string): string => `${FIELD}${id}`;

const WHY_NOT: Readonly<Partial<Record<RefusalCode, string>>> = {
  conflict: 'it has changed since, or its state does not permit this decision',
  forbidden: 'your role does not permit it',
  not_found: 'it no longer waits for you',
  unavailable: 'the time ran out: choose it again',
};

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

const whyNot = (code: string): string =>
  Object.hasOwn(WHY_NOT, code) ? (WHY_NOT[code as RefusalCode] ?? '') : 'it was refused';

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
    <ul>
      ${lines}
    </ul>
  </div>`;
}

/** Takes the form: decides the chosen items, each in the version that was shown. */
export async function takeBulk({ call, form, query }: ViewerRequest): Promise<Onward> {
  const chosen = Object.entries(form).filter(([name]) => name.startsWith(FIELD));
  if (chosen.length === 0) throw invalidField('items', 'choose at least one');
  const { results } = await call('decideReviews', {
    decisions: chosen.map(([name, version]) => ({
      id: name.slice(FIELD.length),
      version: Number(version),
      action: form['action'],
    })),
  });
  return { to: `${QUEUE_PATH}${carried(query, resultsInAddress(results))}` };
}
