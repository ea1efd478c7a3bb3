/** What a person may answer about a statement about that person. Each answer says who reads the statement afterwards. */
import { LONGEST_WORDS } from '../../domain/governance/decisions.ts';
import {
  SUBJECT_TABLES,
  type RulingEffect,
  type SubjectAction,
} from '../../domain/governance/desk.ts';
import { readersChange, readersOf, type ReadStatement } from '../design/audience.ts';
import { action, csrfField, field, told } from '../design/forms.ts';
import { attributes, html, NOTHING, type Markup } from '../design/markup.ts';
import type { ViewRequest } from '../design/page.ts';

type Own = ReadStatement & { readonly id: string };

/** Where the answers of one statement go, and what they carry. */
export interface Answers {
  readonly yes: string;
  readonly to: Readonly<Record<SubjectAction, string>>;
  readonly hidden?: Readonly<Record<string, string>>;
}

const WAS_SAID = { confirm: 'active', contest: 'contested', redact: 'redacted' } as const;

/** Whether the person may say so now, and it would change something. */
export function mayAnswer(word: SubjectAction, { state }: Pick<Own, 'state'>): boolean {
  const effect: RulingEffect | undefined = SUBJECT_TABLES[word][state];
  return effect !== undefined && effect !== 'same';
}

function changeOf(word: SubjectAction, knowledge: Own): Markup {
  const effect = SUBJECT_TABLES[word][knowledge.state];
  if (effect === 'restored') return html`then read by whoever read it before you contested it`;
  const level = effect === 'placed' ? { target_level: 'peer' as const } : {};
  const after = readersOf(knowledge, { state: WAS_SAID[word], ...level });
  return readersChange(after, readersOf(knowledge), 'viewer');
}

type Asking = Pick<ViewRequest, 'csrf' | 'form' | 'path' | 'problem'>;

function yesButton({ csrf }: Asking, knowledge: Own, { hidden = {}, to, yes }: Answers): Markup {
  if (!mayAnswer('confirm', knowledge)) return NOTHING;
  return action({
    to: to.confirm,
    csrf,
    hidden,
    label: yes,
    after: changeOf('confirm', knowledge),
  });
}

/** The fields of the form that was sent, if it was this one. */
function sentTo({ form, path }: Asking, to: string, hidden: Answers['hidden'] = {}) {
  const isThis =
    path === to && Object.entries(hidden).every(([name, value]) => form[name] === value);
  return isThis ? form : null;
}

function wrongForm(request: Asking, knowledge: Own, { hidden, to }: Answers): Markup {
  if (!mayAnswer('contest', knowledge)) return NOTHING;
  const sent = sentTo(request, to.contest, hidden);
  const problem = sent === null ? null : request.problem;
  const within = `wrong-${knowledge.id}`;
  return html`<details ${attributes({ open: sent !== null })}>
    <summary class="button quiet">That is wrong</summary>
    <form method="post" action="${to.contest}">
      ${csrfField(request.csrf)}
      ${Object.entries(hidden ?? {}).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <p class="hint">
        Nobody but you and whoever said it reads it from now on. A curator decides within 24 hours,
        and reads what you write here. You need not write anything. To take this back before the
        curator decides, say that the statement is true.
      </p>
      ${field({ name: 'reason', label: 'What is wrong with it? (optional)', rows: 2, longest: LONGEST_WORDS, value: sent?.['reason'] ?? '' }, problem, within)}
      ${field({ name: 'correction', label: 'What would be right? (optional)', rows: 2, longest: LONGEST_WORDS, value: sent?.['correction'] ?? '', hint: 'As the statement should read.' }, problem, within)}
      <button class="told" type="submit">
        ${told('Let a curator decide', changeOf('contest', knowledge))}
      </button>
    </form>
  </details>`;
}

/** It acts at the second button, because nobody can take it back. */
function withdrawForm({ csrf }: Asking, knowledge: Own, { hidden = {}, to }: Answers): Markup {
  if (!mayAnswer('redact', knowledge)) return NOTHING;
  return html`<details>
    <summary class="button danger">Withdraw it</summary>
    <div>
      <p class="hint">
        The service removes its words at once, for everyone, you too. No curator is asked. Nobody
        can bring it back: not you, not a curator, not an administrator.
      </p>
      ${action({ to: to.redact, csrf, hidden, label: 'Withdraw it for good', after: changeOf('redact', knowledge), kind: 'danger' })}
    </div>
  </details>`;
}

/** Yes, that is wrong, withdraw it, and `more` beside them. Nothing where the person may say nothing. */
export function ownAnswers(
  request: Asking,
  knowledge: Own,
  answers: Answers,
  more: Markup = NOTHING,
): Markup {
  return html`<div class="answers">
    ${yesButton(request, knowledge, answers)} ${wrongForm(request, knowledge, answers)}
    ${withdrawForm(request, knowledge, answers)} ${more}
  </div>`;
}

/** What the person wrote when contesting; what was left empty is not said. */
export function wordsOf(form: ViewRequest['form']) {
  const given = (name: string): string | null => {
    const text = (form[name] ?? '').trim();
    return text === '' ? null : text;
  };
  return { reason: given('reason'), correction: given('correction') };
}
