/** The legend of the keys that decide. The script gives them their effect; without it there are the buttons. */
import { html, type Markup } from '../../design/markup.ts';
import type { ViewRequest } from '../../design/page.ts';
import { withQuery } from '../../design/elements.ts';
import { keysAreOn } from './asked.ts';

export type Keys = readonly (readonly [key: string, does: string])[];

export const ITEM_KEYS: Keys = [
  ['a', 'approve'],
  ['r', 'reject'],
  ['d', 'defer'],
  ['e', 'reword'],
  ['m', 'merge'],
  ['j', 'next'],
  ['k', 'previous'],
  ['u', 'list'],
  ['z', 'undo'],
];

/** The keys, and the link that turns them off: somebody may use a program that types. */
export function keyLegend(
  { path, query }: Pick<ViewRequest, 'path' | 'query'>,
  keys: Keys,
): Markup {
  if (!keysAreOn(query)) {
    return html`<p class="keys">
      Keys are off. <a href="${withQuery(path, query, { keys: null })}">Turn them on</a>
    </p>`;
  }
  return html`<details class="legend-of-keys" data-keys="">
    <summary>Keys</summary>
    <p class="keys">
      ${keys.map(([key, does]) => html`<span><kbd>${key}</kbd> ${does}</span> `)}
      <a href="${withQuery(path, query, { keys: 'off' })}">Turn keys off</a>
    </p>
  </details>`;
}
