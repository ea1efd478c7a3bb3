/** Logins: how people sign in. A login belongs to one peer, and a peer has at most one. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';

const loginRow = z.object({
  id: z.uuid(),
  peer_id: z.uuid(),
  email: z.string(),
  password_hash: z.string(),
});
export type LoginRow = z.infer<typeof loginRow>;

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
      select id, peer_id, email, password_hash from logins
      where account_id = ${this.accountId} and id = ${id} and closed_at is null`);
  }

  async list(): Promise<readonly ListedLoginRow[]> {
    return this.tx.any(sql.type(listedRow)`
      select l.id, l.peer_id, l.email, p.key as peer_key, p.name, l.closed_at, l.created_at
      from logins l join peers p on p.account_id = l.account_id and p.id = l.peer_id
      where l.account_id = ${this.accountId} order by l.created_at, l.id`);
  }
}
