/**
 * Bytes of documents against the rows that name them. They stand in different stores, and one of them may be of an earlier
 * day. Rows without bytes are told. Bytes without a row are removed: the row went with a restore, and the person may
 * have taken the document back since, so nobody would ever delete them.
 */
import type { ListedBlobStore } from '../../stores/blobs/blob-store.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';

export interface BlobComparison {
  /** Digests that versions name. */
  readonly named: number;
  /** Of those, the ones whose bytes are not there. */
  readonly missing: number;
  /** Some of the missing, as digests. */
  readonly examples: readonly string[];
  /** Blobs that no version and no upload names. */
  readonly orphans: number;
  /** Of those, the ones that were removed. */
  readonly removed: number;
}

export interface CompareBlobsOptions {
  readonly remove: boolean;
  readonly signal: AbortSignal;
}

export type CompareBlobs = (
  accountId: string,
  options: CompareBlobsOptions,
) => Promise<BlobComparison>;

const PAGE = 1_000;
const EXAMPLES = 20;

/** The digests that rows name, in order. */
async function* namedIn(inAccount: InAccount, accountId: string): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const from = after;
    const page = await inAccount(accountId, ({ uploads }) => uploads.named(from, PAGE));
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last;
  }
}

type Side = 'row' | 'blob';

/** What only one of two ordered lists holds, and what both do. */
async function* merged(
  rows: AsyncIterator<string>,
  blobs: AsyncIterator<string>,
): AsyncGenerator<{ readonly sha256: string; readonly in: Side | 'both' }> {
  let [row, blob] = [await rows.next(), await blobs.next()];
  while (row.done !== true || blob.done !== true) {
    const isRow = row.done !== true && (blob.done === true || row.value <= blob.value);
    const isBlob = blob.done !== true && (row.done === true || blob.value <= row.value);
    yield {
      sha256: String(isRow ? row.value : blob.value),
      in: isRow && isBlob ? 'both' : isRow ? 'row' : 'blob',
    };
    if (isRow) row = await rows.next();
    if (isBlob) blob = await blobs.next();
  }
}

export function createCompareBlobs(
  inAccount: InAccount,
  store: Pick<ListedBlobStore, 'list' | 'delete'>,
): CompareBlobs {
  return async (accountId, { remove, signal }) => {
    const counts = { named: 0, missing: 0, orphans: 0, removed: 0 };
    const examples: string[] = [];
    const rows = namedIn(inAccount, accountId);
    const blobs = store.list(accountId)[Symbol.asyncIterator]();
    for await (const { sha256, in: side } of merged(rows, blobs)) {
      signal.throwIfAborted();
      if (side !== 'blob') counts.named += 1;
      if (side === 'row') {
        counts.missing += 1;
        if (examples.length < EXAMPLES) examples.push(sha256);
      }
      if (side !== 'blob') continue;
      // An upload puts its bytes before it has a version, and names them in a row of its own.
      const isOrphan = await inAccount(accountId, ({ uploads }) =>
        remove ? uploads.deleteUnneeded(sha256, store) : uploads.isUnneeded(sha256),
      );
      if (isOrphan) counts.orphans += 1;
      if (isOrphan && remove) counts.removed += 1;
    }
    return { ...counts, examples };
  };
}
