/** What the viewer is asked: whether statements about the viewer are true, and whether they may be shared. */
import type { OutputOf } from '../../../operations/registry.ts';
import { statementText, timeOf } from '../../design/elements.ts';
import { readersChange, readersOf, readersWords } from '../../design/audience.ts';
import { action } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { ownAnswers } from '../own-answers.ts';
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
  request: ViewerRequest,
  { deadline_at: until, id, kind, knowledge }: Question,
): Markup {
  const { asks, yes } = ASKS[kind];
  const to = {
    confirm: answerTo('yes'),
    contest: answerTo('wrong'),
    redact: answerTo('no'),
  };
  const leave = action({
    to: answerTo('leave'),
    csrf: request.csrf,
    label: 'I do not know',
    after: 'it stays as it is, and you are not asked again',
    hidden: { question: id },
    kind: 'quiet',
  });
  return html`<li>
    <p class="quiet-text">${asks}</p>
    <a class="title" href="/console/knowledge/${knowledge.id}"
      >${statementText(knowledge.statement)}</a
    >
    <p class="meta">
      <span>in ${written(knowledge.scope_path)}</span>
      <span>now read by ${readersWords(readersOf(knowledge), 'viewer')}</span>
      <span>asked until ${timeOf(until)}</span>
    </p>
    ${ownAnswers(request, knowledge, { yes, to, hidden: { knowledge: knowledge.id } }, leave)}
  </li>`;
}

function questions(request: ViewerRequest, { items, more }: Asked): Markup {
  if (items.length === 0) return NOTHING;
  return html`<p class="hint">
      Until you answer, each statement stays as it is. After a yes you may still say that it is
      wrong, or withdraw it.
    </p>
    <ul class="list">
      ${items.map((question) => questionEntry(request, question))}
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
  const now = readersOf(knowledge);
  // As a promotion places it: with everyone of the target, whomever it was said to.
  const shared = readersOf(knowledge, {
    state: 'active',
    target_level: 'scope',
    has_audience: false,
    scope_path: target,
  });
  const kept = readersOf(knowledge, { target_level: 'peer' });
  const denial = {
    label: status === 'pending' ? 'Do not agree' : 'Take back your consent',
    after: readersChange(kept, now, 'viewer'),
  };
  return html`<li>
    <a class="title" href="/console/knowledge/${knowledge.id}"
      >${statementText(knowledge.statement)}</a
    >
    <p class="meta">
      <span class="badge ${status === 'pending' ? 'wait' : 'plain'}">${CONSENT_WORDS[status]}</span>
      <span>now read by ${readersWords(now, 'viewer')}</span> <span>asked ${timeOf(asked)}</span>
    </p>
    <div class="actions">
      ${status === 'pending' ? action({ to: `${to}/grant`, csrf, label: 'Agree', after: readersChange(shared, now, 'viewer') }) : NOTHING}
      ${status === 'denied' ? NOTHING : action({ to: `${to}/deny`, csrf, ...denial, kind: 'quiet' })}
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
  const [open, shared] = [questions(request, asked), await consents(request)];
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
