/** Statements that the stable profile of a person is built from: a bounded number, whatever is said of the person. */
import { sql } from 'slonik';
import { z } from 'zod';
import { CLAIM_MODES } from '../../../domain/knowledge/attributes.ts';
import { AccountStore } from '../account-store.ts';

const claimRow = z.object({
  id: z.string(),
  claim_about: z.string().nullable(),
  claim_value: z.string().nullable(),
  claim_mode: z.enum(CLAIM_MODES).nullable(),
});
export type ClaimRow = z.infer<typeof claimRow>;

export class ProfileStore extends AccountStore {
  /**
   * The newest statements that claim an attribute of the profile, and the newest of all: `limit` of each at most. Who
   * may read them is not decided here.
   */
  async about(peerId: string, limit: number): Promise<readonly ClaimRow[]> {
    return this.tx.any(sql.type(claimRow)`
      with found as (
        (select k.id from knowledge k
          where k.account_id = ${this.accountId} and k.subject_peer_id = ${peerId}::uuid
            and split_part(k.claim_about, ':', 1) in
              ('name', 'pronouns', 'occupation', 'employer', 'residence', 'language', 'time_zone')
            and k.updated_by_id is null and k.state in ('active', 'provisional')
          order by k.text_occurred_at desc, k.id limit ${limit})
        union
        (select k.id from knowledge k
          where k.account_id = ${this.accountId} and k.subject_peer_id = ${peerId}::uuid
          order by k.recorded_at desc limit ${limit})
      )
      select k.id, k.claim_about, k.claim_value, k.claim_mode
      from found join knowledge k on k.account_id = ${this.accountId} and k.id = found.id`);
  }
}
