/** Writing a card: one text of JSON, as `vouch skill publish` takes it. All faults are told at once, beside the text. */
import { isUuid } from '../../../domain/actors/safe-text.ts';
import { invalidField, Refusal } from '../../../domain/errors.ts';
import { placeOfJsonFault } from '../../../domain/text/json-fault.ts';
import { csrfField, errorSummary } from '../../design/forms.ts';
import { attributes, fieldText, html, NOTHING, type Markup } from '../../design/markup.ts';
import { isCuratorSomewhere } from '../../../domain/identity/caller.ts';
import type { Onward, Problem, ShownPage, ViewerRequest } from '../../page.ts';
import type { Card } from './inheritance.ts';
import { SKILLS_PATH } from './requirement.ts';

const MEMBERS = ['skill', 'scope_path', 'description', 'requirements'] as const;
const ROWS = 26;

/** A card to begin with. */
function beginning(scope: string): object {
  return {
    skill: 'plan-a-trip',
    scope_path: scope,
    description: 'What the skill is for.',
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

/** Shows the text with what was wrong with it. */
export async function showWriting(request: ViewerRequest): Promise<ShownPage> {
  const { csrf, problem, viewer } = request;
  if (!isCuratorSomewhere(viewer.caller)) throw new Refusal('forbidden');
  const text = await initialText(request);
  const isFaulty = problem !== null && problem.fields.length > 0;
  const common = attributes({
    id: 'card',
    name: 'card',
    spellcheck: 'false',
    'aria-describedby': isFaulty ? 'card-hint card-faults' : 'card-hint',
    'aria-invalid': isFaulty ? 'true' : null,
  });
  return {
    title: 'Write a skill card',
    main: html`<p><a href="${SKILLS_PATH}">Skills</a></p>
      ${errorSummary({ problem: problem === null ? null : { ...problem, fields: [] } })}
      <h1>Write a skill card</h1>
      <p class="lead">
        It is in force in its scope and below from the moment it is published, in place of the
        version before. Versions are never changed.
      </p>
      <form class="sheet" method="post" action="${SKILLS_PATH}/publish">
        ${csrfField(csrf)}
        <div class="field">
          <label for="card">Card (JSON)</label>
          <p class="hint" id="card-hint">
            Members: ${MEMBERS.join(', ')}. <code>docs/SKILL-CARDS.md</code> describes each.
          </p>
          ${faults(problem)}
          <textarea class="code" rows="${ROWS}" ${common}>${fieldText(text)}</textarea>
        </div>
        <button type="submit">Publish</button>
      </form>`,
  };
}

/** What is wrong with a text that is not JSON; it quotes nothing of the text. */
function notJson(text: string): Refusal {
  const place = placeOfJsonFault(text);
  const where = place === null ? '' : `: look at line ${place.line}, column ${place.column}`;
  return invalidField('card', `is not JSON${where}`);
}

/** The card that the text holds. Throws the refusal of what is no object, or has members that nobody reads. */
export function cardOf(text: string): Readonly<Record<string, unknown>> {
  let card: unknown;
  try {
    card = JSON.parse(text);
  } catch {
    throw notJson(text);
  }
  if (typeof card !== 'object' || card === null || Array.isArray(card)) {
    throw invalidField('card', 'must be a JSON object');
  }
  const known = new Set<string>(MEMBERS);
  if (Object.keys(card).some((name) => !known.has(name))) {
    throw invalidField('card', `must have no members but ${MEMBERS.join(', ')}`);
  }
  return { ...card };
}

/** Publishes what was written. */
export async function takeWriting({ call, form }: ViewerRequest): Promise<Onward> {
  const written = cardOf(form['card'] ?? '');
  const { card, status } = await call('publishSkillCard', written).catch((error: unknown) => {
    // Who may publish there is told that there is no such scope, and keeps what was written.
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
    throw invalidField('scope_path', 'is no scope yet: send something in there first');
  });
  return { to: `${SKILLS_PATH}/cards/${card.id}?done=${status}` };
}
