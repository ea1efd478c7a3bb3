/**
 * Decision tables: rows in their order, of which the first that fits a cell gives the answer. A cell names a value for each
 * aspect of a situation, in words.
 */
import type { Sentence } from './sentence.ts';

export type Cell = Readonly<Record<string, string>>;

export interface Row<Answer> {
  /** Aspects that decide, each with the values that fit; every other aspect may have any value. */
  readonly when: Readonly<Record<string, readonly string[]>>;
  readonly answer: Answer;
  readonly from: Sentence;
}

export type Table<Answer> = readonly Row<Answer>[];

export function fits({ when }: Pick<Row<unknown>, 'when'>, cell: Cell): boolean {
  for (const aspect in when) {
    const value = cell[aspect];
    if (value === undefined) throw new Error(`a row asks for "${aspect}", which the cell lacks`);
    if (when[aspect]?.includes(value) !== true) return false;
  }
  return true;
}

/** The row that decides about the cell. Throws when there is none: a table is complete. */
export function rowFor<Answer>(table: Table<Answer>, cell: Cell): Row<Answer> {
  const row = table.find((each) => fits(each, cell));
  if (row === undefined) throw new Error(`no row fits ${JSON.stringify(cell)}`);
  return row;
}
