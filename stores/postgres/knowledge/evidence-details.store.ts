/** What an answerer is told of statements beside what a search shows of them. */
import { sql } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { columnsOf, rowShape } from './columns.ts';

const DETAIL_COLUMNS = [
  'id',
  'derivation_level',
  'claim_about',
  'claim_value',
  'claim_mode',
] as const;

const detailRow = z.object({
  ...rowShape(DETAIL_COLUMNS),
  /** The name of the peer that the statement is about. */
  subject_name: z.string().nullable(),
});
export type EvidenceDetail = z.infer<typeof detailRow>;

/** Statements that were read through the predicate a moment ago. */
export class EvidenceDetailsStore extends AccountStore {
  /** In no order. */
  async of(ids: readonly string[]): Promise<readonly EvidenceDetail[]> {
    return this.tx.any(sql.type(detailRow)`
      select ${columnsOf(DETAIL_COLUMNS, 'k')}, subject.name as subject_name
      from knowledge k
      left join peers subject on subject.account_id = k.account_id and subject.id = k.subject_peer_id
      where k.account_id = ${this.accountId}::uuid and k.id = any(${sql.array(ids, 'uuid')})`);
  }
}
