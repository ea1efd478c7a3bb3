/**
 * The store of original bytes: content-addressed, per account, written once. The service writes a row of
 * `document_uploads` first, then the blob, then the transaction that names the blob. So no blob is without a row.
 */

export interface BlobAddress {
  readonly accountId: string;
  /** Of the bytes; lower-case hex. */
  readonly sha256: string;
}

export interface BlobStore {
  /** Durable when it returns. Writing the same bytes again changes nothing. `draft` is the id of the upload. */
  put(address: BlobAddress, bytes: Uint8Array, draft: string): Promise<void>;
  /** The bytes, checked against their address; null when there are none. Throws `BlobDamagedError`. */
  get(address: BlobAddress): Promise<Uint8Array | null>;
  /** Removes the blob. Succeeds also if there is no blob. */
  delete(address: BlobAddress): Promise<void>;
  /** Removes the unfinished bytes of an upload. If the upload is still writing, it fails. */
  deleteDraft(address: BlobAddress, draft: string): Promise<void>;
}

/** A store whose blobs can be compared with the rows that name them. */
export interface ListedBlobStore extends BlobStore {
  /** The digests of the account's blobs in ascending order, as many as fit in memory at a time. Drafts are left out. */
  list(accountId: string): AsyncIterable<string>;
  /** The ids of accounts below which there is anything. */
  accounts(): Promise<readonly string[]>;
}

/** The part of the store that an upload uses. */
export type UploadedBlobs = Pick<BlobStore, 'put' | 'delete' | 'deleteDraft'>;

/** The bytes that the store holds are not the bytes that were written. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const SHA256 = /^[0-9a-f]{64}$/;

/** Throws for anything else than an id: it becomes part of a path. */
export function draftName(draft: string): string {
  if (!UUID.test(draft)) throw new TypeError('no id of an upload');
  return draft;
}

/** The parts of a blob's key, from the account on. Throws for anything else than an address: parts become paths. */
export function blobKey({ accountId, sha256 }: BlobAddress): readonly [string, string, string] {
  if (!UUID.test(accountId) || !SHA256.test(sha256)) throw new TypeError('no address of a blob');
  return [accountId, sha256.slice(0, 2), sha256];
}
