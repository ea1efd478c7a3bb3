/** Says that the statement of an item says the same as another one: which ones may, is looked for when it is asked for. */
import { Refusal } from '../../../domain/errors.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { stateBadge, statementText, withQuery } from '../../design/elements.ts';
import { csrfField, field } from '../../design/forms.ts';
import { html, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { QUEUE_PATH } from './asked.ts';

type Review = OutputOf<'readReview'>;
type Alike = Pick<Review['knowledge'], 'id' | 'statement' | 'state' | 'scope_path'>;

const MOST_ALIKE = 8;
/** Characters; a query has room for as many of four bytes. */
const LONGEST_LOOKED_FOR = 1_000;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The statement that a text names: its id, or the address of its page. As it is where it names none. */
export function namedStatement(text: string): string {
  return ID.exec(text)?.[0] ?? text.trim();
}

/**
 * The words of a statement as the query of a search. Signs are left out, and so is `or`: in a query they would exclude, or
 * bind, or part. Long statements are looked for by their beginning.
 */
export function queryOf(statement: string): string {
  const words = statement.slice(0, LONGEST_LOOKED_FOR).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.toLowerCase() !== 'or').join(' ');
}

/** Statements that say something like it, as a search of the viewer finds them; null when the search does not answer. */
async function alike(
  { call }: ViewerRequest,
  { conflicts, knowledge }: Review,
): Promise<Alike[] | null> {
  const answer = await call('search', {
    query: queryOf(knowledge.statement ?? ''),
    scope_path: knowledge.scope_path,
    limit: MOST_ALIKE,
  }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error;
    return null;
  });
  if (answer === null) return null;
  const found = answer.candidates.flatMap((row) =>
    row.candidate_type === 'knowledge' && row.id !== knowledge.id ? [row] : [],
  );
  const known = new Set(found.map(({ id }) => id));
  return [...conflicts.filter(({ id }) => !known.has(id)), ...found];
}

function option({ id, scope_path: scope, state, statement }: Alike): Markup {
  return html`<p>
    <label class="option"
      ><input type="radio" name="into" value="${id}" /> ${statementText(statement)}
      ${stateBadge(state)} <span class="quiet-text">in ${written(scope)}</span></label
    >
  </p>`;
}

/** The form that merges, with what may be meant; before it is asked for, the link that asks. `way` leads on to the next item. */
export async function mergeForm(
  request: ViewerRequest,
  review: Review,
  way: string,
): Promise<Markup> {
  const { csrf, form, path, problem, query } = request;
  const to = `${QUEUE_PATH}/${review.id}`;
  const isAsked = query.get('merge') === '1' || path === `${to}/merge`;
  if (!isAsked) {
    const more = { merge: '1' } as const;
    return html`<a class="button quiet" data-key="m" href="${withQuery(to, query, more)}#merge"
      >Merge it into another</a
    >`;
  }
  const found = review.knowledge.statement === null ? [] : await alike(request, review);
  return html`<form id="merge" class="wide" method="post" action="${to}/merge${way}">
    <h3>Which statement says the same?</h3>
    <p class="hint">
      The statement that you choose keeps its words and takes over the sources of this one. This one
      ends. You can take this back for 30 seconds.
    </p>
    ${csrfField(csrf)}
    <input type="hidden" name="version" value="${review.version}" />
    ${found === null ? html`<p class="quiet-text">The search does not answer now.</p>` : found.length === 0 ? html`<p class="quiet-text">A search found no statement that you may read.</p>` : found.map(option)}
    ${field({ name: 'other', label: 'Or another statement', value: form['other'] ?? '', hint: 'Its id, or the address of its page' }, problem, 'merge')}
    <button class="quiet" type="submit">Merge into it</button>
  </form>`;
}
