/** What happened lately, of everything that the viewer may see: one list, the latest first. */
import { excerptOf } from '../../../domain/text/excerpt.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { statementText, stateBadge, timeOf } from '../../design/elements.ts';
import { html, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { OBSERVATIONS_PATH, SOURCES_PATH } from '../sources/parts.ts';
import { badge, DOCUMENT_WORDS, STATUS_WORDS } from '../sources/words.ts';

/** Events of the list, and of each kind that it is put together from. */
const SHOWN = 12;
const OF_EACH = 6;
const LONGEST_EXCERPT = 140;

interface Happened {
  /** ISO 8601. */
  readonly at: string;
  readonly entry: Markup;
}

type Latest = OutputOf<'readOverview'>['latest'];
type Said = OutputOf<'listObservations'>['items'][number];
type Listed = OutputOf<'listDocuments'>['items'][number];

function event(what: Markup, title: Markup, at: string, scope: string): Markup {
  return html`<li>
    ${title}
    <p class="meta">${what} <span>in ${written(scope)}</span> <span>${timeOf(at)}</span></p>
  </li>`;
}

function believed({ believed_from: at, knowledge }: Latest[number]): Happened {
  const title = html`<a class="title" href="/console/knowledge/${knowledge.id}"
    >${statementText(knowledge.statement)}</a
  >`;
  return { at, entry: event(stateBadge(knowledge.state), title, at, knowledge.scope_path) };
}

function said({ excerpt, message_id: id, occurred_at: at, ...of }: Said): Happened {
  const words = excerptOf(excerpt, LONGEST_EXCERPT);
  const title = html`${written(of.speaker_name)}
    <span class="quiet-text">said:</span>
    <a href="${OBSERVATIONS_PATH}/${id}">${written(words)}</a>`;
  return { at, entry: event(badge(STATUS_WORDS[of.status]), title, at, of.scope_path) };
}

function uploaded({ external_id: name, scope_path: scope, title, versions }: Listed): Happened[] {
  const [latest] = versions;
  if (latest === undefined) return [];
  const { id, recorded_at: at, state, version } = latest;
  const named = written(title ?? name ?? 'a document without a title');
  const words = html`${state === 'withdrawn' ? named : html`<a href="${SOURCES_PATH}/versions/${id}">${named}</a>`}
    <span class="quiet-text">version ${version}</span>`;
  return [{ at, entry: event(badge(DOCUMENT_WORDS[state]), words, at, scope) }];
}

/** A message that is a chunk of a document appears as the document. */
async function latestSaid({ call }: ViewerRequest): Promise<readonly Happened[]> {
  const page = await call('listObservations', { limit: OF_EACH }).catch(asProblem);
  if ('code' in page) return [];
  return page.items.filter((one) => one.document_version_id === null).map(said);
}

async function latestUploads({ call }: ViewerRequest): Promise<readonly Happened[]> {
  const page = await call('listDocuments', { limit: OF_EACH }).catch(asProblem);
  return 'code' in page ? [] : page.items.flatMap(uploaded);
}

/** The sheet of what happened. */
export async function latelySheet(request: ViewerRequest, latest: Latest): Promise<Markup> {
  const events = [
    ...latest.map(believed),
    ...(await latestSaid(request)),
    ...(await latestUploads(request)),
  ];
  const shown = events
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, SHOWN);
  return html`<section class="sheet" aria-labelledby="lately">
    <h2 id="lately">Lately</h2>
    ${
      shown.length === 0
        ? html`<p class="quiet-text">There is nothing new that you may see.</p>`
        : html`<ul class="list">
            ${shown.map(({ entry }) => entry)}
          </ul>`
    }
  </section>`;
}
