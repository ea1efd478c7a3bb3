/** Sessions, and what was said in them with what became of it. */
import { MOST_COUNTED } from '../../../domain/observations/listed.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { empty, pager, timeOf } from '../../design/elements.ts';
import { choice, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest, ShownPage } from '../../page.ts';
import { requeueForm } from './outcomes.ts';
import {
  ALL_SCOPES,
  ANY_STATE,
  filters,
  framed,
  listed,
  OBSERVATIONS_PATH,
  PAGE_SIZE,
  parameter,
  scopeField,
  SOURCES_PATH,
} from './parts.ts';
import { badge, because, STATUS_WORDS } from './words.ts';

const SESSIONS_PATH = `${SOURCES_PATH}/sessions`;
const NARROWED = ['pending', 'failed', 'repairable', 'terminal'] as const;

const HOW =
  'Agents send what is said to /api/v1/ingest. You see what you took part in, and everything in the scopes that you curate.';

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
export async function showSessions(request: ViewerRequest): Promise<ShownPage> {
  const { call, query } = request;
  const scopes = await call('listReadableScopes', {});
  const scope = parameter(request, 'scope_path');
  const cursor = parameter(request, 'cursor');
  const { list, problem } = await listed(async () => {
    const page = await call('listSessions', { scope_path: scope, cursor, limit: PAGE_SIZE });
    if (page.items.length === 0 && page.next_cursor === null) {
      return scope === null && cursor === null
        ? empty('No sessions yet', HOW)
        : empty(
            'Nothing to show',
            'There is no session here that you may see. Choose another scope.',
          );
    }
    return html`<ul class="list sheet">
        ${page.items.map(sessionEntry)}
      </ul>
      ${pager(SESSIONS_PATH, query, page.next_cursor)}`;
  });
  return framed(request, {
    title: 'Sessions',
    tab: SESSIONS_PATH,
    problem,
    main: html`${filters(SESSIONS_PATH, 'Sessions', scopeField(scopes, scope ?? '', ALL_SCOPES, problem))}
    ${list}`,
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
      <a href="${OBSERVATIONS_PATH}/${id}">What became of it</a>
    </p>
    ${observation.may_requeue ? requeueForm(csrf, id) : NOTHING}
  </li>`;
}

/** The list of observations. */
export async function showObservations(request: ViewerRequest): Promise<ShownPage> {
  const { call, csrf, query } = request;
  const scopes = await call('listReadableScopes', {});
  const [scope, state, session, cursor] = ['scope_path', 'state', 'session_id', 'cursor'].map(
    (name) => parameter(request, name),
  );
  const isNarrowed = [scope, state, session, cursor].some((value) => value !== null);
  const { list, problem } = await listed(async () => {
    const asked = { scope_path: scope, status: state, session_id: session, cursor };
    const page = await call('listObservations', { ...asked, limit: PAGE_SIZE });
    if (page.items.length === 0 && page.next_cursor === null) {
      return isNarrowed
        ? empty('Nothing to show', 'Nothing that you may see is so. Change the filters.')
        : empty('Nothing was said yet', HOW);
    }
    return html`<ul class="list sheet">
        ${page.items.map((observation) => observationEntry(csrf, observation))}
      </ul>
      ${pager(OBSERVATIONS_PATH, query, page.next_cursor)}`;
  });
  const states = NARROWED.map((value) => ({ value, name: STATUS_WORDS[value].name }));
  return framed(request, {
    title: 'Observations',
    tab: OBSERVATIONS_PATH,
    problem,
    main: html`${filters(
      OBSERVATIONS_PATH,
      'Observations',
      html`${scopeField(scopes, scope ?? '', ALL_SCOPES, problem)}
      ${choice({ name: 'state', label: 'State', chosen: state ?? '' }, [ANY_STATE, ...states])}
      ${field({ name: 'session_id', label: 'Session', value: session ?? '' }, problem)}`,
    )}
    ${list}`,
  });
}

/** Connectors: there are none. */
export function showConnectors(request: ViewerRequest): ShownPage {
  return framed(request, {
    title: 'Connectors',
    tab: `${SOURCES_PATH}/connectors`,
    main: empty(
      'There are no connectors yet',
      html`What a connector would bring can be sent to <code>/api/v1/ingest</code>, or uploaded as a
        document: <a href="${SOURCES_PATH}/upload">upload one</a>.`,
    ),
  });
}
