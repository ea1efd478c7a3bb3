/**
 * What curators of its scope find at a statement: each question that waits, what either answer would make visible to whom,
 * and the decision. The evidence of a question has a page of its own, because each look at it is recorded.
 */
import { DECIDED_ALONE } from '../../../domain/governance/decisions.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { readersChange, readersOf } from '../../design/audience.ts';
import { timeOf } from '../../design/elements.ts';
import { action, choice, csrfField, field } from '../../design/forms.ts';
import { attributes, html, NOTHING, type Markup } from '../../design/markup.ts';
import { ITEM_STATE_WORDS, questionWords, SENSITIVITY_WORDS } from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { reasonWords } from '../reasons.ts';
import { answerWords } from '../governance/review-forms.ts';
import { aboutOfPage } from './audience.ts';
import { promoteForm } from './promote-form.ts';
import { reopenForm } from './reopen-form.ts';

type Statement = OutputOf<'readStatement'>;
type Review = Statement['reviews'][number];

const ROWS = 3;

function editForm(
  { csrf, form, problem }: ViewerRequest,
  { knowledge }: Statement,
  review: Review,
): Markup {
  const sensitivities = Object.entries(SENSITIVITY_WORDS).map(([value, name]) => ({ value, name }));
  const isSent = form['review'] === review.id;
  const sent = isSent ? form : {};
  return html`<details ${attributes({ open: isSent })}>
    <summary>Reword it, or change how private it is</summary>
    <form method="post" action="/console/knowledge/${knowledge.id}/edit">
      ${csrfField(csrf)}
      <input type="hidden" name="review" value="${review.id}" />
      <input type="hidden" name="version" value="${review.version}" />
      ${field({ name: 'statement', label: 'New wording', rows: ROWS, isRequired: true, value: sent['statement'] ?? knowledge.statement ?? '', hint: 'The whole text, in the third person.' }, isSent ? problem : null, review.id)}
      ${choice({ name: 'sensitivity', label: 'How private it is', chosen: sent['sensitivity'] ?? knowledge.sensitivity }, sensitivities, review.id)}
      <p class="hint">
        The new wording becomes a proposal with the same sources and goes through the gates. Only
        the people who said or relayed the statement see it until a curator approves it. A statement
        that is believed now stays until then.
      </p>
      <button class="quiet" type="submit">Propose the new wording</button>
    </form>
  </details>`;
}

function decisions(request: ViewerRequest, statement: Statement, review: Review): Markup {
  const { csrf } = request;
  const { id } = statement.knowledge;
  const to = (word: string) => `/console/knowledge/${id}/${word}`;
  const hidden = { review: review.id, version: review.version };
  const now = readersOf(statement.knowledge);
  const words = answerWords(review);
  const afterIt = (after: Review['approved']) => readersChange(after, now, aboutOfPage(statement));
  const approve = { label: words.approve, after: afterIt(review.approved) };
  const reject = { label: words.reject, after: afterIt(review.rejected) };
  return html`<div class="answers">
      ${action({ to: to('approve'), csrf, hidden, ...approve })}
      ${action({ to: to('reject'), csrf, hidden, ...reject, kind: 'danger' })}
      ${action({ to: to('defer'), csrf, hidden, label: 'Defer until tomorrow', after: 'it stays as it is', kind: 'quiet' })}
    </div>
    ${editForm(request, statement, review)}`;
}

/** Who decides about two sides reads both first: the way to where they stand. */
function bothSides({ id }: Review): Markup {
  return html`<p>
    <a class="button" href="/governance/${id}">Read both sides and decide</a>
    <span class="quiet-text">The service records that you looked.</span>
  </p>`;
}

function answers(request: ViewerRequest, statement: Statement, review: Review): Markup {
  const { id, kind, state } = review;
  if (state === 'awaiting_consent') {
    return html`<p>
      It waits for the consent of its subject. Nobody can decide before the subject answers.
    </p>`;
  }
  if (DECIDED_ALONE.includes(kind)) return bothSides(review);
  return html`${decisions(request, statement, review)}
    <p>
      <a href="/governance/${id}">See the evidence first</a> (the service records that you looked),
      or <a href="/governance/${id}?merge=1#merge">merge it into another statement</a>.
    </p>`;
}

function asked(request: ViewerRequest, statement: Statement, review: Review): Markup {
  const { due_at: due, reason, state } = review;
  return html`<article>
    <h3>${questionWords(review)}</h3>
    <p class="meta">
      <span>${ITEM_STATE_WORDS[state]}: ${reasonWords(reason)}</span>
      <span>due ${timeOf(due)}</span>
    </p>
    ${answers(request, statement, review)}
  </article>`;
}

/** The sheet of curators; nothing for others. */
export function curatorForms(request: ViewerRequest, statement: Statement): Markup {
  if (!statement.is_curator) return NOTHING;
  const { reviews } = statement;
  return html`<section class="sheet" aria-labelledby="decide">
    <h2 id="decide">For its curators</h2>
    ${
      reviews.length === 0
        ? html`<p class="quiet-text">Nothing about it waits for a decision.</p>`
        : reviews.map((review) => asked(request, statement, review))
    }
    ${reopenForm(request, statement)} ${promoteForm(request, statement)}
  </section>`;
}
