/** What the tables of the page are made of. Their first column names the row. */
import { table as tableOf } from '../../design/table.ts';
import type { Markup, Value } from '../../design/markup.ts';

/** `caption` names the table for who does not see it. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Value[])[],
): Markup {
  return tableOf({ label: `Table: ${caption}`, heads, rows, namesRows: true });
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
