/** The skill cards of a scope and of those above it: filters in the address, the newest versions first. */
import type { OutputOf } from '../../../operations/registry.ts';
import { empty, pager, timeOf } from '../../design/elements.ts';
import { choice, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { isCuratorSomewhere } from '../../../domain/identity/caller.ts';
import type { ShownPage, ViewerRequest } from '../../design/page.ts';
import { askedScope } from '../asked-scope.ts';
import { asProblem } from '../refused.ts';
import { SKILLS_PATH } from './requirement.ts';

const PAGE_SIZE = 25;

type Listed = OutputOf<'listSkillCards'>['items'][number];

/** The address of what holds of a skill at a scope. */
export function heldAddress(skill: string, scope: string): string {
  return `${SKILLS_PATH}/held?${new URLSearchParams({ skill, scope }).toString()}`;
}

function entry(card: Listed, scope: string): Markup {
  const { id, published_at: published, requirement_count: count, retired_at: retired } = card;
  return html`<li>
    <a class="title" href="${SKILLS_PATH}/cards/${id}">${written(card.skill)}</a>
    ${card.description === null ? NOTHING : html`<p>${written(card.description)}</p>`}
    <p class="meta">
      ${retired === null ? html`<span class="badge good">In force</span>` : html`<span class="badge plain">Retired</span>`}
      <span>version ${card.version}</span> <span>in ${written(card.scope_path)} and below</span>
      <span>${count === 1 ? 'one requirement' : `${count} requirements`}</span>
      <span>published ${timeOf(published)}</span>
      <a href="${heldAddress(card.skill, scope)}">What holds in ${written(scope)}</a>
    </p>
  </li>`;
}

function filters(scope: string, query: URLSearchParams): Markup {
  return html`<form class="sheet filters" method="get" action="${SKILLS_PATH}" aria-label="Cards">
    ${field({ name: 'scope', label: 'Scope and above', value: scope })}
    ${field({ name: 'skill', label: 'Skill', value: query.get('skill') ?? '' })}
    ${choice({ name: 'versions', label: 'Versions', chosen: query.get('versions') ?? '' }, [
      { value: '', name: 'In force' },
      { value: 'all', name: 'All' },
    ])}
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

function nothing(request: ViewerRequest, scope: string): Markup {
  const next = isCuratorSomewhere(request.viewer.caller)
    ? html`<a href="${SKILLS_PATH}/write?${new URLSearchParams({ scope }).toString()}"
          >Write a card</a
        >
        that says what an agent should know before it uses a skill.`
    : 'A curator writes cards, which say what an agent should know before it uses a skill. Choose another scope, or all versions.';
  return empty('No card here', next);
}

/** Shows the cards. */
export async function showCards(request: ViewerRequest): Promise<ShownPage> {
  const { call, query, viewer } = request;
  const scope = await askedScope(request);
  const skill = (query.get('skill') ?? '').trim();
  const result = await call('listSkillCards', {
    scope_path: scope,
    skill: skill === '' ? null : skill,
    include_retired: query.get('versions') === 'all',
    limit: PAGE_SIZE,
    cursor: query.get('cursor'),
  }).catch(asProblem);
  const problem = 'code' in result ? result : null;
  return {
    title: 'Skills',
    main: html`<h1>Skills</h1>
      <p class="lead">
        A card says which facts an agent should know before it uses a skill. Here you see whether
        they are known about you.
      </p>
      ${errorSummary({ problem })} ${filters(scope, query)}
      ${isCuratorSomewhere(viewer.caller) ? html`<p><a class="button quiet" href="${SKILLS_PATH}/write?${new URLSearchParams({ scope }).toString()}">Write a card</a></p>` : NOTHING}
      ${
        'code' in result
          ? NOTHING
          : result.items.length === 0
            ? nothing(request, scope)
            : html`<ul class="list sheet">
                  ${result.items.map((card) => entry(card, scope))}
                </ul>
                ${pager(SKILLS_PATH, query, result.next_cursor)}`
      }`,
    ...(problem === null ? {} : { status: 422 }),
  };
}
