/** What became of a version of a document, and of an observation: its status and the statements drawn from it. */
import type { OutputOf } from '../../../operations/registry.ts';
import type { AnchorStatus } from '../../../domain/observations/requeue.ts';
import { isAccountAdmin } from '../../../domain/identity/caller.ts';
import { empty, stateBadge, statementText, timeOf } from '../../design/elements.ts';
import { action } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { Onward, ViewerRequest, ShownPage } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import { framed, SOURCES_PATH } from './parts.ts';
import { badge, because, STATUS_WORDS } from './words.ts';

type Status = Pick<
  OutputOf<'readIngestStatus'>,
  | 'status'
  | 'last_error_class'
  | 'attempt_count'
  | 'next_attempt_at'
  | 'extraction_completed_at'
  | 'knowledge'
>;

const MOST_SHOWN = 100;

function fact(name: string, value: Markup | string | number | null): Markup {
  return value === null
    ? NOTHING
    : html`<dt>${name}</dt>
        <dd>${value}</dd>`;
}

function facts(status: Status, more: Markup): Markup {
  const { means } = STATUS_WORDS[status.status];
  const next = status.next_attempt_at;
  const done = status.extraction_completed_at;
  return html`<section class="sheet" aria-labelledby="stands">
    <h3 id="stands">Status</h3>
    <p class="meta" role="status">
      ${badge(STATUS_WORDS[status.status])} ${because(status.last_error_class)}
    </p>
    <p>${means}</p>
    <dl class="facts">
      ${more} ${fact('Attempts', status.attempt_count)}
      ${fact('Next attempt', next === null ? null : timeOf(next))}
      ${fact('Done', done === null ? null : timeOf(done))}
    </dl>
  </section>`;
}

const LATER = 'The statements appear here after the extraction. Open this page again in a moment.';
const STOPPED =
  'The statements appear here after the extraction. An administrator has to act first.';
/** Why there are no statements to show. */
const NONE: Readonly<Record<AnchorStatus, string>> = {
  pending: LATER,
  failed: LATER,
  completed:
    'You may see no statement drawn from it. Curators see statements that wait for a decision under Knowledge, in other states.',
  repairable: STOPPED,
  terminal: STOPPED,
};

function statements({ knowledge, status }: Status): Markup {
  const shown = knowledge.slice(0, MOST_SHOWN);
  const rest = knowledge.length - shown.length;
  if (shown.length === 0) {
    return empty('No statements to show', NONE[status]);
  }
  return html`<section aria-labelledby="drawn">
    <h3 id="drawn">Statements drawn from it</h3>
    <ul class="list sheet">
      ${shown.map(
        ({ id, state, statement }) =>
          html`<li>
            <a class="title" href="/console/knowledge/${id}">${statementText(statement)}</a>
            <p class="meta">${stateBadge(state)}</p>
          </li>`,
      )}
    </ul>
    ${rest > 0 ? html`<p class="quiet-text">And ${rest} more. Find them under <a href="/console/knowledge">Knowledge</a>.</p>` : NOTHING}
  </section>`;
}

/** Where administrators requeue passages: each is an observation by itself. */
function passagesToRequeue(status: AnchorStatus): Markup {
  const query = new URLSearchParams({ state: status }).toString();
  return html`<p>
    <a class="button quiet" href="${SOURCES_PATH}/observations?${query}"
      >All observations with this status, its chunks included</a
    >
  </p>`;
}

const isStopped = ({ status }: Pick<Status, 'status'>): boolean =>
  status === 'repairable' || status === 'terminal';

/** A version of a document. */
export async function showVersion(request: ViewerRequest): Promise<ShownPage> {
  const version = await request.call('readDocumentStatus', {
    document_version_id: idIn(request.params),
  });
  const { chunk_count: chunks, withdrawn_at: withdrawn } = version;
  const more = html`${fact('Version', version.version)} ${fact('Passages', chunks)}
  ${fact('Withdrawn', withdrawn === null ? null : timeOf(withdrawn))}`;
  return framed(request, {
    title: 'A version of a document',
    heading: 'A version of a document',
    tab: SOURCES_PATH,
    main: html`${facts(version, more)}
    ${isStopped(version) && isAccountAdmin(request.viewer.caller) ? passagesToRequeue(version.status) : NOTHING}
    ${statements(version)}`,
  });
}

/** The button that has an observation extracted again. */
export function requeueForm(csrf: string, messageId: string): Markup {
  const to = `${SOURCES_PATH}/observations/${messageId}/requeue`;
  return action({ to, csrf, label: 'Requeue the extraction', kind: 'quiet' });
}

/** An observation. */
export async function showObservation(request: ViewerRequest): Promise<ShownPage> {
  const { call, csrf, params, viewer } = request;
  const id = idIn(params);
  const status = await call('readIngestStatus', { message_id: id });
  return framed(request, {
    title: 'An observation',
    heading: 'An observation',
    tab: `${SOURCES_PATH}/observations`,
    main: html`${facts(status, fact('Id', html`<code data-copy="">${id}</code>`))}
    ${isStopped(status) && isAccountAdmin(viewer.caller) ? requeueForm(csrf, id) : NOTHING}
    ${statements(status)}`,
  });
}

/** Has it extracted again. */
export async function takeRequeue({ call, params }: ViewerRequest): Promise<Onward> {
  const id = idIn(params);
  await call('requeueExtraction', { message_id: id });
  return { to: `${SOURCES_PATH}/observations/${id}?done=requeued` };
}
