/** The form that uploads a document. It works as any form does: its file comes with it, and no script has a part in it. */
import { isMemberSomewhere } from '../../../domain/identity/caller.ts';
import { invalidField } from '../../../domain/errors.ts';
import { parseLabel } from '../../../domain/identity/label.ts';
import { roleCovers } from '../../../domain/identity/roles.ts';
import { withoutUnseen } from '../../../domain/text/unseen.ts';
import { empty } from '../../design/elements.ts';
import { csrfField, field } from '../../design/forms.ts';
import { attributes, html, NOTHING } from '../../design/markup.ts';
import type { Onward, ViewerRequest, Problem, ShownPage } from '../../design/page.ts';
import { framed, scopeField, SOURCES_PATH } from './parts.ts';

export const UPLOAD_FIELDS = ['scope_path', 'title', 'external_id'] as const;
const LONGEST_LABEL = 256;
const ENDINGS = '.txt,.md,.markdown,.html,.htm,.xhtml,.pdf,.docx';

const MESSAGES: Readonly<Record<string, string>> = {
  payload_too_large: 'is larger than 32 MiB',
  unsupported_media_type: 'must be text, Markdown, HTML, PDF or Word (docx)',
};

/** The faults by the names of the form: the operation speaks of bytes where a person chose a file. */
function problemOfForm(problem: Problem): Problem {
  const message = MESSAGES[problem.code];
  if (message !== undefined) {
    const code = problem.code === 'payload_too_large' ? problem.code : 'invalid_request';
    return { ...problem, code, fields: [{ path: 'file', message }] };
  }
  const fields = problem.fields.map(({ message: words, path }) => ({
    path: path === 'content_base64' ? 'file' : path,
    message: words,
  }));
  return { ...problem, fields };
}

function fileField(problem: Problem | null) {
  const fault = problem?.fields.find(({ path }) => path === 'file');
  return html`<div class="field">
    <label for="upload-file">File</label>
    <p class="hint" id="upload-file-hint">
      Text, Markdown, HTML, PDF or Word (docx), at most 32 MiB.
    </p>
    ${fault === undefined ? NOTHING : html`<p class="fault" id="upload-file-fault">File: ${fault.message}. Choose it again.</p>`}
    <input
      type="file"
      id="upload-file"
      name="file"
      accept="${ENDINGS}"
      required
      ${attributes({ 'aria-invalid': fault === undefined ? null : 'true' })}
      aria-describedby="upload-file-hint${fault === undefined ? '' : ' upload-file-fault'}"
    />
  </div>`;
}

/** The form, with what was typed and what was wrong with it. */
export async function showUpload(request: ViewerRequest): Promise<ShownPage> {
  const { call, csrf, form, query, viewer } = request;
  const problem = request.problem === null ? null : problemOfForm(request.problem);
  if (!isMemberSomewhere(viewer.caller)) {
    const why = 'Members of a scope upload documents. An administrator can make you one.';
    const main = empty('You may upload nothing', why);
    return framed(request, { title: 'Upload a document', tab: SOURCES_PATH, main });
  }
  const scopes = await call('listReadableScopes', {});
  const writable = scopes.items.filter(({ role }) => roleCovers(role, 'member'));
  const {
    external_id: name = '',
    scope_path: scope = query.get('scope_path') ?? '',
    title = '',
  } = form;
  const shown: ViewerRequest = { ...request, problem };
  return framed(shown, {
    title: 'Upload a document',
    tab: SOURCES_PATH,
    heading: 'Upload a document',
    main: html`<form
      class="sheet"
      method="post"
      action="${SOURCES_PATH}/upload"
      enctype="multipart/form-data"
    >
      ${csrfField(csrf)} ${scopeField({ items: writable, more: scopes.more }, scope, null, problem)}
      ${field({ name: 'title', label: 'Title (optional)', value: title, longest: LONGEST_LABEL, hint: 'Without a title the service uses the name of the file.' }, problem)}
      ${field({ name: 'external_id', label: 'Known as (optional)', value: name, longest: LONGEST_LABEL, hint: 'A permanent name of the document in the scope. Another upload under the same name becomes a new version of it, and supersedes the statements that only the earlier version attests.' }, problem)}
      ${fileField(problem)}
      <button type="submit">Upload</button>
    </form>`,
  });
}

/** Hands the file to the operation, and leads to the page of its version. */
export async function takeUpload({ call, file, form }: ViewerRequest): Promise<Onward> {
  if (file === null || file.bytes.length === 0) throw invalidField('file', 'must be chosen');
  const { external_id: name = '', scope_path: scope = '', title = '' } = form;
  const answer = await call('submitDocument', {
    scope_path: scope,
    content_base64: file.bytes,
    media_type: file.mediaType,
    // The name of a file may be no title: too long, or with controls. The person did not type it, and loses nothing.
    title: title.trim() === '' ? parseLabel(withoutUnseen(file.name)) : title,
    external_id: name,
  });
  const done = answer.status === 'accepted' ? 'uploaded' : 'unchanged';
  return { to: `${SOURCES_PATH}/versions/${answer.document_version_id}?done=${done}` };
}
