/** What holds of a skill at a scope: which card each requirement comes from, and whether the viewer meets it. */
import { Refusal } from '../../../domain/errors.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { empty } from '../../design/elements.ts';
import { errorSummary } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';
import type { ShownPage, ViewerRequest } from '../../design/page.ts';
import { askedScope } from '../asked-scope.ts';
import { asProblem } from '../refused.ts';
import { inheritance, type Card, type InheritedRequirement } from './inheritance.ts';
import { requirementWords, SKILLS_PATH } from './requirement.ts';

/** Cards of a chain that are compared, the nearest ones. */
const MOST_CARDS = 25;

type Report = OutputOf<'checkReadiness'>;
type Item = Report['requirements'][number];

const STATUS = {
  satisfied: { kind: 'good', name: 'Known' },
  stale: { kind: 'wait', name: 'Known, but too old or unconfirmed' },
  missing: { kind: 'bad', name: 'Not known' },
  missing_card: { kind: 'bad', name: 'No card' },
  not_checked: { kind: 'wait', name: 'Not checked' },
} as const;

const cardLink = ({ id, scope_path: path, version }: InheritedRequirement['card']): Markup =>
  html`<a href="${SKILLS_PATH}/cards/${id}">version ${version} in ${written(path)}</a>`;

function fate({ replacedBy, requirement }: InheritedRequirement): Markup {
  if (replacedBy !== null) {
    return html`<span class="badge plain">Replaced</span> by ${cardLink(replacedBy)}`;
  }
  return requirement.enabled
    ? html`<span class="badge good">Holds</span>`
    : html`<span class="badge wait">Taken away</span>`;
}

function inherited(cards: readonly Card[]): Markup {
  return html`<section class="sheet" aria-labelledby="from">
    <h2 id="from">Where it comes from</h2>
    <p class="hint">The nearest card wins for each key.</p>
    <ul class="list">
      ${inheritance(cards).map(
        (one) =>
          html`<li>
            <strong>${written(one.requirement.key)}</strong> ${fate(one)}
            ${one.requirement.enabled ? requirementWords(one.requirement) : NOTHING}
            <p class="meta"><span>of ${cardLink(one.card)}</span></p>
          </li>`,
      )}
    </ul>
  </section>`;
}

function statements(label: string, ids: readonly string[]): Markup {
  if (ids.length === 0) return NOTHING;
  return html`<p class="meta">
    <span>${label}</span>
    ${ids.map((id, at) => html`<a href="/console/knowledge/${id}">statement ${at + 1}</a> `)}
  </p>`;
}

function checked(item: Item): Markup {
  const { kind: usual, name } = STATUS[item.status];
  // What is only preferred keeps nobody from beginning.
  const kind = usual === 'bad' && !item.blocking ? 'wait' : usual;
  return html`<li>
    <strong>${written(plainCode(item.key))}</strong> <span class="badge ${kind}">${name}</span>
    ${item.message === null ? NOTHING : html`<p>${item.message}</p>`}
    ${item.description === null ? NOTHING : html`<p>${written(item.description)}</p>`}
    ${item.elicitation.allowed ? html`<p>An agent may ask: ${written(item.elicitation.prompt)}</p>` : NOTHING}
    ${statements('From', item.matched_knowledge_ids)}
    ${statements('Too old', item.stale_knowledge_ids)}
  </li>`;
}

function report({ blockers, ready, requirements }: Report): Markup {
  const beyond = blockers.filter(
    ({ status }) => status === 'missing_card' || status === 'not_checked',
  );
  return html`<section class="sheet" aria-labelledby="check">
    <h2 id="check">About you</h2>
    <p>
      ${ready ? html`<span class="badge good">Ready</span> An agent knows enough to begin.` : html`<span class="badge bad">Not ready</span> ${blockers.length === 1 ? 'One fact is missing.' : `${blockers.length} facts are missing.`}`}
    </p>
    <ul class="list">
      ${[...beyond, ...requirements].map(checked)}
    </ul>
  </section>`;
}

async function cardsOf({ call }: ViewerRequest, skill: string, scope: string): Promise<Card[]> {
  const { items } = await call('listSkillCards', { scope_path: scope, skill, limit: 100 });
  const nearest = items.toSorted((a, b) => b.scope_path.length - a.scope_path.length);
  const cards: Card[] = [];
  for (const { id } of nearest.slice(0, MOST_CARDS)) {
    // A card that was retired and pruned since it was listed is not there any more.
    const card = await call('readSkillCard', { card_id: id }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'not_found') return null;
      throw error;
    });
    if (card !== null && card.retired_at === null) cards.push(card);
  }
  return cards;
}

function checkForm(skill: string, scope: string): Markup {
  return html`<form class="action" method="get" action="${SKILLS_PATH}/held">
    <input type="hidden" name="skill" value="${skill}" />
    <input type="hidden" name="scope" value="${scope}" />
    <input type="hidden" name="check" value="me" />
    <button type="submit">Check what is known about me</button>
  </form>`;
}

/** Shows it; with `check=me` also the report about the viewer. */
export async function showHeld(request: ViewerRequest): Promise<ShownPage> {
  const { call, query } = request;
  const scope = await askedScope(request);
  const skill = (query.get('skill') ?? '').trim();
  const found = await cardsOf(request, skill, scope).catch(asProblem);
  const problem = 'code' in found ? found : null;
  const cards = 'code' in found ? [] : found;
  const isAsked = query.get('check') === 'me' && problem === null;
  const about = isAsked ? await call('checkReadiness', { skill, scope_path: scope }) : null;
  return {
    title: 'What holds',
    main: html`<p>
        <a href="${SKILLS_PATH}?${new URLSearchParams({ scope }).toString()}">Skills</a>
      </p>
      <h1>${written(skill)}</h1>
      <p class="lead">What an agent should know before it uses the skill in ${written(scope)}.</p>
      ${errorSummary({ problem })}
      ${about === null ? (cards.length === 0 ? NOTHING : checkForm(skill, scope)) : report(about)}
      ${cards.length === 0 ? (problem === null ? empty('No card is in force here', 'A card of this scope or of one above it says what the skill needs. Choose another scope under Skills.') : NOTHING) : inherited(cards)}`,
    ...(problem === null ? {} : { status: 422 }),
  };
}
