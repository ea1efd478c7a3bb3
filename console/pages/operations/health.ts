/** Whether every component can do its part, and what waits in its queues. */
import type { OutputOf } from '../../../operations/registry.ts';
import { timeOf } from '../../design/elements.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';
import { duration, numeral, table, waiting } from './tables.ts';

type Readiness = OutputOf<'readReadiness'>;
type Checks = Readiness['checks'];

const KINDS = { ok: 'good', error: 'bad', not_applicable: 'plain' } as const;
const STATUS_WORDS = { ok: 'works', error: 'does not work', not_applicable: 'not used' } as const;

interface Head {
  readonly status: keyof typeof KINDS;
  readonly error_class?: string | undefined;
}

function badge({ status }: Head): Markup {
  return html`<span class="badge ${KINDS[status]}">${STATUS_WORDS[status]}</span>`;
}

/** What is to be known of a component beyond whether it works. */
function detailOf(name: string, checks: Checks): Markup | string {
  if (name === 'embedding_index') {
    const { index_state: state, model } = checks.embedding_index;
    return [model, state === null ? null : `index ${state}`]
      .filter((part) => part !== null)
      .join(', ');
  }
  if (name === 'search_index') {
    const { meilisearch, qdrant } = checks.search_index;
    return `words: ${STATUS_WORDS[meilisearch.status]}; meaning: ${STATUS_WORDS[qdrant.status]}`;
  }
  if (name === 'lifecycle_sweeps') {
    const { failed_accounts: failed, set_aside: aside } = checks.lifecycle_sweeps;
    return `${numeral(failed ?? 0)} accounts failed, ${waiting(aside ?? 0)} statements set aside`;
  }
  if (name === 'model_calls') {
    const { attempts, errors } = checks.model_calls;
    return `${numeral(attempts ?? 0)} calls, ${numeral(errors ?? 0)} errors in 24 h`;
  }
  return '';
}

function components({ checks }: Readiness): Markup {
  const rows = Object.entries(checks).map(([name, check]) => {
    const head: Head = check;
    const why = head.error_class === undefined ? '' : plainCode(head.error_class);
    return [plainCode(name), badge(head), why, detailOf(name, checks)];
  });
  return table('Components', ['Component', 'State', 'Why not', 'More'], rows);
}

function sweeps({ lifecycle_sweeps: { last_completed_at: last } }: Checks): Markup {
  return html`<div>
    <h3>Sweeps</h3>
    ${table(
      'Sweeps',
      ['Sweep', 'Last completed'],
      Object.entries(last).map(([kind, at]) => [
        plainCode(kind),
        at === 'never' ? 'never' : timeOf(at),
      ]),
    )}
  </div>`;
}

function models({ model_roles: { configured } }: Checks): Markup {
  const rows = Object.entries(configured).map(([role, { model, provider, version }]) => [
    plainCode(role),
    provider,
    model ?? '',
    version ?? '',
  ]);
  return html`<div>
    <h3>Models</h3>
    ${table('Models', ['Role', 'Provider', 'Model', 'Version'], rows)}
  </div>`;
}

/** Components, sweeps and models. */
export function healthSheet(report: Readiness): Markup {
  return html`<section class="sheet" aria-labelledby="health">
    <h2 id="health">Components</h2>
    <p>
      ${report.status === 'ready' ? html`<span class="badge good">Ready</span>` : html`<span class="badge bad">Not ready</span> The runbook (<code>docs/RUNBOOK.md</code>) says what to do for each component.`}
    </p>
    ${components(report)}
    <div class="sheets">${sweeps(report.checks)}${models(report.checks)}</div>
  </section>`;
}

/** What waits: work in queues, runs that have not ended, people. Of the whole deployment. */
export function queuesSheet({ checks, governance }: Readiness): Markup {
  const depths = Object.entries(checks.queues.depths);
  const runs = Object.entries(checks.pipeline_runs.unfinished);
  const { pending_human_reviews: reviews, restricted_withheld: withheld } = governance;
  return html`<section class="sheet" aria-labelledby="queues">
    <h2 id="queues">What waits</h2>
    <p class="hint">In all accounts of this deployment.</p>
    <p>
      ${reviews === null ? NOTHING : html`<strong>${waiting(reviews)}</strong> ${reviews === 1 ? 'decision waits' : 'decisions wait'} for people.`}
      ${withheld === null ? NOTHING : html`<strong>${waiting(withheld)}</strong> ${withheld === 1 ? 'restricted statement is' : 'restricted statements are'} withheld.`}
    </p>
    ${
      depths.length === 0
        ? html`<p class="quiet-text">The service cannot count the queues now.</p>`
        : table(
            'Queues',
            ['Queue', 'Can begin', 'Later', 'Runs', 'Tried again'],
            depths.map(([name, at]) => [
              name,
              waiting(at.available),
              waiting(at.scheduled),
              waiting(at.executing),
              waiting(at.retryable),
            ]),
          )
    }
    <h3>Work that has not ended</h3>
    ${
      runs.length === 0
        ? html`<p class="quiet-text">None.</p>`
        : table(
            'Work that has not ended',
            ['Kind', 'Number', 'Oldest'],
            runs.map(([kind, { count, oldest_age_seconds: age }]) => [
              plainCode(kind),
              waiting(count),
              duration(age),
            ]),
          )
    }
  </section>`;
}
