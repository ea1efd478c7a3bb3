/** What the person may say whom a statement is about. */
import {
  SUBJECT_ACTIONS,
  SUBJECT_TABLES,
  type SubjectAction,
} from '../../../domain/governance/desk.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { action } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../page.ts';

type Statement = OutputOf<'readStatement'>;

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
export function subjectForms({ csrf }: ViewerRequest, statement: Statement): Markup {
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
