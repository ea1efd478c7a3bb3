/** Knowledge: browse the statements of a scope, or find some by words. The address holds all of what was asked for. */
import { empty, pager, readEntry, withQuery } from '../../design/elements.ts';
import { errorSummary } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { STATE_WORDS } from '../../design/words.ts';
import type { Problem, ViewerRequest, PeopleRoute, ShownPage } from '../../design/page.ts';
import { asProblem } from '../refused.ts';
import { askedFor, filters, isNarrowed, KNOWLEDGE_PATH, type KnowledgeAsked } from './asked.ts';
import { found } from './found.ts';

/** The address without the filters beyond scope and state. */
function widened({ query }: ViewerRequest): string {
  const none = { kind: null, sensitivity: null, level: null, about: null, cursor: null };
  return withQuery(KNOWLEDGE_PATH, query, none);
}

/** Why there is nothing, and what to do next. */
function emptyList(request: ViewerRequest, asked: KnowledgeAsked, hasMore: boolean): Markup {
  const { cursor, scope, state } = asked;
  if (hasMore) {
    return empty(
      'Nothing so far',
      'No statement on this page fits these filters. The next page may have some.',
    );
  }
  if (cursor !== null) return empty('There are no more', 'This is the end of the list.');
  if (isNarrowed(asked)) {
    return empty(
      'Nothing fits these filters',
      html`<a href="${widened(request)}">Remove the filters</a>, choose another state, or a scope
        further down than ${written(scope)}.`,
    );
  }
  return empty(
    'Nothing to show',
    state === 'active'
      ? html`You may see no believed statement in ${written(scope)} or above it. Statements that
          wait for a decision are listed under other states. Statements come from what agents send
          to <code>/api/v1/ingest</code>, and from documents: you may
          <a href="/console/sources">upload one</a>.`
      : html`You may see no statement of the state “${STATE_WORDS[state].name}” in ${written(scope)}
        or above it. Choose another state, or a scope further down.`,
  );
}

async function browsed(request: ViewerRequest, asked: KnowledgeAsked): Promise<Markup> {
  const { about, cursor, kind, level, scope, sensitivity, size, state } = asked;
  const { items, next_cursor: next } = await request.call('queryKnowledge', {
    scope_path: scope,
    state,
    kind,
    sensitivity,
    target_level: level,
    subject_key: about,
    limit: size,
    cursor,
  });
  const { means, name } = STATE_WORDS[state];
  const pages = pager(KNOWLEDGE_PATH, request.query, next);
  if (items.length === 0) return html`${emptyList(request, asked, next !== null)} ${pages}`;
  return html`<p class="lead">
      ${name} in ${written(scope)} and above it, those with the highest confidence first. ${means}
    </p>
    ${asked.asOf === '' ? NOTHING : html`<p class="hint">The list shows what is believed today. To look at a past day, enter words to find.</p>`}
    <ul class="list sheet">
      ${items.map((row) => readEntry(row, request.viewer.caller.peerId))}
    </ul>
    ${pages}`;
}

/** Fields of the operations by the names of the form's own. */
const FORM_NAMES: Readonly<Record<string, string>> = {
  subject_key: 'about',
  scope_path: 'scope',
  query: 'q',
};

function inForm(problem: Problem): Problem {
  const fields = problem.fields.map((fault) => ({
    ...fault,
    path: FORM_NAMES[fault.path] ?? fault.path,
  }));
  return { ...problem, fields };
}

async function shown(request: ViewerRequest): Promise<ShownPage> {
  const scopes = await request.call('listReadableScopes', {});
  const asked = askedFor(request, scopes);
  const isFind = asked.words !== '';
  const result = await (isFind ? found(request, asked) : browsed(request, asked)).catch(
    (error: unknown) => inForm(asProblem(error)),
  );
  const [main, problem] = 'code' in result ? [NOTHING, result] : [result, null];
  return {
    title: isFind ? 'Found statements' : 'Knowledge',
    main: html`<h1>Knowledge</h1>
      ${errorSummary({ problem })} ${filters(asked, scopes, problem)} ${main}`,
    ...(problem === null ? {} : { status: 422 }),
  };
}

export const KNOWLEDGE_ROUTE: PeopleRoute = {
  path: KNOWLEDGE_PATH,
  access: 'people',
  calls: ['listReadableScopes', 'queryKnowledge', 'search'],
  show: shown,
};
