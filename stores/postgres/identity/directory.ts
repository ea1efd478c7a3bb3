/**
 * Look-ups that identity makes before it knows the account, through the functions of vouch_lookup. They answer
 * ids only; what an id stands for is read afterwards, under its account.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { withRefusals } from '../errors.ts';
import { PoolStore } from '../pool-store.ts';
import type { Queryable } from '../pool.ts';

const idRow = z.object({ id: z.uuid().nullable() });
const loginRow = z.object({ account_id: z.uuid(), login_id: z.uuid() });
const erasureRow = z.object({ account_id: z.uuid(), erasure_id: z.uuid() });
const credentialRow = z.object({ account_id: z.uuid(), credential_id: z.uuid() });

/** The ids of all accounts, oldest first. */
export async function lookupAccountIds(db: Queryable): Promise<readonly string[]> {
  return db.anyFirst(
    sql.type(z.object({ id: z.uuid() }))`select id from lookup_accounts() as found (id)`,
  );
}

/** Which credential has the secret with this SHA-256, or null. */
export async function lookupCredential(
  db: Queryable,
  secretHash: Uint8Array,
): Promise<{ readonly accountId: string; readonly credentialId: string } | null> {
  const row = await db.maybeOne(sql.type(credentialRow)`
    select account_id, credential_id from lookup_credential(${sql.binary(Buffer.from(secretHash))})`);
  return row && { accountId: row.account_id, credentialId: row.credential_id };
}

/** Which erasure the ended credential with this SHA-256 asked for and may still read, or null. */
export async function lookupErasure(
  db: Queryable,
  secretHash: Uint8Array,
): Promise<{ readonly accountId: string; readonly erasureId: string } | null> {
  const row = await db.maybeOne(sql.type(erasureRow)`
    select account_id, erasure_id from lookup_erasure(${sql.binary(Buffer.from(secretHash))})`);
  return row && { accountId: row.account_id, erasureId: row.erasure_id };
}

/** What operations look up before an account is known. Throws the `Refusal` that a database error amounts to. */
export class Directory extends PoolStore {
  /** The ids of all accounts, oldest first. */
  accountIds(): Promise<readonly string[]> {
    return withRefusals(() => lookupAccountIds(this.db));
  }

  /** The account of that key, or null. */
  accountIdByKey(key: string): Promise<string | null> {
    return withRefusals(() =>
      this.db.oneFirst(sql.type(idRow)`select lookup_account(${key}) as id`),
    );
  }

  /** The last migration of the database, without the ending of its file. */
  schemaVersion(): Promise<string> {
    return withRefusals(() =>
      this.db.oneFirst(sql.type(z.object({ name: z.string() }))`
        select replace(max(name), '.sql', '') as name from schema_migrations`),
    );
  }

  /** The login of this e-mail and its account, or null. The address must be in its stored form (`parseEmail`). */
  async loginByEmail(
    email: string,
  ): Promise<{ readonly accountId: string; readonly loginId: string } | null> {
    const row = await withRefusals(() =>
      this.db.maybeOne(sql.type(loginRow)`select account_id, login_id from lookup_login(${email})`),
    );
    return row && { accountId: row.account_id, loginId: row.login_id };
  }
}
