/** The answers of the subject of a statement, on its page. */
import { SUBJECT_ACTIONS } from '../../../domain/governance/desk.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { mayAnswer, ownAnswers } from '../own-answers.ts';

type Statement = OutputOf<'readStatement'>;

/** The sheet of the person whom the statement is about; nothing for others. */
export function subjectForms(request: ViewerRequest, statement: Statement): Markup {
  const { is_subject: isSubject, knowledge } = statement;
  if (!isSubject || !SUBJECT_ACTIONS.some((word) => mayAnswer(word, knowledge))) return NOTHING;
  const at = `/console/knowledge/${knowledge.id}`;
  return html`<section class="sheet" aria-labelledby="word">
    <h2 id="word">It is about you: is it true?</h2>
    ${ownAnswers(request, knowledge, {
      yes: knowledge.state === 'contested' ? 'I take that back' : 'Yes, it is true',
      to: { confirm: `${at}/confirm`, contest: `${at}/contest`, redact: `${at}/redact` },
    })}
  </section>`;
}
