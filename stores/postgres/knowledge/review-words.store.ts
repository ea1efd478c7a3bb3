/** What people say of items of the review queue: content, which an erasure of the speaker or of the subject deletes. */
import { sql } from 'slonik';
import { AccountStore } from '../account-store.ts';

export interface ReviewWords {
  /** Why the item was opened; null where its speaker did not say. */
  readonly reason: string | null;
  /** What would be right; null where its speaker did not say. */
  readonly correction: string | null;
}

/** Words of subjects who contest a statement, and of curators who ask again about one. */
export class ReviewWordsStore extends AccountStore {
  /** Keeps the words beside the item, in place of those that were said before. */
  async say(itemId: string, peerId: string, { correction, reason }: ReviewWords): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into review_words (account_id, review_item_id, peer_id, reason, correction)
      values (${this.accountId}::uuid, ${itemId}::uuid, ${peerId}::uuid, ${reason}, ${correction})
      on conflict (account_id, review_item_id) do update set
        peer_id = excluded.peer_id, reason = excluded.reason, correction = excluded.correction,
        said_at = clock_timestamp()`);
  }
}
