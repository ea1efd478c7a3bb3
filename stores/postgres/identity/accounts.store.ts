/** The account of the running transaction, and its root scope. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { GATE_PRESETS, type GatePreset } from '../../../domain/governance/presets.ts';
import { SECRET_POLICIES, type SecretPolicy } from '../../../domain/governance/secret-policy.ts';
import type { Queryable } from '../pool.ts';
import { lookupAccountIds } from './directory.ts';

const accountRow = z.object({
  id: z.uuid(),
  key: z.string(),
  name: z.string(),
  gate_preset: z.enum(GATE_PRESETS),
  created_at: z.string(),
});
export type AccountRow = z.infer<typeof accountRow>;

/** The id for an account that is about to be created. */
export function newAccountId(): string {
  return uuidv7();
}

export function createAccountsStore(db: Queryable, accountId: string) {
  return {
    /** Creates the account row and the scope `/`. A key that exists breaks `account_key_is_unique`. */
    async insert(account: { key: string; name: string; preset: GatePreset }): Promise<void> {
      await db.query(sql.unsafe`
        insert into accounts (id, key, name, gate_preset)
        values (${accountId}, ${account.key}, ${account.name}, ${account.preset})`);
      await db.query(sql.unsafe`
        insert into scopes (account_id, id, path) values (${accountId}, ${uuidv7()}, '/')`);
    },

    async get(): Promise<AccountRow> {
      return db.one(
        sql.type(accountRow)`
          select id, key, name, gate_preset, created_at from accounts where id = ${accountId}`,
      );
    },

    /** Whether the deployment has any account yet, this one included. */
    async anyExists(): Promise<boolean> {
      return (await lookupAccountIds(db)).length > 0;
    },

    /** Takes the row's lock, so that of two changes of the preset one waits for the other. */
    async lockPreset(): Promise<GatePreset> {
      return db.oneFirst(
        sql.type(accountRow.pick({ gate_preset: true }))`
          select gate_preset from accounts where id = ${accountId} for update`,
      );
    },

    async setPreset(preset: GatePreset): Promise<void> {
      await db.query(
        sql.unsafe`update accounts set gate_preset = ${preset} where id = ${accountId}`,
      );
    },

    /** Takes the row's lock, as `lockPreset` does. */
    async lockSecretPolicy(): Promise<SecretPolicy> {
      return db.oneFirst(
        sql.type(z.object({ secret_policy: z.enum(SECRET_POLICIES) }))`
          select secret_policy from accounts where id = ${accountId} for update`,
      );
    },

    async setSecretPolicy(policy: SecretPolicy): Promise<void> {
      await db.query(
        sql.unsafe`update accounts set secret_policy = ${policy} where id = ${accountId}`,
      );
    },
  };
}
