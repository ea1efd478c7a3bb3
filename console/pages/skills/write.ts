/**
 * Writing a card: one text of JSON, as `vouch skill publish` takes it. The page shows all faults at once, beside the
 * text.
 */
import { isUuid } from '../../../domain/workflow-history/safe-text.ts';
import { Refusal, type FieldProblem } from '../../../domain/errors.ts';
import { csrfField, errorSummary, field } from '../../design/forms.ts';
import { attributes, fieldText, html, NOTHING, type Markup } from '../../design/markup.ts';
import { isCuratorSomewhere } from '../../../domain/identity/caller.ts';
import type { Problem, ShownPage, ViewerRequest } from '../../design/page.ts';
import { MEMBERS } from './card-text.ts';
import { withTypedKeys } from '../typed-keys.ts';
import { PEOPLE } from './check.ts';
import type { Card } from './inheritance.ts';
import { SKILLS_PATH } from './requirement.ts';

const ROWS = 26;

/** A card to begin with. */
function beginning(scope: string): object {
  return {
    skill: 'plan-a-trip',
    scope_path: scope,
    description: 'The purpose of the skill.',
    requirements: [
      {
        key: 'diet',
        description: 'what the traveller does not eat',
        level: 'required',
        source_policy: 'either',
        selector: { kind: 'preference', subject: 'peer', topic: ['food', 'diet', 'eat'] },
        prompt: 'Is there anything you do not eat?',
      },
    ],
  };
}

const asText = (card: object): string => JSON.stringify(card, null, 2);

const isSaid = (value: unknown): boolean =>
  value !== null && !(Array.isArray(value) && value.length === 0);

/** Without the members that say nothing: a card is the same with and without them. */
function saying(members: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isSaid(value)));
}

/** The card as its curator would write it. */
function asWritten({ description, requirements, scope_path, skill }: Card): object {
  const all = requirements.map(({ enabled, selector, ...rest }) => {
    const { subject, ...asked } = selector;
    const about = subject === 'either' ? {} : { subject };
    const kept = { ...saying(rest), selector: { ...about, ...saying(asked) } };
    return enabled ? kept : { ...kept, enabled };
  });
  return { ...saying({ skill, scope_path, description }), requirements: all };
}

/** What the text is at first: what was sent, the card that the address names, or one to begin with. */
async function initialText({ call, form, query }: ViewerRequest): Promise<string> {
  const { card: sent } = form;
  if (sent !== undefined) return sent;
  const id = query.get('card') ?? '';
  if (!isUuid(id)) return asText(beginning((query.get('scope') ?? '').trim() || '/'));
  return asText(asWritten(await call('readSkillCard', { card_id: id })));
}

/** The faults by their places in the text, as the documentation spells them. */
function faults(problem: Problem | null): Markup {
  const found = problem?.fields ?? [];
  if (found.length === 0) return NOTHING;
  return html`<ul class="fault" id="card-faults">
    ${found.map(({ message, path }) => html`<li>${path === '' || path === 'card' ? NOTHING : html`<code>${path}</code> `}${message}.</li>`)}
  </ul>`;
}

const isAboutPeople = ({ path }: FieldProblem): boolean => path.split('.', 1)[0] === 'peer_keys';

/** The faults of the whole form: those of the card stand beside its text. */
function ofForm(problem: Problem | null, people: string): Problem | null {
  if (problem === null) return null;
  const ofPeople = { ...problem, fields: problem.fields.filter(isAboutPeople) };
  return withTypedKeys(ofPeople, { field: PEOPLE, list: 'peer_keys', typed: people });
}

function textField(text: string, problem: Problem | null): Markup {
  const isFaulty = problem !== null && problem.fields.length > 0;
  const common = attributes({
    id: 'card',
    name: 'card',
    spellcheck: 'false',
    'aria-describedby': isFaulty ? 'card-hint card-faults' : 'card-hint',
    'aria-invalid': isFaulty ? 'true' : null,
  });
  return html`<div class="field">
    <label for="card">Card (JSON)</label>
    <p class="hint" id="card-hint">
      Members: ${MEMBERS.join(', ')}. <code>docs/reference/skill-cards.md</code> describes each.
    </p>
    ${faults(problem)}
    <textarea class="code" rows="${ROWS}" ${common}>${fieldText(text)}</textarea>
  </div>`;
}

/** Shows the text with what was wrong with it, or with what a check of it says. */
export async function showWriting(
  request: ViewerRequest,
  checked: Markup = NOTHING,
): Promise<ShownPage> {
  const { csrf, form, problem, viewer } = request;
  if (!isCuratorSomewhere(viewer.caller)) throw new Refusal('forbidden');
  const text = await initialText(request);
  const people = form[PEOPLE] ?? '';
  const formProblem = ofForm(problem, people);
  const cardProblem =
    problem === null
      ? null
      : { ...problem, fields: problem.fields.filter((one) => !isAboutPeople(one)) };
  const hint = `Keys of people, one a line or separated by commas, at most 8. Without a key the check is about you. Publishing ignores this field. The service records the people that you name.`;
  return {
    title: 'Write a skill card',
    main: html`<p><a href="${SKILLS_PATH}">Skills</a></p>
      ${errorSummary({ problem: formProblem })}
      <h1>Write a skill card</h1>
      <p class="lead">
        When you publish it, it is in force in its scope and descendants and replaces the version
        before. A version never changes.
      </p>
      ${checked}
      <form class="sheet" method="post" action="${SKILLS_PATH}/publish">
        ${csrfField(csrf)} ${textField(text, cardProblem)}
        ${field({ name: PEOPLE, label: 'Who would be ready (optional)', value: people, rows: 2, hint }, formProblem, 'card')}
        <div class="actions">
          <button type="submit">Publish</button>
          <button class="quiet" type="submit" formaction="${SKILLS_PATH}/check">Check</button>
        </div>
      </form>`,
  };
}
