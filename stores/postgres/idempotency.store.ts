/**
 * Idempotency keys of requests that do their work in one transaction. The transaction reserves the key first, so that a
 * concurrent request with the same key waits for it and then finds its answer.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AccountStore } from './account-store.ts';

export interface KeyReservation {
  readonly credentialId: string;
  /** The concrete path of the POST. */
  readonly path: string;
  readonly key: string;
  readonly requestHash: Uint8Array;
  /** The status of the answer. */
  readonly status: number;
  /** The row that the answer is built again from. */
  readonly resourceId: string;
}

/** A key as a request sent it; null stands for none. */
export type SentKey = Pick<KeyReservation, 'path' | 'key' | 'requestHash'>;

export type ReservedKey =
  | {
      readonly outcome: 'accepted' | 'replayed';
      readonly resourceId: string;
      /** Of the first answer. */
      readonly status: number;
    }
  | { readonly outcome: 'conflict' };

const earlierRow = z.object({ same: z.boolean(), resource_id: z.string(), status: z.number() });

/** Idempotency keys of the account. */
export class IdempotencyStore extends AccountStore {
  /** Reserves the key for its resource. Of a reserved key: what the same request got, or `conflict` for another. */
  async reserve(reservation: KeyReservation): Promise<ReservedKey> {
    const { credentialId, path, key, resourceId } = reservation;
    const hash = sql.binary(Buffer.from(reservation.requestHash));
    const { rowCount } = await this.tx.query(sql.unsafe`
      insert into idempotency_records (account_id, id, credential_id, method, path, key, request_hash, status,
        resource_id)
      values (${this.accountId}, ${uuidv7()}, ${credentialId}, 'POST', ${path}, ${key}, ${hash}, ${reservation.status},
        ${resourceId})
      on conflict on constraint idempotency_key_is_used_once do nothing`);
    if (rowCount > 0) return { outcome: 'accepted', resourceId, status: reservation.status };
    const earlier = await this.tx.one(sql.type(earlierRow)`
      select request_hash = ${hash} as same, resource_id, status from idempotency_records
      where account_id = ${this.accountId} and credential_id = ${credentialId} and method = 'POST'
        and path_hash = text_sha256(${path}) and key = ${key}`);
    if (!earlier.same) return { outcome: 'conflict' };
    return { outcome: 'replayed', resourceId: earlier.resource_id, status: earlier.status };
  }
}
