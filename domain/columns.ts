/** How code describes a column of Postgres. Types of rows, SQL and fields of the API follow from such descriptions. */

export interface ColumnShape {
  /**
   * `uuid`, `text`, `hash` (lower-case hex), `instant` (ISO 8601 UTC), `share` (0 to 1), `count`, `flag`, or the name of
   * an enumeration of the database.
   */
  readonly type: string;
  /** The words of the enumeration. */
  readonly words?: readonly string[];
  readonly nullable?: true;
}

/** The type of a value of the column. */
export type ColumnValue<C extends ColumnShape> =
  | (C extends { readonly words: readonly (infer Word)[] }
      ? Word
      : C extends { readonly type: 'share' | 'count' }
        ? number
        : C extends { readonly type: 'flag' }
          ? boolean
          : string)
  | (C extends { readonly nullable: true } ? null : never);
