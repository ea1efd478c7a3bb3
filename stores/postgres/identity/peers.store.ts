/** Peers: the people and agents of an account. Existing peers are resolved, never rewritten. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';

const peerRow = z.object({
  id: z.uuid(),
  key: z.string(),
  name: z.string(),
  kind: z.enum(['human', 'agent']),
});
export type PeerRow = z.infer<typeof peerRow>;

const listedRow = peerRow.extend({
  created_at: z.string(),
  is_erased: z.boolean(),
  has_login: z.boolean(),
});
export type ListedPeerRow = z.infer<typeof listedRow>;

export interface PeerPage {
  /** The last key of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Peers of the account. */
export class PeersStore extends AccountStore {
  /** The peer of that key, or null. */
  async findByKey(key: string): Promise<PeerRow | null> {
    return this.tx.maybeOne(sql.type(peerRow)`
      select id, key, name, kind from peers where account_id = ${this.accountId} and key = ${key}`);
  }

  /** The peers of those keys, in no order; who was erased, or is being erased, is no peer any more. */
  async findByKeys(keys: readonly string[]): Promise<readonly PeerRow[]> {
    if (keys.length === 0) return [];
    return this.tx.any(sql.type(peerRow)`
      select id, key, name, kind from peers
      where account_id = ${this.accountId} and key = any(${sql.array(keys, 'text')}) and erasing_at is null`);
  }

  /** The peer of that id, or null; who was erased, or is being erased, is no peer any more. */
  async findById(id: string): Promise<PeerRow | null> {
    return this.tx.maybeOne(sql.type(peerRow)`
      select id, key, name, kind from peers
      where account_id = ${this.accountId} and id = ${id}::uuid and erasing_at is null`);
  }

  /** Creates the peer unless its key is known, and says which of the two happened. */
  async ensure(peer: {
    key: string;
    name: string;
    kind: PeerRow['kind'];
  }): Promise<{ readonly peer: PeerRow; readonly created: boolean }> {
    const inserted = await this.tx.maybeOne(sql.type(peerRow)`
      insert into peers (account_id, id, key, name, kind)
      values (${this.accountId}, ${uuidv7()}, ${peer.key}, ${peer.name}, ${peer.kind})
      on conflict on constraint peer_key_is_unique_in_account do nothing
      returning id, key, name, kind`);
    if (inserted !== null) return { peer: inserted, created: true };
    const known = await this.findByKey(peer.key);
    if (known === null) throw new Error('a peer that stood in the way is gone');
    return { peer: known, created: false };
  }

  /** A page of the peers in the order of their keys, with whether each can sign in and whether it was erased. */
  async list({ after, limit }: PeerPage): Promise<readonly ListedPeerRow[]> {
    return this.tx.any(sql.type(listedRow)`
      select p.id, p.key, p.name, p.kind, p.created_at, p.erasing_at is not null as is_erased,
        l.id is not null as has_login
      from peers p
      left join logins l on l.account_id = p.account_id and l.peer_id = p.id and l.closed_at is null
      where p.account_id = ${this.accountId} and p.key > ${after ?? ''}
      order by p.key limit ${limit}`);
  }
}
