/** Knowledge: browse the statements of a scope, or find some by words. The address holds all of what was asked for. */
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../../domain/governance/visibility.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { empty, pager, statementEntry } from '../../design/elements.ts';
import { choice, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { STATE_WORDS } from '../../design/words.ts';
import type { ViewerRequest, PeopleRoute, ShownPage } from '../../page.ts';
import { asProblem } from '../refused.ts';
import { searchOutcome } from './outcome.ts';

const PATH = '/console/knowledge';
const PAGE_SIZE = 25;
const MOST_CHOICES = 200;
/** What can be listed: what was taken away is nowhere. */
const LISTED = KNOWLEDGE_STATES.filter((state) => state !== 'redacted' && state !== 'retracted');

interface Asked {
  readonly scope: string;
  readonly state: KnowledgeState;
  readonly words: string;
  readonly cursor: string | null;
}

type Scopes = OutputOf<'listReadableScopes'>;

function askedFor({ query }: ViewerRequest, { items }: Scopes): Asked {
  const state = LISTED.find((word) => word === query.get('state')) ?? 'active';
  const scope = (query.get('scope') ?? '').trim();
  return {
    // The deepest scope shows the most: what stands above it is inherited.
    scope: scope === '' ? (items.at(-1)?.path ?? '/') : scope,
    state,
    words: (query.get('q') ?? '').trim(),
    cursor: query.get('cursor'),
  };
}

/** Scopes to choose from, and the one that is asked for whether it is among them or not. */
function scopeField({ scope }: Asked, { items, more }: Scopes): Markup {
  const paths = items.map(({ path }) => path);
  if (more || paths.length > MOST_CHOICES) {
    return field({ name: 'scope', label: 'Scope', value: scope, hint: 'A path, such as /team' });
  }
  const all = paths.includes(scope) ? paths : [scope, ...paths];
  const choices = all.map((path) => ({ value: path, name: path }));
  return choice({ name: 'scope', label: 'Scope', chosen: scope }, choices);
}

function filters(asked: Asked, scopes: Scopes): Markup {
  return html`<form
    class="sheet filters"
    method="get"
    action="${PATH}"
    role="search"
    aria-label="Statements"
  >
    <div class="wide">
      ${field({ name: 'q', label: 'Find', type: 'search', value: asked.words, hint: 'Words, or a question. Leave it empty to see everything.' })}
    </div>
    ${scopeField(asked, scopes)}
    ${choice(
      { name: 'state', label: 'State', chosen: asked.state },
      LISTED.map((state) => ({ value: state, name: STATE_WORDS[state].name })),
    )}
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

async function browsed(request: ViewerRequest, { cursor, scope, state }: Asked): Promise<Markup> {
  const page = await request.call('queryKnowledge', {
    scope_path: scope,
    state,
    limit: PAGE_SIZE,
    cursor,
  });
  const { means, name } = STATE_WORDS[state];
  if (page.items.length === 0) {
    return empty(
      cursor === null ? 'Nothing to show' : 'There is no more',
      state === 'active'
        ? html`Nothing is believed in ${written(scope)} or above it that you may see. What waits for
            a decision is listed under other states. Statements come from what agents send to
            <code>/api/v1/ingest</code> and from documents.`
        : html`No statement of the state “${name}” in ${written(scope)} or above it is for you to
          see. Choose another state, or a scope further down.`,
    );
  }
  return html`<p class="lead">
      ${name} in ${written(scope)} and above it, the best attested first. ${means}
    </p>
    <ul class="list sheet">
      ${page.items.map((row) => statementEntry(row))}
    </ul>
    ${pager(PATH, request.query, page.next_cursor)}`;
}

async function found(request: ViewerRequest, { scope, words }: Asked): Promise<Markup> {
  const answer = await request.call('search', {
    query: words,
    scope_path: scope,
    limit: PAGE_SIZE,
  });
  const entries = answer.candidates.map((candidate) =>
    candidate.candidate_type === 'knowledge'
      ? statementEntry(candidate)
      : html`<li>
          <span class="title">${written(candidate.statement)}</span>
          <p class="meta">
            <span class="badge plain">Passage of a document</span>
            <span>in ${written(candidate.scope_path)}</span>
          </p>
        </li>`,
  );
  return html`${searchOutcome(answer)}
  ${
    entries.length === 0
      ? empty(
          'Nothing was found',
          'Use other words, leave some out, or choose a scope further down. A search looks at what is believed now.',
        )
      : html`<ul class="list sheet">
          ${entries}
        </ul>`
  }`;
}

async function shown(request: ViewerRequest): Promise<ShownPage> {
  const scopes = await request.call('listReadableScopes', {});
  const asked = askedFor(request, scopes);
  const isFind = asked.words !== '';
  const result = await (isFind ? found(request, asked) : browsed(request, asked)).catch(asProblem);
  const [main, problem] = 'code' in result ? [NOTHING, result] : [result, null];
  return {
    title: isFind ? 'Found statements' : 'Knowledge',
    main: html`<h1>Knowledge</h1>
      ${errorSummary({ problem })} ${filters(asked, scopes)} ${main}`,
    ...(problem === null ? {} : { status: 422 }),
  };
}

export const KNOWLEDGE_ROUTE: PeopleRoute = {
  path: PATH,
  access: 'people',
  calls: ['listReadableScopes', 'queryKnowledge', 'search'],
  show: shown,
};
