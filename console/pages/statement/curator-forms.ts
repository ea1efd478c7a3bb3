/** What curators of its scope find at a statement: what waits for them, and the way to a wider scope. */
import type { OutputOf } from '../../../operations/registry.ts';
import { timeOf } from '../../design/elements.ts';
import { action, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { ITEM_WORDS, plainCode } from '../../design/words.ts';
import type { ViewerRequest } from '../../page.ts';

type Statement = OutputOf<'readStatement'>;

function promoteForm({ csrf, form, problem }: ViewerRequest, { knowledge }: Statement): Markup {
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

/** Each item has a page of its own, because each look at it is recorded. */
export function curatorForms(request: ViewerRequest, statement: Statement): Markup {
  if (!statement.is_curator) return NOTHING;
  const { reviews } = statement;
  return html`<section class="sheet" aria-labelledby="decide">
    <h2 id="decide">For its curators</h2>
    ${
      reviews.length === 0
        ? html`<p class="quiet-text">Nothing waits for a decision about it.</p>`
        : html`<ul class="list">
            ${reviews.map(
              ({ due_at: due, id, kind, reason }) =>
                html`<li>
                  <a class="title" href="/governance/${id}">Decide: ${ITEM_WORDS[kind]}</a>
                  <p class="meta">
                    <span>${plainCode(reason)}</span> <span>due ${timeOf(due)}</span>
                  </p>
                </li>`,
            )}
          </ul>`
    }
    ${promoteForm(request, statement)}
  </section>`;
}
