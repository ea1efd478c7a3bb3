/** Documents with their versions, and what withdraws one. */
import { LISTED_STATES } from '../../../domain/documents/listed.ts';
import { isMemberSomewhere } from '../../../domain/identity/caller.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { empty, timeOf } from '../../design/elements.ts';
import { action, choice } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest, ShownPage } from '../../design/page.ts';
import { ANY_STATE, showList, SOURCES_PATH } from './parts.ts';
import { badge, because, DOCUMENT_WORDS, sizeOf } from './words.ts';

type Document = OutputOf<'listDocuments'>['items'][number];
type Version = Document['versions'][number];

function versionEntry(version: Version): Markup {
  const { byte_size: bytes, chunk_count: chunks, media_type: type, state } = version;
  const name = `Version ${version.version}`;
  return html`<li>
    <p class="meta">
      ${state === 'withdrawn' ? html`<span>${name}</span>` : html`<a href="${SOURCES_PATH}/versions/${version.id}">${name}</a>`}
      ${badge(DOCUMENT_WORDS[state])} ${because(version.error_class)}
      ${type === null || bytes === null ? NOTHING : html`<span>${written(type)}, ${sizeOf(bytes)}</span>`}
      ${chunks === null || state === 'withdrawn' ? NOTHING : html`<span>${chunks === 1 ? 'one passage' : `${chunks} passages`}</span>`}
      <span>${timeOf(version.recorded_at)}</span>
      ${version.uploader_name === null ? NOTHING : html`<span>by ${written(version.uploader_name)}</span>`}
    </p>
  </li>`;
}

function withdrawal(csrf: string, { id }: Document): Markup {
  const why = html`<p class="hint">
    The service supersedes the statements that only this document attests, and removes its text from
    searches. It keeps the versions and bytes. To take the withdrawal back, upload the document
    again.
  </p>`;
  return html`<details>
    <summary>Withdraw</summary>
    ${action({ to: `${SOURCES_PATH}/documents/${id}/withdraw`, csrf, label: 'Withdraw this document', kind: 'danger' }, why)}
  </details>`;
}

function documentEntry(csrf: string, document: Document): Markup {
  const { external_id: name, may_withdraw: may, scope_path: scope, title, versions } = document;
  const [latest, ...earlier] = versions;
  return html`<li>
    <span class="title">${written(title ?? name ?? 'A document without a title')}</span>
    <p class="meta">
      <span>in ${written(scope)}</span>
      ${name === null ? NOTHING : html`<span>known as ${written(name)}</span>`}
    </p>
    ${
      latest === undefined
        ? NOTHING
        : html`<ul class="list versions">
            ${versionEntry(latest)}
          </ul>`
    }
    ${
      earlier.length === 0
        ? NOTHING
        : html`<details>
            <summary>
              ${earlier.length === 1 ? 'One earlier version' : `${earlier.length} earlier versions`}
            </summary>
            <ul class="list versions">
              ${earlier.map(versionEntry)}
            </ul>
          </details>`
    }
    ${may ? withdrawal(csrf, document) : NOTHING}
  </li>`;
}

const NO_UPLOAD =
  'Members of a scope upload documents. An administrator can make you one: vouch grant add.';

function nothing(isNarrowed: boolean, mayUpload: boolean): Markup {
  if (isNarrowed) {
    return empty(
      'Nothing to show',
      'You may see no document that fits the filters. Change the filters.',
    );
  }
  return empty(
    'No documents yet',
    mayUpload
      ? html`<a class="button" href="${SOURCES_PATH}/upload">Upload the first document</a>`
      : `You see your own uploads, and all documents of the scopes that you curate. ${NO_UPLOAD}`,
  );
}

/** The list of documents. */
export function showDocuments(request: ViewerRequest): Promise<ShownPage> {
  const { call, csrf, viewer } = request;
  const mayUpload = isMemberSomewhere(viewer.caller);
  const states = LISTED_STATES.map((value) => ({ value, name: DOCUMENT_WORDS[value].name }));
  return showList(request, {
    title: 'Documents',
    path: SOURCES_PATH,
    narrowedBy: ['state'],
    page: (common, { state }) => call('listDocuments', { ...common, state }),
    entry: (document) => documentEntry(csrf, document),
    nothing: (isNarrowed) => nothing(isNarrowed, mayUpload),
    fields: ({ state }) =>
      choice({ name: 'state', label: 'State', chosen: state ?? '' }, [ANY_STATE, ...states]),
    above: mayUpload
      ? html`<p><a class="button" href="${SOURCES_PATH}/upload">Upload a document</a></p>`
      : NOTHING,
  });
}
