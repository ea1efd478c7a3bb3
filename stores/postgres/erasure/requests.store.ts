/** Requests to erase a person: the request itself, what it ends at once, how it stands, and its receipt. */
import { sql } from 'slonik';
import { z } from 'zod';
import {
  ERASED_KINDS,
  ERASURE_MODES,
  ERASURE_STATES,
  NOTHING_ERASED,
  type ErasedCounts,
  type ErasureMode,
  type ErasureState,
} from '../../../domain/erasure/words.ts';
import { AccountStore } from '../account-store.ts';
import { LEAST_ID } from '../id-page.ts';
import { promise } from '../promised.ts';
import { subjectLocks } from '../subject-locks.ts';

const counts = z.partialRecord(z.enum(ERASED_KINDS), z.int());

const erasureRow = z.object({
  id: z.string(),
  peer_id: z.string().nullable(),
  mode: z.enum(ERASURE_MODES),
  state: z.enum(ERASURE_STATES),
  erased: counts.transform((known): ErasedCounts => ({ ...NOTHING_ERASED, ...known })),
  requested_at: z.string(),
  first_verified_at: z.string().nullable(),
  receipt: z.string().nullable(),
});

const receiptRow = z.object({ id: z.string(), receipt: z.string() });
export type ErasureReceipt = z.infer<typeof receiptRow>;
export type ErasureRow = z.infer<typeof erasureRow>;

const columns = sql.fragment`id, peer_id, mode, state, erased, requested_at, first_verified_at, receipt`;

/** What one credential may read for some days after its person asked. */
export interface ErasureAccess {
  readonly credentialId: string;
  readonly until: Date;
}

export class ErasuresStore extends AccountStore {
  async find(id: string): Promise<ErasureRow | null> {
    return this.tx.maybeOne(sql.type(erasureRow)`
      select ${columns} from erasure_requests where account_id = ${this.accountId} and id = ${id}::uuid`);
  }

  /** The request of the peer that is not complete. */
  async openOf(peerId: string): Promise<ErasureRow | null> {
    return this.tx.maybeOne(sql.type(erasureRow)`
      select ${columns} from erasure_requests where account_id = ${this.accountId} and peer_id = ${peerId}::uuid`);
  }

  /** Receipts in the order of their requests, after the one of that id. */
  async receipts(after: string | null, limit: number): Promise<readonly ErasureReceipt[]> {
    return this.tx.any(sql.type(receiptRow)`
      select id, receipt from erasure_requests
      where account_id = ${this.accountId} and receipt is not null and id > ${after ?? LEAST_ID}::uuid
      order by id limit ${limit}`);
  }

  /**
   * Takes the locks that a request needs, until the transaction ends: of two administrators of an account only one asks
   * at a time, and whoever writes about the peer, or in its name, is waited for.
   */
  async lock(peerId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      select from accounts where id = ${this.accountId} for no key update`);
    await this.tx.query(sql.unsafe`${subjectLocks(this.accountId, [peerId])}`);
    await this.tx.query(sql.unsafe`
      select from peers where account_id = ${this.accountId} and id = ${peerId}::uuid for update`);
  }

  /** Whether the peer was erased: its row stands for nobody any more. */
  async isErased(peerId: string): Promise<boolean> {
    return this.tx.exists(sql.unsafe`
      select from peers p where p.account_id = ${this.accountId} and p.id = ${peerId}::uuid and p.erasing_at is not null
        and not exists (select from erasure_requests r where r.account_id = p.account_id and r.peer_id = p.id)`);
  }

  /**
   * Enters the request under the locks, and ends at once what the peer could do: its credentials, its login and what it
   * uploaded and nobody read. `access` names the credential that may go on reading the request.
   */
  async enter(
    request: {
      readonly id: string;
      readonly peerId: string;
      readonly mode: ErasureMode;
      /** When it was asked for, if not now. */
      readonly requestedAt?: string;
    },
    access: ErasureAccess | null,
  ): Promise<void> {
    const { id, mode, peerId, requestedAt = null } = request;
    const isHers = (column: 'peer_id' | 'uploader_peer_id') =>
      sql.fragment`account_id = ${this.accountId} and ${sql.identifier([column])} = ${peerId}::uuid`;
    const at = await this.tx.oneFirst(sql.type(erasureRow.pick({ requested_at: true }))`
      insert into erasure_requests (account_id, id, peer_id, mode, requested_at, access_hash, access_until)
      select ${this.accountId}, ${id}, ${peerId}, ${mode}::erasure_mode,
        coalesce(${requestedAt}::timestamptz, clock_timestamp()),
        case when c.id is not null then c.secret_hash end,
        case when c.id is not null then ${access?.until.toISOString() ?? null}::timestamptz end
      from (values (${access?.credentialId ?? null}::uuid)) as asking (id)
      left join credentials c on c.account_id = ${this.accountId} and c.id = asking.id
      returning requested_at`);
    const credentialId = access?.credentialId ?? null;
    this.promiseErasure({ id, peer_id: peerId, mode, requested_at: at }, credentialId);
    await this.tx.query(sql.unsafe`
      with marked as (
        update peers set erasing_at = clock_timestamp()
        where account_id = ${this.accountId} and id = ${peerId}::uuid
      ), revoked as (
        update credentials set revoked_at = clock_timestamp()
        where ${isHers('peer_id')} and kind = 'api_key' and revoked_at is null
      ), closed as (
        update logins set closed_at = clock_timestamp() where ${isHers('peer_id')} and closed_at is null
      )
      update document_versions set parsed_at = clock_timestamp(), chunk_count = 0
      where ${isHers('uploader_peer_id')} and parsed_at is null`);
  }

  /** The request is an event itself: the run promises what the request did, in the same words. */
  promiseErasure(
    row: Pick<ErasureRow, 'id' | 'mode' | 'requested_at'> & { readonly peer_id: string },
    credentialId: string | null,
  ): void {
    const { id, mode, peer_id: peerId, requested_at: at } = row;
    const ids = { erasure_id: id, peer_id: peerId, credential_id: credentialId };
    promise(this.tx, { kind: 'erasure', ...ids, mode }, { eventId: id, at });
  }

  /** Says how far the erasure is; a completed one stays completed. */
  async advance(id: string, state: Exclude<ErasureState, 'completed'>): Promise<void> {
    await this.tx.query(sql.unsafe`
      update erasure_requests set state = ${state}::erasure_state
      where account_id = ${this.accountId} and id = ${id}::uuid and state <> 'completed'`);
  }

  /** Adds to what was erased. */
  async count(id: string, erased: Partial<ErasedCounts>): Promise<void> {
    await this.tx.query(sql.unsafe`
      update erasure_requests r set erased = r.erased || (
        select coalesce(jsonb_object_agg(more.key, coalesce((r.erased ->> more.key)::bigint, 0) + more.value::bigint), '{}')
        from jsonb_each_text(${JSON.stringify(erased)}::jsonb) as more)
      where r.account_id = ${this.accountId} and r.id = ${id}::uuid`);
  }

  /** The stores were read back for the first time, and nothing was left. */
  async verifiedOnce(id: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update erasure_requests set first_verified_at = clock_timestamp()
      where account_id = ${this.accountId} and id = ${id}::uuid and state <> 'completed'`);
  }

  /** Something was left after all: the stores must be read back twice again. */
  async unverified(id: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update erasure_requests set first_verified_at = null, state = 'running'
      where account_id = ${this.accountId} and id = ${id}::uuid and state <> 'completed'`);
  }

  /**
   * Ends the request: the peer gets a key that nobody knows and no name, what was kept for the verification goes, and
   * nothing leads from the request to the peer any more.
   */
  async complete(id: string, peerId: string, receipt: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      with units as (
        delete from erasure_units where account_id = ${this.accountId} and erasure_id = ${id}::uuid
      ), blobs as (
        delete from erasure_blobs where account_id = ${this.accountId} and erasure_id = ${id}::uuid
      ), nobody as (
        update peers set key = 'erased-' || gen_random_uuid(), name = 'erased', audit_salt = null
        where account_id = ${this.accountId} and id = ${peerId}::uuid
      )
      update erasure_requests
      set state = 'completed', peer_id = null, completed_at = clock_timestamp(), receipt = ${receipt}
      where account_id = ${this.accountId} and id = ${id}::uuid`);
  }
}
