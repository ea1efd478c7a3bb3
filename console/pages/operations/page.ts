/** Operations: for account-admins. For everybody else there is no such page. */
import { utcDay } from '../../../domain/models/costs.ts';
import { SERIES_KINDS } from '../../../domain/models/pricing.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { html, type Markup } from '../../design/markup.ts';
import type { Onward, PeopleRoute, ShownPage, ViewerRequest } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { healthSheet, queuesSheet } from './health.ts';
import { limitsSheet, profilesSheet, rulesSheet } from './settings.ts';
import { costsSheet, DEFAULT_SPAN, SPANS } from './costs.ts';

const PATH = '/console/operations';
const DAY_MS = 86_400_000;

/** For `catch`: a viewer who may not see the page gets the same answer as for a missing page. */
function asMissing(error: unknown): never {
  const isForbidden = error instanceof Refusal && error.code === 'forbidden';
  throw isForbidden ? new Refusal('not_found') : error;
}

const settingsOf = ({ call }: ViewerRequest) => call('readAccountSettings', {}).catch(asMissing);

/** What the UI of Temporal lists, by the word in the address. */
const LISTS = {
  all: '',
  running: 'ExecutionStatus="Running"',
  failed: 'ExecutionStatus="Failed"',
} as const;

function workflows({ temporal_ui: ui }: OutputOf<'readAccountSettings'>): Markup {
  return html`<section class="sheet" aria-labelledby="workflows">
    <h2 id="workflows">Workflows</h2>
    ${
      ui === null
        ? html`<p class="quiet-text">
            Name the Temporal UI in <code>SERVICE_TEMPORAL_UI_URL</code>, and links to it stand
            here.
          </p>`
        : html`<p>In the Temporal UI, at <span class="code">${ui}</span>:</p>
            <ul>
              <li><a href="${PATH}/workflows?list=running" rel="noreferrer">Those that run</a></li>
              <li>
                <a href="${PATH}/workflows?list=failed" rel="noreferrer">Those that failed</a>
              </li>
              <li><a href="${PATH}/workflows" rel="noreferrer">All</a></li>
            </ul>`
    }
  </section>`;
}

/** The rules that are in force at the scope, or what is wrong with its name. */
async function rulesAt({ call }: ViewerRequest, scope: string) {
  return call('readGateRules', { scope_path: scope }).catch(asProblem);
}

async function shown(request: ViewerRequest): Promise<ShownPage> {
  const { call, query } = request;
  const settings = await settingsOf(request);
  const wanted = Number(query.get('days'));
  const days = SPANS.find((span) => span === wanted) ?? DEFAULT_SPAN;
  const by = SERIES_KINDS.find((kind) => kind === query.get('by')) ?? 'day';
  const scope = (query.get('scope') ?? '').trim();
  const report = await call('readReadiness', {});
  const from = utcDay(new Date(Date.now() - (days - 1) * DAY_MS));
  const costs = await call('readCosts', { from, by });
  const rules = await rulesAt(request, scope);
  return {
    title: 'Operations',
    main: html`<h1>Operations</h1>
      <p class="lead">Whether the service works, what it costs, and what is set.</p>
      ${healthSheet(report)}
      <div class="sheets">${queuesSheet(report)}${workflows(settings)}</div>
      ${limitsSheet(settings)} ${costsSheet(costs, { path: PATH, by, days })}
      ${rulesSheet(settings, rules, { path: PATH, scope, days })} ${profilesSheet(settings)}`,
    ...('code' in rules ? { status: 422 } : {}),
  };
}

/** Leads to the Temporal UI, whose address only a setting says. */
async function toWorkflows(request: ViewerRequest): Promise<Onward> {
  const { temporal_ui: ui } = await settingsOf(request);
  if (ui === null) throw new Refusal('not_found');
  const named = request.query.get('list') ?? 'all';
  const list = Object.hasOwn(LISTS, named) ? LISTS[named as keyof typeof LISTS] : LISTS.all;
  return { to: list === '' ? ui : `${ui}?${new URLSearchParams({ query: list }).toString()}` };
}

export const OPERATIONS_ROUTES: readonly PeopleRoute[] = [
  {
    path: PATH,
    access: 'people',
    calls: ['readAccountSettings', 'readReadiness', 'readCosts', 'readGateRules'],
    show: shown,
  },
  {
    path: `${PATH}/workflows`,
    access: 'people',
    calls: ['readAccountSettings'],
    show: toWorkflows,
  },
];
