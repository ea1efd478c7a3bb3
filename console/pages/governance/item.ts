/** One item of the queue: what is asked, the evidence beside it, who would see what, and the decision. */
import type { OutputOf } from '../../../operations/registry.ts';
import { doneNotice, percent, stateBadge, statementText, timeOf } from '../../design/elements.ts';
import { aboutOf, readersWords } from '../../design/audience.ts';
import { errorSummary } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import {
  EVIDENCE_WORDS,
  ITEM_STATE_WORDS,
  ITEM_WORDS,
  plainCode,
  SENSITIVITY_WORDS,
} from '../../design/words.ts';
import type { ViewerRequest, ShownPage } from '../../design/page.ts';
import { asProblem, idIn } from '../refused.ts';
import { decisionEntry } from '../decision-entry.ts';
import { asked, carried, DONE, QUEUE_PATH } from './asked.ts';
import { ITEM_KEYS, keyLegend } from './keys.ts';
import { mergeForm } from './merge.ts';
import { reasonWords } from '../reasons.ts';
import { reviewForms } from './review-forms.ts';

type Review = OutputOf<'readReview'>;

const OPEN = new Set<string>(['pending', 'escalated', 'deferred']);

function audience(review: Review): Markup {
  const { after, before } = review.audience;
  const { consent, proposed_sensitivity } = review;
  const about = aboutOf(review.knowledge);
  return html`<section class="sheet" aria-labelledby="who">
    <h2 id="who">Who sees it</h2>
    <dl class="facts stacked">
      <dt>Now</dt>
      <dd>${readersWords(before, about)}</dd>
      <dt>After approval</dt>
      <dd>${readersWords(after, about)}</dd>
      ${
        proposed_sensitivity === null
          ? NOTHING
          : html`<dt>Sensitivity after approval</dt>
              <dd>${SENSITIVITY_WORDS[proposed_sensitivity]}</dd>`
      }
      ${
        consent === null
          ? NOTHING
          : html`<dt>Consent of its subject</dt>
              <dd>${plainCode(consent)}</dd>`
      }
    </dl>
  </section>`;
}

function evidence({ conflicts, knowledge, sources }: Review): Markup {
  const { corroboration_count: corroboration, evidence_level: level } = knowledge;
  return html`<section class="sheet" aria-labelledby="evidence">
    <h2 id="evidence">Evidence</h2>
    <p class="meta">
      <span>${EVIDENCE_WORDS[level] ?? plainCode(level)}</span>
      <span
        >${corroboration === 1 ? 'one speaker or document attests it' : `${corroboration} speakers or documents attest it`}</span
      >
    </p>
    ${sources.length === 0 ? html`<p class="quiet-text">You curate none of the scopes of its sources.</p>` : sources.map(({ excerpt }) => html`<blockquote>${written(excerpt)}</blockquote>`)}
    ${conflicts.map(
      (row) =>
        html`<h3>It contradicts</h3>
          <p>${statementText(row.statement)} ${stateBadge(row.state)}</p>`,
    )}
  </section>`;
}

function history({ decisions }: Review): Markup {
  if (decisions.length === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="before">
    <h2 id="before">Decided before</h2>
    <ul class="list">
      ${decisions.map(decisionEntry)}
    </ul>
  </section>`;
}

/** The item that follows in the list that the viewer came from; null at its end. */
async function nextId({ call, query }: ViewerRequest, id: string): Promise<string | null> {
  // Filters of an address that somebody wrote by hand: the item itself is shown all the same.
  const page = await call('listReviews', { ...asked(query), cursor: id, limit: 1 }).catch(
    asProblem,
  );
  return 'code' in page ? null : (page.items[0]?.id ?? null);
}

/** Links back to the list and on to the item that follows. */
function way({ query }: ViewerRequest, next: string | null): Markup {
  const walk: Record<string, string> = query.get('walk') === '1' ? { walk: '1' } : {};
  return html`<nav class="actions" aria-label="Queue">
    <a class="button quiet" data-key="u" href="${QUEUE_PATH}${carried(query)}">All decisions</a>
    ${next === null ? html`<p class="quiet-text">This is the last item.</p>` : html`<a class="button quiet" data-key="j" rel="next" href="${QUEUE_PATH}/${next}${carried(query, walk)}">Next item</a>`}
  </nav>`;
}

/** The way to the page of a statement that is believed; what only waits has no other page than this one. */
function pageLink({ id, sensitivity, state }: Review['knowledge']): Markup {
  if (state !== 'active' || sensitivity === 'restricted') return NOTHING;
  return html`<p>
    <a href="/console/knowledge/${id}">Open the statement</a> to see its history and lineage, or to
    propose a wider scope.
  </p>`;
}

/** Shows the item; the look is recorded. */
export async function showItem(request: ViewerRequest): Promise<ShownPage> {
  const id = idIn(request.params);
  const review = await request.call('readReview', { review_id: id });
  const next = await nextId(request, id);
  const { due_at: due, kind, knowledge, reason, state } = review;
  const isOpen = OPEN.has(state);
  const then = request.query.get('walk') === '1' ? next : null;
  return {
    title: ITEM_WORDS[kind],
    main: html`${way(request, next)} ${errorSummary(request)}
      ${request.problem === null ? doneNotice(request.query, DONE) : NOTHING}
      <div class="two">
        <section class="sheet" aria-labelledby="asked">
          <h1 id="asked">${ITEM_WORDS[kind]}</h1>
          <p class="statement">${statementText(knowledge.statement)}</p>
          <p class="meta">
            ${stateBadge(knowledge.state)} <span>${SENSITIVITY_WORDS[knowledge.sensitivity]}</span>
            <span>${percent(knowledge.confidence)} sure</span>
            <span>in ${written(knowledge.scope_path)}</span>
          </p>
          <p>It ${ITEM_STATE_WORDS[state]}, because ${reasonWords(reason)}. Due ${timeOf(due)}.</p>
          ${pageLink(knowledge)} ${isOpen ? reviewForms(request, review, then) : NOTHING}
          ${isOpen ? await mergeForm(request, review) : NOTHING}
          ${isOpen ? keyLegend({ ...request, path: `${QUEUE_PATH}/${id}` }, ITEM_KEYS) : NOTHING}
        </section>
        <div>${evidence(review)}${audience(review)}${history(review)}</div>
      </div>`,
  };
}
