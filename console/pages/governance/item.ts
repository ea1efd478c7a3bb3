/** One item of the queue: what is asked, the evidence beside it, who would see what, and the decision. */
import type { OutputOf } from '../../../operations/registry.ts';
import { percent, stateBadge, statementText, timeOf } from '../../design/elements.ts';
import { errorSummary } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import {
  AUDIENCE_WORDS,
  ITEM_STATE_WORDS,
  ITEM_WORDS,
  LEVEL_WORDS,
  plainCode,
  SENSITIVITY_WORDS,
} from '../../design/words.ts';
import type { ViewerRequest, ShownPage } from '../../page.ts';
import { idIn } from '../refused.ts';
import { reviewForms } from './review-forms.ts';

type Review = OutputOf<'readReview'>;

const OPEN = new Set<string>(['pending', 'escalated', 'deferred']);

function readers({
  readers: who,
  scope_path: scope,
  target_level: level,
}: Review['audience']['before']): Markup {
  return html`${AUDIENCE_WORDS[who]}
    <span class="quiet-text">${LEVEL_WORDS[level]}, in ${written(scope)}.</span>`;
}

function audience({ audience: { after, before }, consent }: Review): Markup {
  return html`<section class="sheet" aria-labelledby="who">
    <h2 id="who">Who sees it</h2>
    <dl class="facts">
      <dt>Now</dt>
      <dd>${readers(before)}</dd>
      <dt>After approval</dt>
      <dd>${readers(after)}</dd>
      ${
        consent === null
          ? NOTHING
          : html`<dt>Consent of its subject</dt>
              <dd>${plainCode(consent)}</dd>`
      }
    </dl>
  </section>`;
}

function evidence({ conflicts, sources }: Review): Markup {
  return html`<section class="sheet" aria-labelledby="evidence">
    <h2 id="evidence">Evidence</h2>
    ${sources.length === 0 ? html`<p class="quiet-text">None of its sources stands in a scope that you curate.</p>` : sources.map(({ excerpt }) => html`<blockquote>${written(excerpt)}</blockquote>`)}
    ${conflicts.map(
      (row) =>
        html`<h3>It contradicts</h3>
          <p>${statementText(row.statement)} ${stateBadge(row.state)}</p>`,
    )}
  </section>`;
}

/** Shows the item; the look is recorded. */
export async function showItem(request: ViewerRequest): Promise<ShownPage> {
  const review = await request.call('readReview', { review_id: idIn(request.params) });
  const { due_at: due, kind, knowledge, reason, state } = review;
  return {
    title: ITEM_WORDS[kind],
    main: html`<p><a href="/governance">Decisions</a></p>
      ${errorSummary(request)}
      <section class="sheet" aria-labelledby="asked">
        <h1 id="asked">${ITEM_WORDS[kind]}</h1>
        <p class="statement">${statementText(knowledge.statement)}</p>
        <p class="meta">
          ${stateBadge(knowledge.state)} <span>${SENSITIVITY_WORDS[knowledge.sensitivity]}</span>
          <span>${percent(knowledge.confidence)} sure</span>
          <span>in ${written(knowledge.scope_path)}</span>
        </p>
        <p>It ${ITEM_STATE_WORDS[state]}, because: ${plainCode(reason)}. Due ${timeOf(due)}.</p>
        ${OPEN.has(state) ? reviewForms(request, review) : NOTHING}
      </section>
      <div class="sheets">${evidence(review)}${audience(review)}</div>`,
  };
}
