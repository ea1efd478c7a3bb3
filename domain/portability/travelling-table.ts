/** How the archive of an account describes a table that travels. */

/** What a column that does not travel holds after an import. */
export type ValueAtImport =
  /** Its default, which is null where the column has none. */
  | 'default'
  /** What the database makes of other columns and rows. */
  | 'made'
  /** The id of the one revoked credential that stands for all credentials of the account. */
  | 'archive_credential'
  /** The same where the row names an uploader, who always comes with a credential. */
  | 'archive_credential_of_uploader';

export interface KeyColumn {
  readonly column: string;
  /** The type by which the value is compared. */
  readonly type: 'uuid' | 'text' | 'bytea' | 'bigint';
}

/** A part of the rows, walked along an index of its own. */
export interface RowSelection {
  /** Columns after the account that tell rows apart, in the order of the index. Empty for a table with one row. */
  readonly key: readonly KeyColumn[];
  readonly only?: 'sealed' | 'unsealed' | 'of_peers';
}

export interface TravellingTable {
  /** The column that names the account. */
  readonly account: 'account_id' | 'id';
  /** Columns that travel, without that of the account. */
  readonly columns: readonly string[];
  /** Columns that do not, each with its value after an import. */
  readonly left: Readonly<Record<string, ValueAtImport>>;
  readonly selections: readonly [RowSelection, ...RowSelection[]];
  /** Columns that name rows of another table and have no foreign key, because their rows are counted or worked off. */
  readonly references: Readonly<Record<string, string>>;
  /** Members that every line carries besides its columns. */
  readonly marks: Readonly<Record<string, string>>;
}

type Given = Pick<TravellingTable, 'columns'> & Partial<TravellingTable>;

const uuidKey = (column: string): KeyColumn => ({ column, type: 'uuid' });

/** A table whose key is one id. */
export function keyedById(given: Given): TravellingTable {
  return keyedBy([uuidKey('id')], given);
}

/** A table whose key is made of several ids. */
export function keyedByIds(columns: readonly string[], given: Given): TravellingTable {
  return keyedBy(columns.map(uuidKey), given);
}

/** A table with this key. */
export function keyedBy(key: readonly KeyColumn[], given: Given): TravellingTable {
  return {
    account: 'account_id',
    left: {},
    selections: [{ key }],
    references: {},
    marks: {},
    ...given,
  };
}
