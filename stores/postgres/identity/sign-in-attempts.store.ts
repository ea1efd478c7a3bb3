/**
 * Sign-in attempts of the last minutes. An attempt is entered as a failure before the password is looked at,
 * so a thousand parallel guesses count as a thousand; success takes it off the failures afterwards. Two
 * advisory locks, always the e-mail's first, let attempts of one e-mail or address pass one by one.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { SIGN_IN_WINDOW_MS, signInRetryAfter } from '../../../domain/identity/sign-in-limit.ts';
import type { Queryable } from '../pool.ts';

export interface AttemptKeys {
  readonly emailHash: Uint8Array;
  /** Null when the address is unknown: then only the e-mail's limit holds. */
  readonly addressHash: Uint8Array | null;
}

export type Admission =
  | { readonly admitted: true; readonly attemptId: string }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

const EMAIL_LOCKS = 0x7669;
const ADDRESS_LOCKS = 0x7661;
const PRUNED_AT_ONCE = 200;

const recentRow = z.object({
  failures: z.int(),
  attempts: z.int(),
  oldest_failure_at: z.string().nullable(),
  oldest_attempt_at: z.string().nullable(),
});

function lockNumber(hash: Uint8Array): number {
  return Buffer.from(hash).readInt32BE(0);
}

function epoch(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
}

/** Enters an attempt, or says how long to wait. Old rows leave with each call, a page at a time. */
export async function admitSignIn(db: Queryable, keys: AttemptKeys, now: Date): Promise<Admission> {
  const since = new Date(now.getTime() - SIGN_IN_WINDOW_MS).toISOString();
  const email = sql.binary(Buffer.from(keys.emailHash));
  const address = sql.binary(Buffer.from(keys.addressHash ?? new Uint8Array(0)));
  return db.transaction(async (tx) => {
    await tx.query(
      sql.unsafe`select pg_advisory_xact_lock(${EMAIL_LOCKS}, ${lockNumber(keys.emailHash)})`,
    );
    if (keys.addressHash !== null) {
      await tx.query(
        sql.unsafe`select pg_advisory_xact_lock(${ADDRESS_LOCKS}, ${lockNumber(keys.addressHash)})`,
      );
    }
    await tx.query(sql.unsafe`
      delete from sign_in_attempts where id in (
        select id from sign_in_attempts where attempted_at <= ${since}::timestamptz
        limit ${PRUNED_AT_ONCE} for update skip locked)`);
    const recent = await tx.one(
      sql.type(recentRow)`
        select
          (count(*) filter (where email_hash = ${email} and not succeeded))::integer as failures,
          (count(*) filter (where address_hash = ${address} and ${keys.addressHash !== null}))::integer as attempts,
          min(attempted_at) filter (where email_hash = ${email} and not succeeded) as oldest_failure_at,
          min(attempted_at) filter (where address_hash = ${address}) as oldest_attempt_at
        from sign_in_attempts
        where attempted_at > ${since}::timestamptz and (email_hash = ${email} or address_hash = ${address})`,
    );
    const retryAfterSeconds = signInRetryAfter(
      {
        failures: recent.failures,
        attempts: recent.attempts,
        oldestFailureAt: epoch(recent.oldest_failure_at),
        oldestAttemptAt: epoch(recent.oldest_attempt_at),
      },
      now.getTime(),
    );
    if (retryAfterSeconds !== null) return { admitted: false, retryAfterSeconds };
    const attemptId = uuidv7();
    await tx.query(sql.unsafe`
      insert into sign_in_attempts (id, email_hash, address_hash, succeeded, attempted_at)
      values (${attemptId}, ${email}, ${address}, false, ${now.toISOString()})`);
    return { admitted: true, attemptId };
  });
}

/** Says that an admitted attempt had the right password. */
export async function markSignInSucceeded(db: Queryable, attemptId: string): Promise<void> {
  await db.query(sql.unsafe`update sign_in_attempts set succeeded = true where id = ${attemptId}`);
}
