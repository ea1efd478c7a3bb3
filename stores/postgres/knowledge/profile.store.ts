/** Statements that the stable profile of a person is built from: a bounded number, whatever is said of the person. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { CLAIM_MODES } from '../../../domain/statements/attributes.ts';
import { AccountStore } from '../account-store.ts';
import { renderReadable } from '../visibility/statements.ts';
import { MOST_MET_PER_SHELF } from '../visibility/walks.ts';

const claimRow = z.object({
  id: z.string(),
  claim_about: z.string().nullable(),
  claim_value: z.string().nullable(),
  claim_mode: z.enum(CLAIM_MODES).nullable(),
});
export type ClaimRow = z.infer<typeof claimRow>;

export interface ProfileRead {
  readonly peerId: string;
  /** The predicate, over scopes, states and expiry. */
  readonly visible: Condition;
  /** Of the statements with a claim, and of all. */
  readonly limit: number;
}

/** The first `limit` of the statements that a walk meets and that the reader may read. */
function readable(met: FragmentSqlToken, order: FragmentSqlToken, read: ProfileRead) {
  return sql.fragment`
    select k.id, k.claim_about, k.claim_value, k.claim_mode from (
      ${met} order by ${order} limit ${MOST_MET_PER_SHELF}
    ) k where ${renderReadable(read.visible)} order by ${order} limit ${read.limit}`;
}

export class ProfileStore extends AccountStore {
  /**
   * The newest readable statements that claim an attribute of the profile, and the newest readable ones of all: `limit`
   * of each at most. Each is looked for among the thousand newest, readable or not, so that no history makes it slow.
   */
  async about(read: ProfileRead): Promise<readonly ClaimRow[]> {
    const ofPerson = sql.fragment`
      select k.* from knowledge k
      where k.account_id = ${this.accountId} and k.subject_peer_id = ${read.peerId}::uuid`;
    const claiming = sql.fragment`${ofPerson}
      and split_part(k.claim_about, ':', 1) in
        ('name', 'pronouns', 'occupation', 'employer', 'residence', 'language', 'time_zone')
      and k.updated_by_id is null and k.state in ('active', 'provisional')`;
    return this.tx.any(sql.type(claimRow)`
      (${readable(claiming, sql.fragment`k.text_occurred_at desc, k.id`, read)})
      union
      (${readable(ofPerson, sql.fragment`k.recorded_at desc, k.id desc`, read)})`);
  }
}
