/** The overview: what is known, what waits for a decision, what is not healthy, and the first steps. */
import { isCuratorSomewhere } from '../../../domain/identity/caller.ts';
import { empty, statementEntry } from '../../design/elements.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { isAdmin } from '../../design/navigation.ts';
import { itemEntry } from '../governance/queue.ts';
import { plainCode, ROLE_WORDS } from '../../design/words.ts';
import type { ViewerRequest, PeopleRoute, ShownPage } from '../../page.ts';
import type { OutputOf } from '../../../operations/registry.ts';

const SHOWN_OF_EACH = 5;
const SHOWN_SCOPES = 20;

type Scopes = OutputOf<'listReadableScopes'>;

function scopeAddress(path: string): string {
  return `/console/knowledge?${new URLSearchParams({ scope: path }).toString()}`;
}

function scopesSheet({ items, more }: Scopes): Markup {
  const shown = items.slice(0, SHOWN_SCOPES);
  const rest = items.length - shown.length;
  return html`<section class="sheet" aria-labelledby="where">
    <h2 id="where">Where knowledge is</h2>
    ${
      shown.length === 0
        ? html`<p class="quiet-text">
            You may read no scope yet. An administrator gives you a role in one.
          </p>`
        : html`<ul class="list">
            ${shown.map(
              ({ path, role }) =>
                html`<li>
                  <a href="${scopeAddress(path)}">${written(path)}</a>
                  <span class="quiet-text">you are ${ROLE_WORDS[role]}</span>
                </li>`,
            )}
          </ul>`
    }
    ${rest > 0 || more ? html`<p class="quiet-text">${more ? 'More than 1,000 scopes.' : `And ${rest} more.`} Name one in <a href="/console/knowledge">Knowledge</a>.</p>` : NOTHING}
  </section>`;
}

async function ownSheet({ call }: ViewerRequest): Promise<{ sheet: Markup; isEmpty: boolean }> {
  const { items } = await call('listOwnKnowledge', { limit: SHOWN_OF_EACH });
  const sheet = html`<section class="sheet" aria-labelledby="own">
    <h2 id="own">Lately said about you</h2>
    ${
      items.length === 0
        ? html`<p class="quiet-text">Nothing so far.</p>`
        : html`<ul class="list">
              ${items.map((row) => statementEntry(row))}
            </ul>
            <p><a href="/console/me">All that is known about you</a></p>`
    }
  </section>`;
  return { sheet, isEmpty: items.length === 0 };
}

async function consentSheet({ call }: ViewerRequest): Promise<Markup> {
  const { items } = await call('listOwnConsents', { limit: 100 });
  const waiting = items.filter(({ status }) => status === 'pending');
  if (waiting.length === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="asked">
    <h2 id="asked">You are asked</h2>
    <p>
      ${waiting.length === 1 ? 'One statement about you' : `${waiting.length} statements about you`}
      would be shared if you agree. Until you do, it stays as it is.
    </p>
    <p><a class="button" href="/console/me#consents">Answer</a></p>
  </section>`;
}

async function queueSheet({ call, viewer }: ViewerRequest): Promise<Markup> {
  if (!isCuratorSomewhere(viewer.caller)) return NOTHING;
  const { items } = await call('listReviews', { limit: SHOWN_OF_EACH });
  return html`<section class="sheet" aria-labelledby="waits">
    <h2 id="waits">Waits for a decision</h2>
    ${
      items.length === 0
        ? html`<p class="quiet-text">Nothing waits for a curator.</p>`
        : html`<ul class="list">
            ${items.map(itemEntry)}
          </ul>`
    }
  </section>`;
}

/** The components that do not answer as they should. */
async function healthSheet({ call, viewer }: ViewerRequest): Promise<Markup> {
  if (!isAdmin(viewer.caller)) return NOTHING;
  const { checks, status } = await call('readReadiness', {});
  const failing = Object.entries(checks).flatMap(([name, check]) =>
    'status' in check && check.status === 'error' ? [{ name, why: check.error_class }] : [],
  );
  return html`<section class="sheet" aria-labelledby="health">
    <h2 id="health">Health</h2>
    <p>
      ${status === 'ready' ? html`<span class="badge good">Ready</span>` : html`<span class="badge bad">Not ready</span>`}
    </p>
    ${
      failing.length === 0
        ? html`<p class="quiet-text">Every component answers.</p>`
        : html`<ul>
              ${failing.map(({ name, why }) => html`<li>${plainCode(name)}: ${plainCode(why ?? 'error')}</li>`)}
            </ul>
            <p class="quiet-text">
              The runbook (<code>docs/RUNBOOK.md</code>) says what to do for each.
            </p>`
    }
  </section>`;
}

const FIRST_STEPS = empty(
  'Nothing is known yet',
  html`Make a key for an agent (<code>vouch key create</code>), let it send an observation to
    <code>POST /api/v1/ingest</code>, and look here again. The
    <a href="/api/docs">description of the interface</a> shows every request.`,
);

async function overview(request: ViewerRequest): Promise<ShownPage> {
  const scopes = await request.call('listReadableScopes', {});
  const { isEmpty, sheet: own } = await ownSheet(request);
  const asked = await consentSheet(request);
  const queue = await queueSheet(request);
  const health = await healthSheet(request);
  // The root scope is there from the beginning.
  const isNew = isEmpty && scopes.items.every(({ path }) => path === '/');
  return {
    title: 'Overview',
    main: html`<h1>Overview</h1>
      <p class="lead">What is known here, and what waits for you.</p>
      ${isNew ? FIRST_STEPS : NOTHING}
      <div class="sheets">${asked}${queue}${own}${scopesSheet(scopes)}${health}</div>`,
  };
}

export const OVERVIEW_ROUTE: PeopleRoute = {
  path: '/console',
  access: 'people',
  calls: [
    'listReadableScopes',
    'listOwnKnowledge',
    'listOwnConsents',
    'listReviews',
    'readReadiness',
  ],
  show: overview,
};
