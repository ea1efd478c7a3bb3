/**
 * Lists of values that indexes hold of a unit: its submitters, its readers, the scopes that it has been in. A unit
 * with thousands of submitters must not be thousands of values in each of its writes.
 */

/** The most values of one field that an index gets of a unit; a longer list is sent as `MANY`. */
export const MOST_LISTED = 64;

/**
 * Stands for a list that is too long, and matches whatever value an index is asked for. An index may find more than
 * may be read, never less; Postgres decides on every row.
 */
export const MANY = '*';

/** The list in the form that indexes take. */
export function listed(values: readonly string[]): readonly string[] {
  return values.length > MOST_LISTED ? [MANY] : values;
}

/** What an audience that names nobody lists: no principal is called so, and it is no missing audience. */
const NOBODY = 'nobody';

/** The principals of an audience as an index is told them. */
export function listedAudience(principals: readonly string[]): readonly string[] {
  return principals.length === 0 ? [NOBODY] : listed(principals);
}
