/** What a curator decides about one item. Each form names the version that was seen. */
import type { OutputOf } from '../../../operations/registry.ts';
import { action, choice, csrfField, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { SENSITIVITY_WORDS } from '../../design/words.ts';
import type { ViewerRequest } from '../../page.ts';

type Review = OutputOf<'readReview'>;

function editForm(request: ViewerRequest, review: Review): Markup {
  const { csrf, form, problem } = request;
  const sensitivities = Object.entries(SENSITIVITY_WORDS).map(([value, name]) => ({ value, name }));
  return html`<details>
    <summary>Put it into other words</summary>
    <form method="post" action="/governance/${review.id}/edit">
      ${csrfField(csrf)}
      <input type="hidden" name="version" value="${review.version}" />
      ${field({ name: 'statement', label: 'New wording', rows: 3, isRequired: true, value: form['statement'] ?? review.knowledge.statement ?? '', hint: 'The whole text, in the third person.' }, problem, review.id)}
      ${choice({ name: 'sensitivity', label: 'Sensitivity', chosen: form['sensitivity'] ?? review.knowledge.sensitivity }, sensitivities, review.id)}
      <button class="quiet" type="submit">Propose the new wording</button>
    </form>
  </details>`;
}

function deferForm({ csrf }: ViewerRequest, review: Review): Markup {
  if (review.kind === 'contest') return NOTHING;
  return action({
    to: `/governance/${review.id}/defer`,
    csrf,
    label: 'Decide tomorrow',
    hidden: { version: review.version },
    kind: 'quiet',
  });
}

/** Approval of a contest says that the statement was right after all, so it is named by what it does. */
const APPROVE: Readonly<Record<Review['kind'], string>> = {
  gate_a_b: 'Approve',
  gate_b: 'Approve the wider place',
  revalidation: 'It still holds',
  contest: 'It stands: dismiss the contest',
  conflict: 'This one is right',
};
const REJECT: Readonly<Record<Review['kind'], string>> = {
  gate_a_b: 'Reject',
  gate_b: 'Leave it where it is',
  revalidation: 'It does not hold any more',
  contest: 'It is wrong: uphold the contest',
  conflict: 'This one is not right',
};

/** The forms of an item that is open. */
export function reviewForms(request: ViewerRequest, review: Review): Markup {
  const to = `/governance/${review.id}`;
  const { csrf } = request;
  const hidden = { version: review.version };
  return html`<div class="actions">
      ${action({ to: `${to}/approve`, csrf, hidden, label: APPROVE[review.kind] })}
      ${action({ to: `${to}/reject`, csrf, hidden, label: REJECT[review.kind], kind: 'danger' })}
      ${deferForm(request, review)}
    </div>
    ${editForm(request, review)}`;
}
