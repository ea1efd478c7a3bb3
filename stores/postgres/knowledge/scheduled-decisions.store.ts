/** Decisions of curators that are carried out a little later: an item has one at most that waits. */
import { sql } from 'slonik';
import { z } from 'zod';
import { SENSITIVITIES } from '../../../domain/statements/candidate.ts';
import { DECISION_ACTIONS } from '../../../domain/governance/decisions.ts';
import { AccountStore } from '../account-store.ts';

const scheduledRow = z.object({
  review_item_id: z.string(),
  run_id: z.string(),
  action: z.enum(DECISION_ACTIONS),
  version: z.number(),
  expires_at: z.string().nullable(),
  defer_until: z.string().nullable(),
  new_statement: z.string().nullable(),
  new_sensitivity: z.enum(SENSITIVITIES).nullable(),
  approves_new: z.boolean().nullable(),
  new_knowledge_id: z.string().nullable(),
  into_knowledge_id: z.string().nullable(),
  decided_by: z.string(),
  credential_id: z.string(),
  decided_at: z.string(),
  /** Milliseconds until it is carried out; 0 when it is due. */
  due_in_ms: z.number(),
});
export type ScheduledDecisionRow = z.infer<typeof scheduledRow>;
export type NewScheduledDecision = Omit<ScheduledDecisionRow, 'decided_at' | 'due_in_ms'> & {
  readonly undo_seconds: number;
};

const columns = sql.fragment`
  d.review_item_id, d.run_id, d.action, d.version, d.expires_at, d.defer_until, d.new_statement, d.new_sensitivity,
  d.approves_new, d.new_knowledge_id, d.into_knowledge_id, d.decided_by, d.credential_id, d.decided_at,
  greatest(ceil(extract(epoch from d.due_at - clock_timestamp()) * 1000), 0)::bigint as due_in_ms`;

export class ScheduledDecisionsStore extends AccountStore {
  /** Keeps the decision in place of an earlier one about the item, which has ended. */
  async schedule(decision: NewScheduledDecision): Promise<void> {
    const d = decision;
    await this.tx.query(sql.unsafe`
      delete from scheduled_decisions before
      where before.account_id = ${this.accountId}::uuid and before.review_item_id = ${d.review_item_id}::uuid
        and before.state <> 'scheduled'`);
    await this.tx.query(sql.unsafe`
      insert into scheduled_decisions (account_id, review_item_id, run_id, action, version, expires_at, defer_until,
        new_statement, new_sensitivity, approves_new, new_knowledge_id, into_knowledge_id, decided_by, credential_id,
        due_at)
      values (${this.accountId}::uuid, ${d.review_item_id}::uuid, ${d.run_id}::uuid, ${d.action}, ${d.version},
        ${d.expires_at}::timestamptz, ${d.defer_until}::timestamptz, ${d.new_statement}, ${d.new_sensitivity}::sensitivity,
        ${d.approves_new}, ${d.new_knowledge_id}::uuid, ${d.into_knowledge_id}::uuid, ${d.decided_by}::uuid,
        ${d.credential_id}::uuid, clock_timestamp() + make_interval(secs => ${d.undo_seconds}))`);
  }

  /** The decision that waits to be carried out about the item. */
  async waitingFor(itemId: string): Promise<ScheduledDecisionRow | null> {
    return this.tx.maybeOne(sql.type(scheduledRow)`
      select ${columns} from scheduled_decisions d
      where d.account_id = ${this.accountId}::uuid and d.review_item_id = ${itemId}::uuid and d.state = 'scheduled'`);
  }

  /** The decision that the run carries out, while it waits. */
  async ofRun(runId: string): Promise<ScheduledDecisionRow | null> {
    return this.tx.maybeOne(sql.type(scheduledRow)`
      select ${columns} from pipeline_runs run
      join scheduled_decisions d on d.account_id = run.account_id and d.review_item_id = run.target_id and d.run_id = run.id
      where run.account_id = ${this.accountId}::uuid and run.id = ${runId}::uuid and d.state = 'scheduled'`);
  }

  /** Ends the decision that waits; false where it has ended before. `reason` is a code; null where it was carried out. */
  async end(
    { review_item_id: itemId, run_id: runId }: ScheduledDecisionRow,
    state: 'carried_out' | 'undone' | 'void',
    reason: string | null = null,
  ): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      update scheduled_decisions d
      set state = ${state}::scheduled_decision_state, ended_at = clock_timestamp(), end_reason = ${reason},
        new_statement = null
      where d.account_id = ${this.accountId}::uuid and d.review_item_id = ${itemId}::uuid and d.run_id = ${runId}::uuid
        and d.state = 'scheduled'`);
    return rowCount > 0;
  }
}
