/** What is not as it should be: components for administrators, and sources that came to a stop for everybody who sees them. */
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { isAdmin } from '../../design/navigation.ts';
import { plainCode } from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { OBSERVATIONS_PATH, SOURCES_PATH } from '../sources/parts.ts';

const STOPPED = {
  repairable: 'waits for a repair',
  terminal: 'was given up',
} as const;
const COUNTED = 10;

function amount(count: number, hasMore: boolean, one: string, several: string): string {
  if (hasMore) return `more than ${count} ${several}`;
  return `${count} ${count === 1 ? one : several}`;
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
        Extraction of
        <a href="${to}">${amount(items.length, next !== null, 'observation', 'observations')}</a>
        ${words}.
      </li>`,
    );
  }
  const failed = await call('listDocuments', { state: 'failed', limit: COUNTED }).catch(asProblem);
  if (!('code' in failed) && failed.items.length > 0) {
    const { items, next_cursor: next } = failed;
    lines.push(
      html`<li>
        <a href="${SOURCES_PATH}?state=failed"
          >${amount(items.length, next !== null, 'document', 'documents')}</a
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

/** How the components stand, for administrators; null for others. */
async function components({ call, viewer }: ViewerRequest): Promise<{
  readonly badge: Markup;
  readonly lines: readonly Markup[];
} | null> {
  if (!isAdmin(viewer.caller)) return null;
  const readiness = await call('readReadiness', {});
  const badge =
    readiness.status === 'ready'
      ? html`<span class="badge good">Ready</span>`
      : html`<span class="badge bad">Not ready</span>`;
  return { badge, lines: failing(readiness) };
}

/** The sheet; nothing for who is no administrator and sees nothing that came to a stop. */
export async function healthSheet(request: ViewerRequest): Promise<Markup> {
  const atHalt = await stopped(request);
  const all = await components(request);
  if (atHalt.length === 0 && all === null) return NOTHING;
  const lines = [...(all?.lines ?? []), ...atHalt];
  return html`<section class="sheet" aria-labelledby="health">
    <h2 id="health">Health</h2>
    ${all === null ? NOTHING : html`<p>${all.badge}</p>`}
    ${
      lines.length === 0
        ? html`<p class="quiet-text">Every component answers, and no work has stopped.</p>`
        : html`<ul>
            ${lines}
          </ul>`
    }
    ${
      all === null
        ? NOTHING
        : html`<p>
            <a href="/console/operations">Operations</a>
            <span class="quiet-text"
              >has all of it, and <code>docs/RUNBOOK.md</code> what to do.</span
            >
          </p>`
    }
  </section>`;
}
