/**
 * Sign-in attempts of the last minutes. An attempt is entered as a failure before the password is looked at,
 * so a thousand parallel guesses count as a thousand; success takes it off the failures afterwards. Two
 * advisory locks, always the e-mail's first, let attempts of one e-mail or address pass one by one.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import {
  SIGN_IN_WINDOW_MS,
  signInRetryAfter,
  type Attempts,
} from '../../../domain/identity/sign-in-limit.ts';
import { PoolStore } from '../pool-store.ts';
import type { Queryable } from '../pool.ts';

export interface AttemptKeys {
  readonly emailHash: Uint8Array;
  /** Null when the address is unknown: such attempts count as of one address, without the limit of an address. */
  readonly addressHash: Uint8Array | null;
}

export type Admission =
  | { readonly admitted: true; readonly attemptId: string }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

const EMAIL_LOCKS = 0x7669;
const ADDRESS_LOCKS = 0x7661;
/** Old rows that an attempt deletes at most. It adds one row, so the table stays as large as a window fills it. */
const MOST_PRUNED_ATTEMPTS = 200;

const recentRow = z.object({
  failures_here: z.int(),
  failures: z.int(),
  from_address: z.int(),
  oldest_failure_here_at: z.string().nullable(),
  oldest_failure_at: z.string().nullable(),
  oldest_from_address_at: z.string().nullable(),
});

function lockNumber(hash: Uint8Array): number {
  return Buffer.from(hash).readInt32BE(0);
}

function bytesOf({ emailHash, addressHash }: AttemptKeys) {
  return {
    email: sql.binary(Buffer.from(emailHash)),
    address: sql.binary(Buffer.from(addressHash ?? new Uint8Array(0))),
    isKnown: addressHash !== null,
  };
}

function attempts(count: number, oldest: string | null): Attempts {
  return { count, oldestAt: oldest === null ? null : Date.parse(oldest) };
}

/** Seconds until an attempt may be made, or null when it may be made now. One query; the limits bound its rows. */
async function retryAfter(db: Queryable, keys: AttemptKeys, now: Date): Promise<number | null> {
  const since = new Date(now.getTime() - SIGN_IN_WINDOW_MS).toISOString();
  const { email, address, isKnown } = bytesOf(keys);
  const recent = await db.one(sql.type(recentRow)`
    select
      (count(*) filter (where failed and here))::integer as failures_here,
      min(attempted_at) filter (where failed and here) as oldest_failure_here_at,
      (count(*) filter (where failed))::integer as failures,
      min(attempted_at) filter (where failed) as oldest_failure_at,
      (count(*) filter (where here and ${isKnown}))::integer as from_address,
      min(attempted_at) filter (where here and ${isKnown}) as oldest_from_address_at
    from (
      select attempted_at, email_hash = ${email} and not succeeded as failed, address_hash = ${address} as here
      from sign_in_attempts
      where attempted_at > ${since}::timestamptz
        and (email_hash = ${email} or (address_hash = ${address} and ${isKnown}))
    ) recent`);
  return signInRetryAfter(
    {
      failuresHere: attempts(recent.failures_here, recent.oldest_failure_here_at),
      failures: attempts(recent.failures, recent.oldest_failure_at),
      fromAddress: attempts(recent.from_address, recent.oldest_from_address_at),
    },
    now.getTime(),
  );
}

/** Sign-in attempts; they are of no account. */
export class SignInAttemptsStore extends PoolStore {
  /**
   * Enters an attempt, or says how long to wait. An attempt past a limit is refused before it waits for a lock, so
   * that a flood holds no connections; any other is counted again under the locks. Each attempt that gets there also
   * deletes a page of old rows.
   */
  async admit(keys: AttemptKeys, now: Date): Promise<Admission> {
    const early = await retryAfter(this.db, keys, now);
    if (early !== null) return { admitted: false, retryAfterSeconds: early };
    const over = new Date(now.getTime() - SIGN_IN_WINDOW_MS).toISOString();
    const { email, address } = bytesOf(keys);
    return this.db.transaction(async (tx) => {
      await tx.query(sql.unsafe`
        select pg_advisory_xact_lock(${EMAIL_LOCKS}, ${lockNumber(keys.emailHash)})`);
      if (keys.addressHash !== null) {
        await tx.query(sql.unsafe`
          select pg_advisory_xact_lock(${ADDRESS_LOCKS}, ${lockNumber(keys.addressHash)})`);
      }
      await tx.query(sql.unsafe`
        delete from sign_in_attempts where id = any(array(
          select id from sign_in_attempts where attempted_at <= ${over}::timestamptz
          order by attempted_at limit ${MOST_PRUNED_ATTEMPTS} for update skip locked))`);
      const retryAfterSeconds = await retryAfter(tx, keys, now);
      if (retryAfterSeconds !== null) return { admitted: false, retryAfterSeconds };
      const attemptId = uuidv7();
      await tx.query(sql.unsafe`
        insert into sign_in_attempts (id, email_hash, address_hash, succeeded, attempted_at)
        values (${attemptId}, ${email}, ${address}, false, ${now.toISOString()})`);
      return { admitted: true, attemptId };
    });
  }

  /** Takes an admitted attempt off the failures: its password was right, or was not checked. */
  async forgive(attemptId: string): Promise<void> {
    await this.db.query(sql.unsafe`
      update sign_in_attempts set succeeded = true where id = ${attemptId}`);
  }
}
