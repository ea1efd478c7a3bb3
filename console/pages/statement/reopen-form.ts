/** Asks again about a statement that is placed: the form of its curators, and what it does until somebody has decided. */
import { standingOf } from '../../../domain/statements/statement.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { readersChange, readersOf, readersWords } from '../../design/audience.ts';
import { csrfField, field, told } from '../../design/forms.ts';
import { attributes, html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { aboutOfPage } from './audience.ts';

type Statement = OutputOf<'readStatement'>;

/** Characters of the reason. */
const LONGEST_REASON = 1_000;

function withholdField(statement: Statement, isAsked: boolean, isChosen: boolean): Markup {
  // It is asked about already: all that is left to do is to withhold it.
  if (isAsked) return html`<input type="hidden" name="withhold" value="1" />`;
  const now = readersOf(statement.knowledge);
  const meanwhile = readersOf(statement.knowledge, { state: 'held' });
  return html`<p>
    <label class="option"
      ><input type="checkbox" name="withhold" value="1" ${attributes({ checked: isChosen })} />
      Withhold it meanwhile: ${readersChange(meanwhile, now, aboutOfPage(statement))}</label
    >
  </p>`;
}

/** The form; nothing for what is not placed. */
export function reopenForm(request: ViewerRequest, statement: Statement): Markup {
  const { knowledge, reviews } = statement;
  if (!statement.is_curator || standingOf(knowledge.state) !== 'placed') return NOTHING;
  const { csrf, form, path, problem } = request;
  const to = `/console/knowledge/${knowledge.id}/reopen`;
  const isSent = path === to;
  const isAsked = reviews.some(({ kind }) => kind === 'revalidation');
  const about = aboutOfPage(statement);
  const now = readersOf(knowledge);
  const held = readersOf(knowledge, { state: 'held' });
  const after = isAsked
    ? readersChange(held, now, about)
    : html`read by ${readersWords(now, about)} until it is decided, unless you withhold it`;
  return html`<details ${attributes({ open: isSent })}>
    <summary class="button quiet">
      ${isAsked ? 'Withhold it until that is decided' : 'Ask again about it'}
    </summary>
    <form method="post" action="${to}">
      ${csrfField(csrf)}
      <p class="hint">
        The question waits for a curator under “Re-check”, with your reason. To take it back, answer
        there that it is still true: then everything is as it was.
      </p>
      ${field({ name: 'reason', label: 'Why do you doubt it?', rows: 2, isRequired: true, longest: LONGEST_REASON, value: isSent ? (form['reason'] ?? '') : '' }, isSent ? problem : null, 'reopen')}
      ${withholdField(statement, isAsked, isSent && form['withhold'] === '1')}
      <button class="told" type="submit">
        ${told(isAsked ? 'Withhold it' : 'Ask again', after)}
      </button>
    </form>
  </details>`;
}
