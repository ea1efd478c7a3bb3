/** What a curator decides about one item. Each form names the version that was seen. */
import type { OutputOf } from '../../../operations/registry.ts';
import { action, choice, csrfField, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { SENSITIVITY_WORDS } from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { carried, QUEUE_PATH } from './asked.ts';

type Review = OutputOf<'readReview'>;

function editForm(request: ViewerRequest, review: Review, way: string): Markup {
  const { csrf, form, problem } = request;
  const sensitivities = Object.entries(SENSITIVITY_WORDS).map(([value, name]) => ({ value, name }));
  return html`<details>
    <summary data-key="e">Reword it</summary>
    <form method="post" action="${QUEUE_PATH}/${review.id}/edit${way}">
      ${csrfField(csrf)}
      <input type="hidden" name="version" value="${review.version}" />
      ${field({ name: 'statement', label: 'New wording', rows: 3, isRequired: true, value: form['statement'] ?? review.knowledge.statement ?? '', hint: 'The whole text, in the third person.' }, problem, review.id)}
      ${choice({ name: 'sensitivity', label: 'Sensitivity', chosen: form['sensitivity'] ?? review.knowledge.sensitivity }, sensitivities, review.id)}
      <button class="quiet" type="submit">Propose the new wording</button>
    </form>
  </details>`;
}

function deferForm({ csrf }: ViewerRequest, review: Review, way: string): Markup {
  if (review.kind === 'contest') return NOTHING;
  return action({
    to: `${QUEUE_PATH}/${review.id}/defer${way}`,
    csrf,
    label: 'Defer until tomorrow',
    hidden: { version: review.version },
    kind: 'quiet',
    key: 'd',
  });
}

/** Approval of a contest says that the statement was right after all, so it is named by what it does. */
export const APPROVE_WORDS: Readonly<Record<Review['kind'], string>> = {
  gate_a_b: 'Approve',
  gate_b: 'Share it more widely',
  revalidation: 'It is still true',
  contest: 'It is true after all',
  conflict: 'This one is true',
};
export const REJECT_WORDS: Readonly<Record<Review['kind'], string>> = {
  gate_a_b: 'Reject',
  gate_b: 'Do not share it',
  revalidation: 'It is no longer true',
  contest: 'It is wrong',
  conflict: 'This one is wrong',
};

/** The forms of an item that is open. `then` is the item that a decision leads on to; null: the list. */
export function reviewForms(request: ViewerRequest, review: Review, then: string | null): Markup {
  const to = `${QUEUE_PATH}/${review.id}`;
  const { csrf, query } = request;
  const hidden = { version: review.version };
  const way = carried(query, then === null ? {} : { onto: then });
  const approve = { to: `${to}/approve${way}`, csrf, hidden, label: APPROVE_WORDS[review.kind] };
  const reject = { to: `${to}/reject${way}`, csrf, hidden, label: REJECT_WORDS[review.kind] };
  return html`<div class="actions">
      ${action({ ...approve, key: 'a' })} ${action({ ...reject, kind: 'danger', key: 'r' })}
      ${deferForm(request, review, way)}
    </div>
    ${editForm(request, review, way)}`;
}
