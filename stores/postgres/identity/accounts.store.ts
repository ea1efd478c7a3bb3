/** The account of the running transaction, and its root scope. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { CONSENT_MODES, type ConsentMode } from '../../../domain/governance/consent-mode.ts';
import { GATE_PRESETS, type GatePreset } from '../../../domain/governance/presets.ts';
import { SECRET_POLICIES, type SecretPolicy } from '../../../domain/identity/secret-policy.ts';
import { AccountStore } from '../account-store.ts';
import { lookupAccountIds } from './directory.ts';

const accountRow = z.object({
  id: z.uuid(),
  key: z.string(),
  name: z.string(),
  gate_preset: z.enum(GATE_PRESETS),
  created_at: z.string(),
});
export type AccountRow = z.infer<typeof accountRow>;

const NEW_ACCOUNT_LOCK = 0x7663_6e61;

/** The account itself. */
export class AccountsStore extends AccountStore {
  /** Lets accounts be created one by one only, across processes: holds a lock until the end of the transaction. */
  async lockCreation(): Promise<void> {
    await this.tx.query(sql.unsafe`select pg_advisory_xact_lock(${NEW_ACCOUNT_LOCK})`);
  }

  /** Creates the account row and the scope `/`. A key that exists breaks `account_key_is_unique`. */
  async insert(account: { key: string; name: string; preset: GatePreset }): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into accounts (id, key, name, gate_preset)
      values (${this.accountId}, ${account.key}, ${account.name}, ${account.preset})`);
    await this.tx.query(sql.unsafe`
      insert into scopes (account_id, id, path) values (${this.accountId}, ${uuidv7()}, '/')`);
  }

  async get(): Promise<AccountRow> {
    return this.tx.one(sql.type(accountRow)`
      select id, key, name, gate_preset, created_at from accounts where id = ${this.accountId}`);
  }

  /** Whether the deployment has any account yet, this one included. */
  async anyExists(): Promise<boolean> {
    return (await lookupAccountIds(this.tx)).length > 0;
  }

  /** Takes the row's lock, so that of two changes of the preset one waits for the other. */
  async lockPreset(): Promise<GatePreset> {
    return this.tx.oneFirst(sql.type(accountRow.pick({ gate_preset: true }))`
      select gate_preset from accounts where id = ${this.accountId} for update`);
  }

  async setPreset(preset: GatePreset): Promise<void> {
    await this.tx.query(sql.unsafe`
      update accounts set gate_preset = ${preset} where id = ${this.accountId}`);
  }

  /** Takes the row's lock, as `lockPreset` does. */
  async lockSecretPolicy(): Promise<SecretPolicy> {
    return this.tx.oneFirst(sql.type(z.object({ secret_policy: z.enum(SECRET_POLICIES) }))`
      select secret_policy from accounts where id = ${this.accountId} for update`);
  }

  async setSecretPolicy(policy: SecretPolicy): Promise<void> {
    await this.tx.query(sql.unsafe`
      update accounts set secret_policy = ${policy} where id = ${this.accountId}`);
  }

  /** Takes the row's lock, as `lockPreset` does. */
  async lockConsentMode(): Promise<ConsentMode> {
    return this.tx.oneFirst(sql.type(z.object({ consent_mode: z.enum(CONSENT_MODES) }))`
      select consent_mode from accounts where id = ${this.accountId} for update`);
  }

  async setConsentMode(mode: ConsentMode): Promise<void> {
    await this.tx.query(sql.unsafe`
      update accounts set consent_mode = ${mode} where id = ${this.accountId}`);
  }
}
