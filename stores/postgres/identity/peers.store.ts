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

/** Peers of the account. */
export class PeersStore extends AccountStore {
  /** The peer of that key, or null. */
  async findByKey(key: string): Promise<PeerRow | null> {
    return this.tx.maybeOne(sql.type(peerRow)`
      select id, key, name, kind from peers where account_id = ${this.accountId} and key = ${key}`);
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
}
