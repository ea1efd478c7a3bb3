/** What the pages about sources have in common: their tabs, their filters, and their frame. */
import type { OutputOf } from '../../../operations/registry.ts';
import { doneNotice, pager } from '../../design/elements.ts';
import { choice, errorSummary, field, type Choice } from '../../design/forms.ts';
import { attributes, html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest, Problem, ShownPage } from '../../design/page.ts';
import { asProblem } from '../refused.ts';

export const SOURCES_PATH = '/console/sources';
export const OBSERVATIONS_PATH = `${SOURCES_PATH}/observations`;
const PAGE_SIZE = 50;
const MOST_CHOICES = 200;

const TABS = [
  { path: SOURCES_PATH, name: 'Documents' },
  { path: `${SOURCES_PATH}/sessions`, name: 'Sessions' },
  { path: `${SOURCES_PATH}/observations`, name: 'Observations' },
  { path: `${SOURCES_PATH}/connectors`, name: 'Connectors' },
] as const;

const DONE = {
  uploaded: 'The service stored the document and reads it now.',
  unchanged: 'The file is the same as the latest version. Nothing was changed.',
  withdrawn: 'You withdrew it. The service supersedes the statements that only it attests.',
  requeued: 'You requeued it. The service extracts it again.',
} as const;

function tabs(open: string): Markup {
  return html`<nav class="tabs" aria-label="Kinds of sources">
    ${TABS.map(
      ({ name, path }) =>
        html`<a href="${path}" ${attributes({ 'aria-current': path === open ? 'page' : null })}
          >${name}</a
        >`,
    )}
  </nav>`;
}

export type Scopes = OutputOf<'listReadableScopes'>;

/** Scopes to choose from: `first` stands before them; a path to type where there are too many. */
export function scopeField(
  { items, more }: Scopes,
  chosen: string,
  first: Choice | null,
  problem: Problem | null = null,
): Markup {
  const paths = items.map(({ path }) => path);
  const hasProblem = problem?.fields.some(({ path }) => path === 'scope_path') ?? false;
  if (more || paths.length > MOST_CHOICES || hasProblem) {
    const hint = 'A path, such as /team';
    return field({ name: 'scope_path', label: 'Scope', value: chosen, hint }, problem);
  }
  const all = chosen === '' || paths.includes(chosen) ? paths : [chosen, ...paths];
  const choices = all.map((path) => ({ value: path, name: path }));
  return choice(
    { name: 'scope_path', label: 'Scope', chosen },
    first === null ? choices : [first, ...choices],
  );
}

/** The filters of a list: where, and what else it can be narrowed by. */
function filters(path: string, label: string, fields: Markup): Markup {
  return html`<form class="sheet filters" method="get" action="${path}" aria-label="${label}">
    ${fields}
    <div class="send"><button type="submit">Show</button></div>
  </form>`;
}

const ALL_SCOPES: Choice = { value: '', name: 'All that you may see' };
export const ANY_STATE: Choice = { value: '', name: 'Any' };

/** A parameter of the address; null where it is empty or not there. */
function parameter({ query }: ViewerRequest, name: string): string | null {
  const text = (query.get(name) ?? '').trim();
  return text === '' ? null : text;
}

/** A page with the tabs above it. */
export function framed(
  request: ViewerRequest,
  of: {
    readonly title: string;
    readonly tab: string;
    readonly main: Markup;
    /** Of a page below the tab. */
    readonly heading?: string;
    /** What was wrong with the address. */
    readonly problem?: Problem | null;
  },
): ShownPage {
  const problem = request.problem ?? of.problem ?? null;
  return {
    title: of.title,
    main: html`<h1>Sources</h1>
      <p class="lead">Observations and documents: statements come from these.</p>
      ${tabs(of.tab)} ${errorSummary({ problem })}
      ${problem === null ? doneNotice(request.query, DONE) : NOTHING}
      ${of.heading === undefined ? NOTHING : html`<h2>${of.heading}</h2>`} ${of.main}`,
    ...(request.problem === null && problem !== null ? { status: 422 } : {}),
  };
}

/** What an address asks of a list: values by their names, null where it names none. */
type Asked = Readonly<Record<string, string | null>>;

export interface FilteredList<Item> {
  readonly title: string;
  /** Of the page, which is a tab. */
  readonly path: string;
  /** What narrows the list beside the scope, by the names in the address. */
  readonly narrowedBy: readonly string[];
  /** Asks for a page of the list. `common` is what every list takes: scope, cursor and how many. */
  readonly page: (
    common: Readonly<Record<string, unknown>>,
    asked: Asked,
  ) => Promise<{ readonly items: readonly Item[]; readonly next_cursor: string | null }>;
  readonly entry: (item: Item) => Markup;
  /** What stands in the place of an empty list. */
  readonly nothing: (isNarrowed: boolean) => Markup;
  /** Fields of the filters, after that of the scope. */
  readonly fields?: (asked: Asked, problem: Problem | null) => Markup;
  /** Stands above the filters. */
  readonly above?: Markup;
}

/** The page of a list: its filters, which the address holds, and what they let through or what is wrong with them. */
export async function showList<Item>(
  request: ViewerRequest,
  list: FilteredList<Item>,
): Promise<ShownPage> {
  const { call, query } = request;
  const { above = NOTHING, entry, fields, narrowedBy, nothing, path, title } = list;
  const scopes = await call('listReadableScopes', {});
  const names = ['scope_path', 'cursor', ...narrowedBy];
  const asked: Asked = Object.fromEntries(names.map((name) => [name, parameter(request, name)]));
  const { cursor = null, scope_path: scope = null } = asked;
  const found = await list
    .page({ scope_path: scope, cursor, limit: PAGE_SIZE }, asked)
    .catch(asProblem);
  const problem = 'code' in found ? found : null;
  const filled = (): Markup => {
    if ('code' in found) return NOTHING;
    if (found.items.length === 0 && found.next_cursor === null) {
      return nothing(Object.values(asked).some((value) => value !== null));
    }
    return html`<ul class="list sheet">
        ${found.items.map(entry)}
      </ul>
      ${pager(path, query, found.next_cursor)}`;
  };
  return framed(request, {
    title,
    tab: path,
    problem,
    main: html`${above}
    ${filters(
      path,
      title,
      html`${scopeField(scopes, scope ?? '', ALL_SCOPES, problem)}
      ${fields?.(asked, problem) ?? NOTHING}`,
    )}
    ${filled()}`,
  });
}
