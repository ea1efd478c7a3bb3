/** One request to forget: its words, what holds now, and what each decision does. */
import { doneNotice, timeOf } from '../../design/elements.ts';
import { action, errorSummary } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ShownPage, ViewerRequest } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import { asker, FORGETTING_PATH, whatHolds, valueCount, type ShownHold } from './words.ts';

const DONE = {
  upheld: 'You upheld the request. Nobody but who said it reads it, here or in what is said later.',
  lifted: 'You lifted the request. Everything is shown again as it was said, within moments.',
} as const;

function decisions({ csrf }: ViewerRequest, hold: ShownHold): Markup {
  const { id, state, version } = hold;
  const to = (word: string): string => `${FORGETTING_PATH}/${id}/${word}`;
  const hidden = { version: String(version) };
  return html`<section class="sheet" aria-labelledby="decide">
    <h2 id="decide">Decide</h2>
    ${
      state === 'upheld'
        ? NOTHING
        : html`<p>
              <strong>Keep it forgotten.</strong> Nobody but who said them reads the values, in this
              scope and below, in what was said and in what will be. You can lift that later.
            </p>
            ${action({ to: to('uphold'), csrf, label: 'Keep it forgotten', hidden })}`
    }
    ${
      state === 'lifted'
        ? NOTHING
        : html`<p>
              <strong>Show it again.</strong> Everything is shown as it was said, to whom it was
              shown before. You can keep it forgotten later.
            </p>
            ${action({ to: to('lift'), csrf, label: 'Show it again', hidden, kind: 'quiet' })}`
    }
  </section>`;
}

/** Shows the request. The look is recorded. */
export async function showRequest(request: ViewerRequest): Promise<ShownPage> {
  const hold = await request.call('readHold', { hold_id: idIn(request.params) });
  const { opened_at: opened, scope_path: scope, words } = hold;
  const { problem } = request;
  return {
    title: 'Request to forget',
    main: html`<p><a href="${FORGETTING_PATH}">Requests to forget</a></p>
      ${errorSummary({ problem })} ${problem === null ? doneNotice(request.query, DONE) : NOTHING}
      <h1>${written(asker(hold))} asked to forget something</h1>
      <p class="meta">
        <span>${valueCount(hold.value_count)}</span> <span>in ${written(scope)} and below</span>
        <span>asked ${timeOf(opened)}</span>
      </p>
      <p>${whatHolds(hold)}</p>
      <section class="sheet" aria-labelledby="words">
        <h2 id="words">The request</h2>
        ${
          words === null
            ? html`<p class="quiet-text">Its words are gone: the person was erased.</p>`
            : html`<blockquote>${written(words)}</blockquote>`
        }
        <p class="quiet-text">The service has recorded that you read this.</p>
      </section>
      ${decisions(request, hold)}`,
  };
}
