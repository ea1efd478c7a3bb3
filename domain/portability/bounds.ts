/** Bounds of an archive. It may come from a stranger, so that every member has one. */

/** Documents of an account whose bytes travel. */
export const MOST_BLOBS = 500_000;
/** Bytes of the manifest: some 100 for a blob. */
export const MOST_MANIFEST_BYTES = 67_108_864;
/** Bytes of a line. A message of 1 MiB takes at most 6 MiB as JSON. */
export const MOST_LINE_BYTES = 8_388_608;
/** Bytes of the original of a document. */
export const MOST_BLOB_BYTES = 33_554_432;
/** How many times larger than its file the contents of an archive may be. Lines of an account are 5 to 20 times larger. */
export const MOST_TIMES_LARGER = 200;
/** Bytes of contents that are read whatever the size of the file. */
export const ALWAYS_READ_BYTES = 67_108_864;
/** Bytes of lines that are read from the database, or written to it, at a time. */
export const PAGE_BYTES = 1_048_576;
/** Rows that are read, or written, at a time. */
export const MOST_PAGE_ROWS = 2_000;
/** Rows of the first page of a table, before their size is known. */
export const FIRST_PAGE_ROWS = 50;

/** How many rows the next page should ask for, after one of `rows` rows and `bytes` bytes. */
export function nextPageRows(rows: number, bytes: number): number {
  if (rows === 0) return FIRST_PAGE_ROWS;
  const fitting = Math.floor((PAGE_BYTES * 2 * rows) / Math.max(bytes, 1));
  return Math.min(Math.max(fitting, 1), MOST_PAGE_ROWS);
}
