/** Sessions, and what was said in them with what became of it. */
import { MOST_COUNTED } from '../../../domain/observations/listed.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { empty, timeOf } from '../../design/elements.ts';
import { choice, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest, ShownPage } from '../../design/page.ts';
import { requeueForm } from './outcomes.ts';
import { ANY_STATE, framed, OBSERVATIONS_PATH, showList, SOURCES_PATH } from './parts.ts';
import { badge, because, STATUS_WORDS } from './words.ts';

const SESSIONS_PATH = `${SOURCES_PATH}/sessions`;
const NARROWED = ['pending', 'failed', 'repairable', 'terminal'] as const;

const HOW =
  'Agents send observations to /api/v1/ingest. You see the sessions that you take part in, and all of the scopes that you curate.';

function sessionEntry(session: OutputOf<'listSessions'>['items'][number]): Markup {
  const { has_more_messages: more, messages, scope_path: scope, session_id: id } = session;
  const query = new URLSearchParams({ session_id: id, scope_path: scope }).toString();
  const count = more ? `more than ${MOST_COUNTED} messages` : `${messages} messages`;
  return html`<li>
    <a class="title" href="${OBSERVATIONS_PATH}?${query}">${written(id)}</a>
    <p class="meta">
      <span>in ${written(scope)}</span> <span>${messages === 1 ? 'one message' : count}</span>
      <span>began ${timeOf(session.began_at)}</span>
    </p>
  </li>`;
}

/** The list of sessions. */
export function showSessions(request: ViewerRequest): Promise<ShownPage> {
  return showList(request, {
    title: 'Sessions',
    path: SESSIONS_PATH,
    narrowedBy: [],
    page: (common) => request.call('listSessions', common),
    entry: sessionEntry,
    nothing: (isNarrowed) =>
      isNarrowed
        ? empty('Nothing to show', 'You may see no session here. Choose another scope.')
        : empty('No sessions yet', HOW),
  });
}

type Observation = OutputOf<'listObservations'>['items'][number];

function origin({
  document_title: title,
  document_version_id: version,
  session_id: session,
}: Observation) {
  if (version !== null) {
    return html`<span
      >passage of
      <a href="${SOURCES_PATH}/versions/${version}">${written(title ?? 'a document')}</a></span
    >`;
  }
  if (session === null) return NOTHING;
  const query = new URLSearchParams({ session_id: session }).toString();
  return html`<span
    >in session <a href="${OBSERVATIONS_PATH}?${query}">${written(session)}</a></span
  >`;
}

function observationEntry(csrf: string, observation: Observation): Markup {
  const { excerpt, message_id: id, speaker_key: key, speaker_name: name } = observation;
  return html`<li>
    <blockquote>${written(excerpt)}</blockquote>
    <p class="meta">
      ${badge(STATUS_WORDS[observation.status])} ${because(observation.last_error_class)}
      <span>${written(name)}${name === key ? NOTHING : html` (${written(key)})`}</span>
      <span>${timeOf(observation.occurred_at)}</span>
      <span>in ${written(observation.scope_path)}</span> ${origin(observation)}
      <a href="${OBSERVATIONS_PATH}/${id}">Status and statements</a>
    </p>
    ${observation.may_requeue ? requeueForm(csrf, id) : NOTHING}
  </li>`;
}

/** The list of observations. */
export function showObservations(request: ViewerRequest): Promise<ShownPage> {
  const { call, csrf } = request;
  const states = NARROWED.map((value) => ({ value, name: STATUS_WORDS[value].name }));
  return showList(request, {
    title: 'Observations',
    path: OBSERVATIONS_PATH,
    narrowedBy: ['state', 'session_id'],
    page: (common, { session_id: session, state }) =>
      call('listObservations', { ...common, status: state, session_id: session }),
    entry: (observation) => observationEntry(csrf, observation),
    nothing: (isNarrowed) =>
      isNarrowed
        ? empty(
            'Nothing to show',
            'You may see no observation that fits the filters. Change the filters.',
          )
        : empty('There are no observations yet', HOW),
    fields: ({ session_id: session, state }, problem) =>
      html`${choice({ name: 'state', label: 'State', chosen: state ?? '' }, [ANY_STATE, ...states])}
      ${field({ name: 'session_id', label: 'Session', value: session ?? '' }, problem)}`,
  });
}

/** Connectors: there are none. */
export function showConnectors(request: ViewerRequest): ShownPage {
  return framed(request, {
    title: 'Connectors',
    tab: `${SOURCES_PATH}/connectors`,
    main: empty(
      'There are no connectors yet',
      html`Send the content to <code>/api/v1/ingest</code> instead, or upload it as a document:
        <a href="${SOURCES_PATH}/upload">upload one</a>.`,
    ),
  });
}
