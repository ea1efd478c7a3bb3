/** What is not as it should be: components for administrators, and sources that came to a stop for everybody who sees them. */
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { isAdmin } from '../../design/navigation.ts';
import { plainCode } from '../../design/words.ts';
import type { ViewerRequest } from '../../page.ts';
import { asProblem } from '../refused.ts';
import { OBSERVATIONS_PATH, SOURCES_PATH } from '../sources/parts.ts';

const STOPPED = {
  repairable: 'need a repair before they can be read',
  terminal: 'were given up',
} as const;
const COUNTED = 10;

function amount(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count}`;
  return count === 1 ? 'One' : String(count);
}

/** Observations and documents that nothing becomes of by itself. */
async function stopped({ call }: ViewerRequest): Promise<readonly Markup[]> {
  const lines: Markup[] = [];
  for (const [status, words] of Object.entries(STOPPED)) {
    const page = await call('listObservations', { status, limit: COUNTED }).catch(asProblem);
    if ('code' in page || page.items.length === 0) continue;
    const { items, next_cursor: next } = page;
    const to = `${OBSERVATIONS_PATH}?status=${status}`;
    lines.push(
      html`<li>
        <a href="${to}">${amount(items.length, next !== null)} of what was said</a> ${words}.
      </li>`,
    );
  }
  const failed = await call('listDocuments', { state: 'failed', limit: COUNTED }).catch(asProblem);
  if (!('code' in failed) && failed.items.length > 0) {
    const { items, next_cursor: next } = failed;
    lines.push(
      html`<li>
        <a href="${SOURCES_PATH}?state=failed"
          >${amount(items.length, next !== null)} of the documents</a
        >
        could not be read.
      </li>`,
    );
  }
  return lines;
}

function failing({ checks }: OutputOf<'readReadiness'>): readonly Markup[] {
  return Object.entries(checks).flatMap(([name, check]) =>
    'status' in check && check.status === 'error'
      ? [html`<li>${plainCode(name)}: ${plainCode(check.error_class ?? 'error')}</li>`]
      : [],
  );
}

async function components({ call, viewer }: ViewerRequest): Promise<Markup> {
  if (!isAdmin(viewer.caller)) return NOTHING;
  const readiness = await call('readReadiness', {});
  const lines = failing(readiness);
  return html`<p>
      ${readiness.status === 'ready' ? html`<span class="badge good">Ready</span>` : html`<span class="badge bad">Not ready</span>`}
    </p>
    ${
      lines.length === 0
        ? html`<p class="quiet-text">Every component answers.</p>`
        : html`<ul>
              ${lines}
            </ul>
            <p class="quiet-text">
              The runbook (<code>docs/RUNBOOK.md</code>) says what to do for each.
            </p>`
    }
    <p><a href="/console/operations">All of it under Operations</a></p>`;
}

/** The sheet; nothing for who is no administrator and sees nothing that came to a stop. */
export async function healthSheet(request: ViewerRequest): Promise<Markup> {
  const lines = await stopped(request);
  const parts = await components(request);
  if (lines.length === 0 && parts === NOTHING) return NOTHING;
  return html`<section class="sheet" aria-labelledby="health">
    <h2 id="health">Health</h2>
    ${parts}
    ${
      lines.length === 0
        ? NOTHING
        : html`<ul>
            ${lines}
          </ul>`
    }
  </section>`;
}
