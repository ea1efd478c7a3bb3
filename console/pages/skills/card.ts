/** One version of a card, and for the curators of its scope the way to the next one and to its end. */
import { holdsRoleAt } from '../../../domain/identity/caller.ts';
import { parseScopePath } from '../../../domain/scopes/path.ts';
import { doneNotice, timeOf } from '../../design/elements.ts';
import { action, errorSummary } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ShownPage, ViewerRequest } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import type { Card } from './inheritance.ts';
import { heldAddress } from './list.ts';
import { requirementWords, SKILLS_PATH } from './requirement.ts';

const DONE = {
  published: 'You published it. It is in force from now on.',
  unchanged: 'The version in force has the same content. Nothing was changed.',
  retired:
    'You retired it. It is no longer in force, and the requirements of cards above apply again.',
} as const;

function isCurator({ viewer }: ViewerRequest, { scope_path: text }: Card): boolean {
  const path = parseScopePath(text);
  return path !== null && holdsRoleAt(viewer.caller, path, 'curator');
}

function curatorForms(request: ViewerRequest, card: Card): Markup {
  if (!isCurator(request, card)) return NOTHING;
  const { csrf } = request;
  const to = `${SKILLS_PATH}/cards/${card.id}/retire`;
  return html`<section class="sheet" aria-labelledby="curate">
    <h2 id="curate">For its curators</h2>
    <div class="actions">
      <a class="button" href="${SKILLS_PATH}/write?card=${card.id}">Write the next version</a>
      ${card.retired_at === null ? action({ to, csrf, label: 'Retire this version', kind: 'danger' }) : NOTHING}
    </div>
  </section>`;
}

function requirements({ requirements: all }: Card): Markup {
  return html`<section class="sheet" aria-labelledby="requirements">
    <h2 id="requirements">What it requires</h2>
    ${
      all.length === 0
        ? html`<p class="quiet-text">Nothing.</p>`
        : html`<ul class="list">
            ${all.map(
              (one) =>
                html`<li>
                  <strong>${written(one.key)}</strong>
                  ${one.enabled ? requirementWords(one) : html`<p>removes the requirement with this key of the cards above</p>`}
                  ${one.prompt === null ? NOTHING : html`<p>Asks: ${written(one.prompt)}</p>`}
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

/** Shows the version. */
export async function showCard(request: ViewerRequest): Promise<ShownPage> {
  const card = await request.call('readSkillCard', { card_id: idIn(request.params) });
  const { description, published_at: published, retired_at: retired, scope_path: scope } = card;
  const versions = new URLSearchParams({ scope, skill: card.skill, versions: 'all' });
  return {
    title: 'Skill card',
    main: html`<p>
        <a href="${SKILLS_PATH}?${new URLSearchParams({ scope }).toString()}">Skills</a>
      </p>
      ${errorSummary(request)}
      ${request.problem === null ? doneNotice(request.query, DONE) : NOTHING}
      <h1>${written(card.skill)}</h1>
      ${description === null ? NOTHING : html`<p class="lead">${written(description)}</p>`}
      <p class="meta">
        ${retired === null ? html`<span class="badge good">In force</span>` : html`<span class="badge plain">Retired</span> <span>${timeOf(retired)}</span>`}
        <span>version ${card.version}</span> <span>in ${written(scope)} and below</span>
        <span>published ${timeOf(published)}</span>
      </p>
      <p class="actions">
        <a href="${heldAddress(card.skill, scope)}">What holds in ${written(scope)}</a>
        <a href="${SKILLS_PATH}?${versions.toString()}">All versions</a>
      </p>
      ${requirements(card)} ${curatorForms(request, card)}`,
  };
}
