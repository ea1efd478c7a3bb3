/** Tables. On a narrow screen each row is a list of its cells, each beside the name of its column (`console.css`). */
import { html, NOTHING, type Markup, type Value } from './markup.ts';

interface TableLook {
  /** What the table is, for who does not see it. */
  readonly label: string;
  /** Names of the columns. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Shown above it. */
  readonly caption?: string;
  /** Whether the first cell of a row names the row. */
  readonly namesRows?: boolean;
}

/**
 * The roles are said, because a browser forgets them when rows are laid out as lists. The name of the column is an
 * attribute, so that it is no text of the page where the heads are seen.
 */
function cellOf(cell: Value, head: string, isName: boolean): Markup {
  return isName
    ? html`<th scope="row" role="rowheader" data-column="${head}"><div>${cell}</div></th> `
    : html`<td role="cell" data-column="${head}"><div>${cell}</div></td> `;
}

/** A table that can be scrolled with the keyboard where it is wider than its place. */
export function table({ caption, heads, label, namesRows = false, rows }: TableLook): Markup {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">
    <table role="table">
      ${
        caption === undefined
          ? NOTHING
          : html`<caption>
              ${caption}
            </caption>`
      }
      <thead role="rowgroup">
        <tr role="row">
          ${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th> `)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (cells) =>
            html`<tr role="row">
              ${cells.map((cell, at) => cellOf(cell, heads[at] ?? '', namesRows && at === 0))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
