/** Tables of the page: a caption, heads, rows. Wide ones scroll in their own box, which the keyboard reaches. */
import { html, type Markup, type Value } from '../../design/markup.ts';

type TableCell = Value;

/** A table that reads well on a narrow screen too. `caption` names it, also for who cannot see it. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly TableCell[])[],
): Markup {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Table: ${caption}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th> `)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th> ` : html`<td>${cell}</td> `))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const MOST_COUNTED = 1_000;
const digits = new Intl.NumberFormat('en');

/** A number with its thousands apart. */
export const numeral = (value: number): string => digits.format(value);

/** How many wait: past a thousand nobody needs to know how many. */
export function waiting(value: number): string {
  return value > MOST_COUNTED ? `more than ${numeral(MOST_COUNTED)}` : numeral(value);
}

const MICROS = 1_000_000;

/** Micro-USD as dollars. */
export const dollars = (micros: number): string => `$${(micros / MICROS).toFixed(4)}`;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** A stretch of time in its largest unit. */
export function duration(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`;
  return `${Math.floor(seconds / DAY)} d`;
}
