/** Bearer credentials. The secret itself never arrives here, only its SHA-256. */
import { sql } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { LEAST_ID, type IdPageOfPeer } from '../id-page.ts';

export interface NewApiKey {
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly peerId: string | null;
  readonly pinPath: string | null;
  readonly expiresAt: Date | null;
}

export interface NewToken {
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly kind: 'password_token' | 'bootstrap_token' | 'browser_session';
  readonly loginId: string;
  /** The epoch of the login when its password was checked. */
  readonly epoch: number;
  readonly expiresAt: Date;
}

export interface TokenBounds {
  /** Tokens of a login that are good at a time. */
  readonly most: number;
  readonly now: Date;
  /** Rows that are removed at most. */
  readonly pruned: number;
  /** What ended after this stays. */
  readonly since: Date;
}

const apiKeyRow = z.object({
  id: z.uuid(),
  peer_id: z.uuid().nullable(),
  peer_key: z.string().nullable(),
  pin_path: z.string().nullable(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  /** Since a restore brought the key back; until an operator resumes it. */
  suspended_at: z.string().nullable(),
  created_at: z.string(),
});

const endedRow = z.object({ tokens: z.int(), suspended: z.int() });
export type EndedCredentials = z.infer<typeof endedRow>;
export type ApiKeyRow = z.infer<typeof apiKeyRow>;

const revokedRow = z.object({ revoked_before: z.boolean(), is_session: z.boolean() });

const revocationOf = (id: string) =>
  ({ kind: 'key_revoked', credential_id: id, ends_at: null }) as const;

/** Credentials of the account. */
export class CredentialsStore extends AccountStore {
  async insertApiKey(key: NewApiKey): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into credentials (account_id, id, kind, secret_hash, peer_id, pin_path, expires_at)
      values (${this.accountId}, ${key.id}, 'api_key', ${sql.binary(Buffer.from(key.secretHash))},
        ${key.peerId}, ${key.pinPath}, ${key.expiresAt?.toISOString() ?? null})`);
  }

  /**
   * Issues a token for a login. Answers its peer, or null when the login is closed, or its tokens have ended since its
   * password was checked. A change that commits meanwhile ends the token too, because the token keeps the epoch.
   */
  async insertToken(token: NewToken): Promise<string | null> {
    return this.tx.maybeOneFirst(sql.type(z.object({ peer_id: z.uuid() }))`
      insert into credentials (account_id, id, kind, secret_hash, peer_id, login_id, login_epoch, expires_at)
      select l.account_id, ${token.id}, ${token.kind}::credential_kind,
        ${sql.binary(Buffer.from(token.secretHash))}, l.peer_id, l.id, ${token.epoch}::integer,
        ${token.expiresAt.toISOString()}::timestamptz
      from logins l
      where l.account_id = ${this.accountId} and l.id = ${token.loginId} and l.closed_at is null
        and l.epoch = ${token.epoch}
      returning peer_id`);
  }

  /**
   * Keeps what a login can pile up small: of its good tokens the `most` that are good for longest stay good, and up to
   * `pruned` of those that ended before `since` are removed.
   */
  async tidyTokens(loginId: string, { most, now, pruned, since }: TokenBounds): Promise<void> {
    const isOne = sql.fragment`account_id = ${this.accountId} and login_id = ${loginId}::uuid`;
    // Two sign-ins of a login would wait for each other's rows; so one of them waits before it touches any.
    await this.tx.query(sql.unsafe`
      select from logins where account_id = ${this.accountId} and id = ${loginId}::uuid for no key update`);
    await this.tx.query(sql.unsafe`
      update credentials set revoked_at = ${now.toISOString()}::timestamptz
      where account_id = ${this.accountId} and id = any(array(
        select id from credentials
        where ${isOne} and revoked_at is null and expires_at > ${now.toISOString()}::timestamptz
        order by expires_at desc, id desc offset ${most}))`);
    await this.tx.query(sql.unsafe`
      with old as materialized (
        select id from credentials where ${isOne} and expires_at <= ${since.toISOString()}::timestamptz
        order by expires_at limit ${pruned} for update skip locked
      ), repeated as (
        delete from idempotency_records i using old where i.account_id = ${this.accountId} and i.credential_id = old.id
      ), browsed as (
        delete from browser_sessions b using old where b.account_id = ${this.accountId} and b.credential_id = old.id
      )
      delete from credentials c using old where c.account_id = ${this.accountId} and c.id = old.id`);
  }

  /** A page of the API keys in the order in which they were made; of one peer where `peerId` names it. */
  async listApiKeys({ after, limit, peerId }: IdPageOfPeer): Promise<readonly ApiKeyRow[]> {
    return this.tx.any(sql.type(apiKeyRow)`
      select c.id, c.peer_id, p.key as peer_key, c.pin_path, c.expires_at, c.revoked_at, c.suspended_at,
        c.created_at
      from credentials c left join peers p on p.account_id = c.account_id and p.id = c.peer_id
      where c.account_id = ${this.accountId} and c.kind = 'api_key' and c.id > ${after ?? LEAST_ID}::uuid
        ${peerId === null ? sql.fragment`` : sql.fragment`and c.peer_id = ${peerId}::uuid`}
      order by c.id limit ${limit}`);
  }

  /** Locks the API key until the transaction ends. Null when the account has none of that id. */
  async lockApiKey(id: string): Promise<Omit<ApiKeyRow, 'peer_key'> | null> {
    return this.tx.maybeOne(sql.type(apiKeyRow.omit({ peer_key: true }))`
      select id, peer_id, pin_path, expires_at, revoked_at, suspended_at, created_at from credentials
      where account_id = ${this.accountId} and id = ${id} and kind = 'api_key' for update`);
  }

  /** Whether the account has the credential. */
  async has(id: string): Promise<boolean> {
    return this.tx.exists(sql.unsafe`
      select from credentials where account_id = ${this.accountId} and id = ${id}`);
  }

  /** Lets the key end at `at`, unless it ends before. */
  async endAt(id: string, at: Date): Promise<void> {
    await this.tx.query(sql.unsafe`
      update credentials set expires_at = least(expires_at, ${at.toISOString()}::timestamptz)
      where account_id = ${this.accountId} and id = ${id}`);
    this.promise({ kind: 'key_revoked', credential_id: id, ends_at: at.toISOString() });
  }

  /** Revokes the API keys of the peer and answers their ids. */
  async revokeKeysOf(peerId: string, at: Date): Promise<readonly string[]> {
    const ids = await this.tx.anyFirst(sql.type(z.object({ id: z.uuid() }))`
      update credentials set revoked_at = ${at.toISOString()}::timestamptz
      where account_id = ${this.accountId} and peer_id = ${peerId}::uuid and kind = 'api_key' and revoked_at is null
      returning id`);
    for (const id of ids) this.promise(revocationOf(id));
    return ids;
  }

  /** `absent` when no credential of that id is in this account. A revoked one keeps its first time. */
  async revoke(id: string, at: Date): Promise<'revoked' | 'already_revoked' | 'absent'> {
    const row = await this.tx.maybeOne(sql.type(revokedRow)`
      with found as (
        select id, revoked_at from credentials where account_id = ${this.accountId} and id = ${id} for update)
      update credentials c set revoked_at = coalesce(c.revoked_at, ${at.toISOString()}::timestamptz)
      from found where c.account_id = ${this.accountId} and c.id = found.id
      returning found.revoked_at is not null as revoked_before, c.kind = 'browser_session' as is_session`);
    if (row === null) return 'absent';
    if (row.revoked_before) return 'already_revoked';
    // No session outlives a restore, so signing out of one needs no promise.
    if (!row.is_session) this.promise(revocationOf(id));
    return 'revoked';
  }

  /** Suspends the keys that are good, and ends every token and session: what a restore brought back. */
  async endAll(at: Date): Promise<EndedCredentials> {
    const now = at.toISOString();
    return this.tx.one(sql.type(endedRow)`
      with ended as (
        update credentials set revoked_at = ${now}::timestamptz
        where account_id = ${this.accountId} and kind <> 'api_key' and revoked_at is null
        returning 1
      ), gone as (
        delete from browser_sessions where account_id = ${this.accountId}
      ), suspended as (
        update credentials set suspended_at = ${now}::timestamptz
        where account_id = ${this.accountId} and kind = 'api_key' and revoked_at is null and suspended_at is null
        returning 1
      )
      select (select count(*)::integer from ended) as tokens, (select count(*)::integer from suspended) as suspended`);
  }

  /** Keys that are suspended and not revoked. */
  async countSuspended(): Promise<number> {
    return this.tx.oneFirst(sql.type(z.object({ keys: z.int() }))`
      select count(*)::integer as keys from credentials
      where account_id = ${this.accountId} and suspended_at is not null and revoked_at is null`);
  }

  /** Lets a suspended key be used again. `absent` when the account has no key of that id. */
  async resume(id: string): Promise<'resumed' | 'not_suspended' | 'absent'> {
    const key = await this.lockApiKey(id);
    if (key === null) return 'absent';
    if (key.suspended_at === null) return 'not_suspended';
    await this.tx.query(sql.unsafe`
      update credentials set suspended_at = null where account_id = ${this.accountId} and id = ${id}::uuid`);
    return 'resumed';
  }

  /** Lets up to `limit` suspended keys be used again, and answers their ids. A revoked one stays as it is. */
  async resumeSome(limit: number): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(z.object({ id: z.uuid() }))`
      update credentials set suspended_at = null
      where account_id = ${this.accountId} and id = any(array(
        select id from credentials
        where account_id = ${this.accountId} and suspended_at is not null and revoked_at is null
        order by id limit ${limit} for update))
      returning id`);
  }
}
