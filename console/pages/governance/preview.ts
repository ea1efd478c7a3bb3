/** What many decisions would make readable by how many, before they are made. It decides nothing. */
import { Refusal } from '../../../domain/errors.ts';
import { isCuratorSomewhere } from '../../../domain/identity/caller.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { readersWords } from '../../design/audience.ts';
import { csrfField, errorSummary, told } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { Problem, ShownPage, ViewerRequest } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { BULK_KIND, carried, QUEUE_PATH } from './asked.ts';
import { BULK_ACTIONS, BULK_PATH, chosenField, chosenIn, whyNot, type BulkAction } from './bulk.ts';
import { cut } from './list.ts';

type Preview = OutputOf<'previewReviews'>;
type Items = OutputOf<'readOutcomes'>['items'];

/** Statements of a preview, as of one request to decide. */
const MOST_PREVIEWED = 100;

const ACTION_WORDS: Readonly<Record<BulkAction, { does: string; asks: string }>> = {
  approve: { does: 'Approve', asks: 'Approve these statements?' },
  reject: { does: 'Reject', asks: 'Reject these statements?' },
  defer: { does: 'Defer until tomorrow:', asks: 'Defer these statements until tomorrow?' },
};

const statements = (count: number): string => (count === 1 ? '1 statement' : `${count} statements`);

function effects({ groups, unchanged }: Preview): Markup {
  return html`<ul>
    ${groups.map(
      (group) =>
        html`<li>
          <strong>${statements(group.statements)}</strong> then read by
          ${readersWords(group, 'somebody')}
        </li>`,
    )}
    ${unchanged === 0 ? NOTHING : html`<li>${statements(unchanged)} still read by the same people as now</li>`}
  </ul>`;
}

function leftOut({ refused }: Preview, items: Items): Markup {
  if (refused.length === 0) return NOTHING;
  const byId = new Map(items.map((item) => [item.id, item]));
  const lines = refused.flatMap(({ code, id }) => {
    const item = byId.get(id);
    return item === undefined
      ? []
      : [
          html`<li>
            ${cut(item.knowledge.statement)} <span class="quiet-text">(${whyNot(code)})</span>
          </li>`,
        ];
  });
  return html`<h2>${statements(refused.length)} left out</h2>
    <ul>
      ${lines}
    </ul>`;
}

function confirmation({ csrf, query }: ViewerRequest, action: BulkAction, decided: Items): Markup {
  if (decided.length === 0) return html`<p>None of them can be decided so.</p>`;
  return html`<form method="post" action="${BULK_PATH}${carried(query)}">
    ${csrfField(csrf)} <input type="hidden" name="action" value="${action}" />
    ${decided.map((item) => html`<input type="hidden" name="${chosenField(item.id)}" value="${item.version}" />`)}
    <button class="${action === 'reject' ? 'danger told' : 'told'}" type="submit">
      ${told(`${ACTION_WORDS[action].does} ${statements(decided.length)}`, 'at once: many decisions together cannot be undone')}
    </button>
  </form>`;
}

function page(request: ViewerRequest, problem: Problem | null, main: Markup): ShownPage {
  return {
    title: 'Many decisions',
    main: html`<p>
        <a href="${QUEUE_PATH}${carried(request.query, { kind: BULK_KIND })}">Back to the list</a>
      </p>
      ${errorSummary({ problem })} ${main}`,
    ...(problem === null ? {} : { status: 422 }),
  };
}

const NOTHING_CHOSEN: Problem = {
  code: 'invalid_request',
  fields: [{ path: 'items', message: 'choose at least one' }],
  retryAfterSeconds: null,
};

/** Shows who could read what afterwards, and each statement once more. */
export async function showPreview(request: ViewerRequest): Promise<ShownPage> {
  if (!isCuratorSomewhere(request.viewer.caller)) throw new Refusal('forbidden');
  const { call, form, query } = request;
  const word = form['action'] ?? query.get('action');
  const action = BULK_ACTIONS.find((one) => one === word);
  const chosen = chosenIn(request).slice(0, MOST_PREVIEWED);
  if (chosen.length === 0 || action === undefined) {
    return page(request, request.problem ?? NOTHING_CHOSEN, html`<h1>Many decisions</h1>`);
  }
  const decisions = chosen.map((choice) => ({ ...choice, action }));
  const preview = await call('previewReviews', { decisions }).catch(asProblem);
  if ('code' in preview) return page(request, preview, html`<h1>Many decisions</h1>`);
  const { items } = await call('readOutcomes', { review_ids: chosen.map(({ id }) => id) });
  const refused = new Set(preview.refused.map(({ id }) => id));
  const versions = new Map(chosen.map(({ id, version }) => [id, version]));
  // In the version that was seen in the list, not in that of now.
  const decided = items.flatMap((item) => {
    const version = versions.get(item.id);
    return refused.has(item.id) || version === undefined ? [] : [{ ...item, version }];
  });
  return page(
    request,
    request.problem,
    html`<h1>${ACTION_WORDS[action].asks}</h1>
      ${effects(preview)} ${confirmation(request, action, decided)}
      <ul class="list sheet">
        ${decided.map((item) => html`<li>${cut(item.knowledge.statement)}</li>`)}
      </ul>
      ${leftOut(preview, items)}`,
  );
}
