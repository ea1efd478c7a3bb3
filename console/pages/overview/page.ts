/** The overview: how much is known, what waits for the viewer, what happened lately, what is not healthy, the first steps. */
import { isCuratorSomewhere } from '../../../domain/identity/caller.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { readEntry } from '../../design/elements.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { ROLE_WORDS } from '../../design/words.ts';
import type { ViewerRequest, PeopleRoute, ShownPage } from '../../design/page.ts';
import { itemEntry } from '../governance/list.ts';
import { knowledgeAddress } from '../scopes/parts.ts';
import { firstSteps } from './first-steps.ts';
import { healthSheet } from './health.ts';
import { latelySheet } from './lately.ts';
import { tiles } from './tiles.ts';

const SHOWN_OF_EACH = 5;
const SHOWN_SCOPES = 12;
/** Questions to the viewer that are counted. */
const COUNTED = 100;

type Scopes = OutputOf<'listReadableScopes'>;

function scopesSheet({ items, more }: Scopes): Markup {
  const shown = items.slice(0, SHOWN_SCOPES);
  const rest = items.length - shown.length;
  return html`<section class="sheet" aria-labelledby="where">
    <h2 id="where">Where knowledge is</h2>
    ${
      shown.length === 0
        ? html`<p class="quiet-text">
            You may read no scope yet. Ask an administrator for a role in one.
          </p>`
        : html`<ul class="list">
            ${shown.map(
              ({ path, role }) =>
                html`<li>
                  <a href="${knowledgeAddress(path)}">${written(path)}</a>
                  <span class="quiet-text">you are ${ROLE_WORDS[role]}</span>
                </li>`,
            )}
          </ul>`
    }
    ${rest > 0 || more ? html`<p class="quiet-text">${more ? 'More than 1,000 scopes.' : `And ${rest} more.`} See all of them under <a href="/console/scopes">Scopes</a>.</p>` : NOTHING}
  </section>`;
}

async function ownSheet({ call, viewer }: ViewerRequest): Promise<Markup> {
  const { items } = await call('listOwnKnowledge', { limit: SHOWN_OF_EACH });
  if (items.length === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="own">
    <h2 id="own">New statements about you</h2>
    <ul class="list">
      ${items.map((row) => readEntry(row, viewer.caller.peerId))}
    </ul>
    <p><a href="/console/me">All statements about you</a></p>
  </section>`;
}

/** How many questions wait for the viewer: whether something is true, and whether something may be shared. */
async function askedCount({ call }: ViewerRequest): Promise<{ count: number; more: boolean }> {
  const consents = await call('listOwnConsents', { limit: COUNTED });
  const questions = await call('listOwnQuestions', { limit: COUNTED });
  const pending = consents.items.filter(({ status }) => status === 'pending').length;
  return { count: pending + questions.items.length, more: questions.more };
}

function askedSheet(count: number): Markup {
  if (count === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="asked">
    <h2 id="asked">You are asked</h2>
    <p>
      ${count === 1 ? 'One question about a statement about you waits' : 'Questions about statements about you wait'}
      for your answer. Until then everything stays as it is.
    </p>
    <p><a class="button" href="/console/me#questions">Answer</a></p>
  </section>`;
}

async function queueSheet({ call, now, viewer }: ViewerRequest): Promise<Markup> {
  if (!isCuratorSomewhere(viewer.caller)) return NOTHING;
  const { items } = await call('listReviews', { limit: SHOWN_OF_EACH });
  return html`<section class="sheet" aria-labelledby="waits">
    <h2 id="waits">Waits for a decision</h2>
    ${
      items.length === 0
        ? html`<p class="quiet-text">No item waits for a curator.</p>`
        : html`<ul class="list">
              ${items.map((item) => itemEntry(item, now))}
            </ul>
            <p><a href="/governance">See all questions</a></p>`
    }
  </section>`;
}

/** The tiles, the first steps of who sees nothing yet, and what waits or is new. */
async function told(request: ViewerRequest): Promise<{ top: Markup; column: Markup }> {
  const { call, viewer } = request;
  const numbers = await call('readOverview', {});
  const asked = await askedCount(request);
  const queue = await queueSheet(request);
  const lately = await latelySheet(request, numbers.latest);
  const { about_you: about, statements, waiting } = numbers;
  const isNew = [statements, about, waiting].every((one) => one === null || one.count === 0);
  return {
    top: html`${tiles(numbers, asked)} ${isNew ? firstSteps(viewer.caller) : NOTHING}`,
    column: html`${askedSheet(asked.count)}${queue}${lately}`,
  };
}

/** How it stands with the service and with the viewer. */
async function beside(request: ViewerRequest): Promise<Markup> {
  const health = await healthSheet(request);
  const own = await ownSheet(request);
  return html`${health}${own} ${scopesSheet(await request.call('listReadableScopes', {}))}`;
}

/** The columns are read side by side: there are a dozen operations, and each waits for the database. */
async function overview(request: ViewerRequest): Promise<ShownPage> {
  const [{ column, top }, second] = await Promise.all([told(request), beside(request)]);
  return {
    title: 'Overview',
    main: html`<h1>Overview</h1>
      <p class="lead">
        The statements that you may see, and the questions and items that wait for you.
      </p>
      ${top}
      <div class="two">
        <div>${column}</div>
        <div>${second}</div>
      </div>`,
  };
}

export const OVERVIEW_ROUTE: PeopleRoute = {
  path: '/console',
  access: 'people',
  calls: [
    'readOverview',
    'listReadableScopes',
    'listOwnKnowledge',
    'listOwnConsents',
    'listOwnQuestions',
    'listReviews',
    'listObservations',
    'listDocuments',
    'readReadiness',
  ],
  show: overview,
};
