/**
 * Uploads of documents that have not come to their end. Each leads to bytes that are put outside the database: none are
 * there without a row, whenever a process dies. Bytes are deleted under their lock and only where no row needs them.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { AccountStore } from '../account-store.ts';
import type { Queryable } from '../pool.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { bytesLock } from './bytes-lock.ts';

/** An upload as it begins. */
export interface DocumentUpload {
  /** Names the draft of the bytes, too. */
  readonly id: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly uploaderPeerId: string;
}

/** Of stale uploads so many of the oldest are drawn from. */
const STALE_DRAWN_FROM = 1_000;

type Deletion = Pick<BlobStore, 'delete' | 'deleteDraft'>;

const idRow = z.object({ id: z.string() });
const hashRow = z.object({ sha256: z.string() });
const staleRow = idRow.extend({ sha256: z.string() });

/** Whether a version has the bytes, or an upload that may come to its end. */
function isNeeded(tx: Queryable, accountId: string, sha256: string): Promise<boolean> {
  const isOfBytes = sql.fragment`account_id = ${accountId}::uuid and sha256 = decode(${sha256}, 'hex')`;
  return tx.exists(sql.unsafe`
    select from document_versions where ${isOfBytes}
    union all
    select from document_uploads where ${isOfBytes} and uploader_peer_id is not null`);
}

/** Uploads of the account. */
export class DocumentUploadsStore extends AccountStore {
  /** Enters the upload, once no deletion of the same bytes is under way. False for a person who is being erased. */
  async begin({ id, sha256, uploaderPeerId }: DocumentUpload): Promise<boolean> {
    await this.tx.query(sql.unsafe`${bytesLock(this.accountId, sha256, 'shared')}`);
    const isPresent = isNotErasing(
      sql.fragment`${this.accountId}::uuid`,
      sql.fragment`${uploaderPeerId}::uuid`,
    );
    const { rowCount } = await this.tx.query(sql.unsafe`
      insert into document_uploads (account_id, id, sha256, uploader_peer_id)
      select ${this.accountId}::uuid, ${id}::uuid, decode(${sha256}, 'hex'), ${uploaderPeerId}::uuid where ${isPresent}`);
    return rowCount > 0;
  }

  /** Ends the upload, in the transaction that names its bytes. False where nothing may come of it any more. */
  async end(id: string): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      delete from document_uploads
      where account_id = ${this.accountId}::uuid and id = ${id}::uuid and uploader_peer_id is not null`);
    return rowCount > 0;
  }

  /** Ends an upload that nothing came of, whether its row is still there or not: its draft goes, and its bytes. */
  async abandon(
    { id, sha256 }: Pick<DocumentUpload, 'id' | 'sha256'>,
    blobs: Deletion,
  ): Promise<void> {
    await this.tx.query(sql.unsafe`${bytesLock(this.accountId, sha256, 'exclusive')}`);
    await this.tx.query(sql.unsafe`
      delete from document_uploads where account_id = ${this.accountId}::uuid and id = ${id}::uuid`);
    const address = { accountId: this.accountId, sha256 };
    await blobs.deleteDraft(address, id);
    if (!(await isNeeded(this.tx, this.accountId, sha256))) await blobs.delete(address);
  }

  /**
   * Deletes bytes of a person who is erased, and the drafts of uploads of them that nothing may come of. False where a
   * version has the bytes by now, or an upload of somebody else is about to. The uploads stay until they are old: a
   * process that stands still may yet write what it has begun.
   */
  async deleteErased(sha256: string, blobs: Deletion): Promise<boolean> {
    await this.tx.query(sql.unsafe`${bytesLock(this.accountId, sha256, 'exclusive')}`);
    const address = { accountId: this.accountId, sha256 };
    const drafts = await this.tx.anyFirst(sql.type(idRow)`
      select id from document_uploads
      where account_id = ${this.accountId}::uuid and sha256 = decode(${sha256}, 'hex') and uploader_peer_id is null`);
    for (const draft of drafts) await blobs.deleteDraft(address, draft);
    if (await isNeeded(this.tx, this.accountId, sha256)) return false;
    await blobs.delete(address);
    return true;
  }

  /**
   * Some of the oldest uploads that began so long ago, in milliseconds of the database's clock: in random order, so that
   * one whose bytes cannot be deleted does not keep the others back.
   */
  async stale({ limit, olderThanMs }: { readonly olderThanMs: number; readonly limit: number }) {
    return this.tx.any(sql.type(staleRow)`
      select id, encode(sha256, 'hex') as sha256 from (
        select id, sha256 from document_uploads
        where account_id = ${this.accountId}::uuid
          and began_at < clock_timestamp() - make_interval(secs => ${olderThanMs / 1_000})
        order by began_at, id limit ${STALE_DRAWN_FROM}) oldest
      order by random() limit ${limit}`);
  }

  /** The digests of bytes that versions name and that follow `after`, each once, in order. */
  async named(after: string, limit: number): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(hashRow)`
      select distinct encode(sha256, 'hex') as sha256 from document_versions
      where account_id = ${this.accountId}::uuid and sha256 > decode(${after}, 'hex')
      order by 1 limit ${limit}`);
  }

  /** Whether no row needs the bytes. */
  async isUnneeded(sha256: string): Promise<boolean> {
    return !(await isNeeded(this.tx, this.accountId, sha256));
  }

  /** Deletes bytes that no row needs; false where one does. */
  async deleteUnneeded(sha256: string, blobs: Pick<BlobStore, 'delete'>): Promise<boolean> {
    await this.tx.query(sql.unsafe`${bytesLock(this.accountId, sha256, 'exclusive')}`);
    if (await isNeeded(this.tx, this.accountId, sha256)) return false;
    await blobs.delete({ accountId: this.accountId, sha256 });
    return true;
  }
}
