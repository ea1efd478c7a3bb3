/**
 * Lists of values that engines hold of a unit: who spoke of it, who was there, where it has been. A unit that thousands
 * spoke of must not be thousands of values in each of its writes.
 */

/** Values of one field that an engine is told of a unit; more of them are told as `MANY`. */
export const MOST_LISTED = 64;

/**
 * Stands for a list that is too long: whatever an engine is asked for, it is in there. An engine may find more than
 * may be read, never less; Postgres decides on every row.
 */
export const MANY = '*';

/** The list as engines are told of it. */
export function listed(values: readonly string[]): readonly string[] {
  return values.length > MOST_LISTED ? [MANY] : values;
}
