/** How much there is, as tiles that lead to it. */
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';

type Overview = OutputOf<'readOverview'>;
type Count = Overview['statements'];

const GROUPED = new Intl.NumberFormat('en-US');

function amount({ count, more }: Count): Markup {
  return html`<span class="amount"
    >${more ? html`<small>more than</small> ` : NOTHING}${GROUPED.format(count)}</span
  >`;
}

function tile(count: Count, name: string, to: string): Markup {
  return html`<li>
    <a class="tile" href="${to}">${amount(count)} ${name}</a>
  </li>`;
}

const named = ({ count, more }: Count, one: string, several: string): string =>
  count === 1 && !more ? one : several;

/** The tiles. `asked` are the questions that wait for the viewer. */
export function tiles(overview: Overview, asked: Count): Markup {
  const { about_you: about, is_partial: isPartial, scopes, statements, waiting } = overview;
  return html`<ul class="tiles">
      ${tile(statements, named(statements, 'statement', 'statements'), '/console/knowledge')}
      ${tile(scopes, `${named(scopes, 'scope', 'scopes')} to read`, '/console/scopes')}
      ${tile(about, 'about you', '/console/me')}
      ${asked.count === 0 ? NOTHING : tile(asked, `${named(asked, 'question', 'questions')} to you`, '/console/me#questions')}
      ${waiting === null ? NOTHING : tile(waiting, `${named(waiting, 'decision', 'decisions')} to take`, '/governance')}
    </ul>
    ${isPartial ? html`<p class="hint">Statements are counted in the first 100 of your scopes.</p>` : NOTHING}`;
}
