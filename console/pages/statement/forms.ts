/** What the viewer may do with a statement: its subject's word, and what its curators decide. */
import {
  SUBJECT_ACTIONS,
  SUBJECT_TABLES,
  type SubjectAction,
} from '../../../domain/governance/desk.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { timeOf } from '../../design/elements.ts';
import { action, choice, csrfField, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { plainCode, SENSITIVITY_WORDS } from '../../design/words.ts';
import type { PageOfViewer } from '../../page.ts';

type Statement = OutputOf<'readStatement'>;
type Review = Statement['reviews'][number];

const WORDS: Readonly<Record<SubjectAction, { label: string; means: string }>> = {
  confirm: { label: 'That is right', means: 'It counts as confirmed by you.' },
  contest: {
    label: 'That is wrong',
    means: 'It is shown no more, and a curator decides within 24 hours.',
  },
  redact: {
    label: 'Take it away',
    means: 'Its words go at once and for good. Nobody reviews that.',
  },
};

/** The buttons of the person whom the statement is about. */
export function subjectForms({ csrf }: PageOfViewer, statement: Statement): Markup {
  const { is_subject: isSubject, knowledge } = statement;
  const possible = SUBJECT_ACTIONS.filter((word) => {
    const effect = SUBJECT_TABLES[word][knowledge.state];
    return effect !== undefined && effect !== 'same';
  });
  if (!isSubject || possible.length === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="word">
    <h2 id="word">It is about you</h2>
    ${possible.map(
      (word) =>
        html`<p class="hint">${WORDS[word].means}</p>
          ${action({ to: `/console/knowledge/${knowledge.id}/${word}`, csrf, label: WORDS[word].label, kind: word === 'redact' ? 'danger' : word === 'confirm' ? 'usual' : 'quiet' })}`,
    )}
  </section>`;
}

function editForm(request: PageOfViewer, { knowledge }: Statement, review: Review): Markup {
  const { csrf, form, problem } = request;
  const sensitivities = Object.entries(SENSITIVITY_WORDS).map(([value, name]) => ({ value, name }));
  return html`<details>
    <summary>Put it into other words</summary>
    <form method="post" action="/console/knowledge/${knowledge.id}/reviews/${review.id}/edit">
      ${csrfField(csrf)}
      <input type="hidden" name="version" value="${review.version}" />
      ${field({ name: 'statement', label: 'New wording', rows: 3, isRequired: true, value: form['statement'] ?? knowledge.statement ?? '', hint: 'The whole text, in the third person.' }, problem, review.id)}
      ${choice({ name: 'sensitivity', label: 'Sensitivity', chosen: form['sensitivity'] ?? knowledge.sensitivity }, sensitivities, review.id)}
      <button class="quiet" type="submit">Propose the new wording</button>
    </form>
  </details>`;
}

function deferForm({ csrf }: PageOfViewer, { knowledge }: Statement, review: Review): Markup {
  if (review.kind === 'contest') return NOTHING;
  return action({
    to: `/console/knowledge/${knowledge.id}/reviews/${review.id}/defer`,
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

function reviewForms(request: PageOfViewer, statement: Statement, review: Review): Markup {
  const to = `/console/knowledge/${statement.knowledge.id}/reviews/${review.id}`;
  const { csrf } = request;
  const hidden = { version: review.version };
  return html`<article>
    <h3>${plainCode(review.kind)}: ${plainCode(review.reason)}</h3>
    <p class="meta">
      <span>${plainCode(review.state)}</span> <span>due ${timeOf(review.due_at)}</span>
    </p>
    <div class="actions">
      ${action({ to: `${to}/approve`, csrf, hidden, label: APPROVE[review.kind] })}
      ${action({ to: `${to}/reject`, csrf, hidden, label: REJECT[review.kind], kind: 'danger' })}
      ${deferForm(request, statement, review)}
    </div>
    ${editForm(request, statement, review)}
  </article>`;
}

function promoteForm({ csrf, form, problem }: PageOfViewer, { knowledge }: Statement): Markup {
  const isPlaced = knowledge.state === 'active' && knowledge.sensitivity !== 'restricted';
  if (!isPlaced || knowledge.scope_path === '/') return NOTHING;
  return html`<details>
    <summary>Ask that it be shared more widely</summary>
    ${action(
      { to: `/console/knowledge/${knowledge.id}/promote`, csrf, label: 'Ask', kind: 'quiet' },
      field(
        {
          name: 'target_scope_path',
          label: 'Wider scope',
          isRequired: true,
          value: form['target_scope_path'] ?? '/',
          hint: 'A scope above this one. / is the whole account.',
        },
        problem,
        'promote',
      ),
    )}
  </details>`;
}

/** What curators of the scope decide. */
export function curatorForms(request: PageOfViewer, statement: Statement): Markup {
  if (!statement.is_curator) return NOTHING;
  const { reviews } = statement;
  return html`<section class="sheet" aria-labelledby="decide">
    <h2 id="decide">Your decision as curator</h2>
    ${reviews.length === 0 ? html`<p class="quiet-text">Nothing waits for a decision about it.</p>` : reviews.map((review) => reviewForms(request, statement, review))}
    ${promoteForm(request, statement)}
  </section>`;
}
