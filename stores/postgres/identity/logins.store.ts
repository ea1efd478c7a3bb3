/**
 * Logins: how people sign in. A login belongs to one peer, and a peer has at most one. The row of a removed login stays,
 * because credentials name it, with nothing of the person; no function here finds it.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { LEAST_ID, type IdPage } from '../id-page.ts';

const loginRow = z.object({
  id: z.uuid(),
  peer_id: z.uuid(),
  email: z.string(),
  password_hash: z.string(),
  /** The times that all tokens of the login ended. */
  epoch: z.int(),
});
export type LoginRow = z.infer<typeof loginRow>;

const foundRow = loginRow
  .pick({ id: true, peer_id: true })
  .extend({ closed_at: z.string().nullable() });
export type FoundLoginRow = z.infer<typeof foundRow>;

const listedRow = z.object({
  id: z.uuid(),
  peer_id: z.uuid(),
  email: z.string(),
  peer_key: z.string(),
  name: z.string(),
  closed_at: z.string().nullable(),
  created_at: z.string(),
});
export type ListedLoginRow = z.infer<typeof listedRow>;

/** Logins of the account. */
export class LoginsStore extends AccountStore {
  /** Breaks `login_email_is_unique_in_deployment` or `peer_has_one_login`. */
  async insert(login: { peerId: string; email: string; passwordHash: string }): Promise<string> {
    const id = uuidv7();
    await this.tx.query(sql.unsafe`
      insert into logins (account_id, id, peer_id, email, password_hash)
      values (${this.accountId}, ${id}, ${login.peerId}, ${login.email}, ${login.passwordHash})`);
    return id;
  }

  /** The login, or null when there is none of that id in this account or it is closed. */
  async findOpen(id: string): Promise<LoginRow | null> {
    return this.tx.maybeOne(sql.type(loginRow)`
      select id, peer_id, email, password_hash, epoch from logins
      where account_id = ${this.accountId} and id = ${id} and closed_at is null`);
  }

  /** Locks the login, open or closed, until the transaction ends. Null when it is removed, or was never there. */
  async lockById(id: string): Promise<FoundLoginRow | null> {
    return this.tx.maybeOne(sql.type(foundRow)`
      select id, peer_id, closed_at from logins
      where account_id = ${this.accountId} and id = ${id} and peer_id is not null for update`);
  }

  /** Locks the login of this e-mail, open or closed, until the transaction ends. Null when the account has none. */
  async lockByEmail(email: string): Promise<FoundLoginRow | null> {
    return this.tx.maybeOne(sql.type(foundRow)`
      select id, peer_id, closed_at from logins
      where account_id = ${this.accountId} and email = ${email} for update`);
  }

  /** Gives the login another password, and ends all its tokens. */
  async setPassword(id: string, passwordHash: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update logins set password_hash = ${passwordHash}, epoch = epoch + 1
      where account_id = ${this.accountId} and id = ${id}`);
    this.promise({ kind: 'password_changed', login_id: id });
  }

  /** The e-mail of the open login of the peer, or null. */
  async emailOf(peerId: string): Promise<string | null> {
    return this.tx.maybeOneFirst(sql.type(z.object({ email: z.string() }))`
      select email from logins
      where account_id = ${this.accountId} and peer_id = ${peerId} and closed_at is null`);
  }

  /** The same as `setPassword` for an open login in the epoch, and whether it was one. */
  async changePassword(id: string, epoch: number, passwordHash: string): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      update logins set password_hash = ${passwordHash}, epoch = epoch + 1
      where account_id = ${this.accountId} and id = ${id} and closed_at is null and epoch = ${epoch}::integer`);
    if (rowCount > 0) this.promise({ kind: 'password_changed', login_id: id });
    return rowCount > 0;
  }

  /** Closes the login, and ends all its tokens for good. */
  async close(id: string, at: Date): Promise<void> {
    await this.tx.query(sql.unsafe`
      update logins set closed_at = ${at.toISOString()}::timestamptz, epoch = epoch + 1
      where account_id = ${this.accountId} and id = ${id}`);
    this.promise({ kind: 'login_closed', login_id: id, for_good: false });
  }

  async reopen(id: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update logins set closed_at = null where account_id = ${this.accountId} and id = ${id}`);
  }

  /** Takes person, e-mail and password off the login, so that its tokens end and both are free for another login. */
  async remove(id: string, at: Date): Promise<void> {
    await this.tx.query(sql.unsafe`
      update logins set peer_id = null, email = null, password_hash = null, epoch = epoch + 1,
        closed_at = coalesce(closed_at, ${at.toISOString()}::timestamptz)
      where account_id = ${this.accountId} and id = ${id}`);
    this.promise({ kind: 'login_closed', login_id: id, for_good: true });
  }

  /** A page of the logins, in the order in which they were made. */
  async list({ after, limit }: IdPage): Promise<readonly ListedLoginRow[]> {
    return this.tx.any(sql.type(listedRow)`
      select l.id, l.peer_id, l.email, p.key as peer_key, p.name, l.closed_at, l.created_at
      from logins l join peers p on p.account_id = l.account_id and p.id = l.peer_id
      where l.account_id = ${this.accountId} and l.id > ${after ?? LEAST_ID}::uuid
      order by l.id limit ${limit}`);
  }
}
