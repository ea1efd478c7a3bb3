/** What the viewer is asked: whether statements about the viewer are true, and whether they may be shared. */
import type { OutputOf } from '../../../operations/registry.ts';
import { statementText, timeOf } from '../../design/elements.ts';
import { action } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { STATE_WORDS } from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { ME_PATH } from './path.ts';
import { preferenceForm } from './preference.ts';

const MOST_QUESTIONS = 10;
const MOST_CONSENTS = 25;

type Question = OutputOf<'listOwnQuestions'>['items'][number];
type Asked = OutputOf<'listOwnQuestions'>;
type Consent = OutputOf<'listOwnConsents'>['items'][number];

const ASKS: Readonly<Record<Question['kind'], { asks: string; yes: string }>> = {
  confirm: { asks: 'Is this true?', yes: 'Yes, it is true' },
  revalidate: { asks: 'Is this still true?', yes: 'Yes, it is still true' },
  consent_upward: { asks: 'May this be shared?', yes: 'Yes' },
};

const answerTo = (word: string): string => `${ME_PATH}/questions/${word}`;

function questionEntry(
  csrf: string,
  { deadline_at: until, id, kind, knowledge }: Question,
): Markup {
  const about = { knowledge: knowledge.id };
  const { asks, yes } = ASKS[kind];
  return html`<li>
    <p class="quiet-text">${asks}</p>
    <a class="title" href="/console/knowledge/${knowledge.id}"
      >${statementText(knowledge.statement)}</a
    >
    <p class="meta">
      <span>${STATE_WORDS[knowledge.state].name}</span>
      <span>in ${written(knowledge.scope_path)}</span>
      <span>asked until ${timeOf(until)}</span>
    </p>
    <div class="actions">
      ${action({ to: answerTo('yes'), csrf, label: yes, hidden: about })}
      ${action({ to: answerTo('no'), csrf, label: 'No, withdraw it', hidden: about, kind: 'danger' })}
      ${action({ to: answerTo('leave'), csrf, label: 'I do not know', hidden: { question: id }, kind: 'quiet' })}
    </div>
  </li>`;
}

function questions(csrf: string, { items, more }: Asked): Markup {
  if (items.length === 0) return NOTHING;
  return html`<p class="hint">
      Yes: you confirm the statement, and can contest or withdraw it later. No: you withdraw it. The
      service removes its text from all reads at once, and nobody can bring it back. To let a
      curator decide instead, open the statement and contest it. I do not know: the statement stays
      as it is, and the service does not ask you again.
    </p>
    <ul class="list">
      ${items.map((question) => questionEntry(csrf, question))}
    </ul>
    ${more ? html`<p class="quiet-text">There are more questions. They appear after you answer these.</p>` : NOTHING}`;
}

const CONSENT_WORDS: Readonly<Record<Consent['status'], string>> = {
  pending: 'Waits for you',
  granted: 'You agreed',
  denied: 'You did not agree',
};

function consentEntry(csrf: string, consent: Consent): Markup {
  const { id, knowledge, requested_at: asked, status, target_scope_path: target } = consent;
  const to = `${ME_PATH}/consents/${id}`;
  return html`<li>
    <a class="title" href="/console/knowledge/${knowledge.id}"
      >${statementText(knowledge.statement)}</a
    >
    <p class="meta">
      <span class="badge ${status === 'pending' ? 'wait' : 'plain'}">${CONSENT_WORDS[status]}</span>
      <span>to share it with everyone who may read ${written(target)}</span>
      <span>asked ${timeOf(asked)}</span>
    </p>
    <div class="actions">
      ${status === 'pending' ? action({ to: `${to}/grant`, csrf, label: 'Agree' }) : NOTHING}
      ${status === 'denied' ? NOTHING : action({ to: `${to}/deny`, csrf, label: status === 'pending' ? 'Do not agree' : 'Take back your consent', kind: 'quiet' })}
    </div>
  </li>`;
}

async function consents({ call, csrf }: ViewerRequest): Promise<Markup> {
  const { items } = await call('listOwnConsents', { limit: MOST_CONSENTS });
  if (items.length === 0) return NOTHING;
  // What waits comes first; the order of the rest is that of the operation.
  const waiting = items.filter(({ status }) => status === 'pending');
  const answered = items.filter(({ status }) => status !== 'pending');
  return html`<h3 id="consents">May it be shared?</h3>
    <ul class="list">
      ${[...waiting, ...answered].map((consent) => consentEntry(csrf, consent))}
    </ul>`;
}

/** The sheet of everything that the viewer is, or was, asked. */
export async function askedSheet(request: ViewerRequest): Promise<Markup> {
  const asked = await request.call('listOwnQuestions', { limit: MOST_QUESTIONS });
  const [open, shared] = [questions(request.csrf, asked), await consents(request)];
  return html`<section class="sheet" id="questions" aria-labelledby="asked">
    <h2 id="asked">Questions for you</h2>
    ${
      open === NOTHING && shared === NOTHING
        ? html`<p class="quiet-text">
            There are no questions. If a statement about you waits for your answer, or a curator
            wants to share it, the question appears here. Agents that read for you may ask you too.
          </p>`
        : html`${open}${shared}`
    }
    ${preferenceForm(request, asked.preference)}
  </section>`;
}
