/** How often people want to be asked. */
import { sql } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';

const preferenceRow = z.object({
  max_per_session: z.number(),
  max_per_day: z.number(),
  paused_until: z.string().nullable(),
});
export type AskPreferenceRow = z.infer<typeof preferenceRow>;

export class AskPreferencesStore extends AccountStore {
  /**
   * Locks the peer until the transaction ends, so that of two changes at once none is lost, and answers what it wants;
   * null where it never said.
   */
  async lock(peerId: string): Promise<AskPreferenceRow | null> {
    await this.tx.query(sql.unsafe`
      select from peers where account_id = ${this.accountId}::uuid and id = ${peerId}::uuid for no key update`);
    return this.of(peerId);
  }

  /** What the peer wants; null where it never said. */
  async of(peerId: string): Promise<AskPreferenceRow | null> {
    return this.tx.maybeOne(sql.type(preferenceRow)`
      select max_per_session, max_per_day, paused_until from ask_preferences
      where account_id = ${this.accountId}::uuid and peer_id = ${peerId}::uuid`);
  }

  async write(peerId: string, wish: AskPreferenceRow): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into ask_preferences (account_id, peer_id, max_per_session, max_per_day, paused_until)
      values (${this.accountId}::uuid, ${peerId}::uuid, ${wish.max_per_session}, ${wish.max_per_day},
        ${wish.paused_until}::timestamptz)
      on conflict (account_id, peer_id) do update set max_per_session = excluded.max_per_session,
        max_per_day = excluded.max_per_day, paused_until = excluded.paused_until, updated_at = clock_timestamp()`);
  }
}
