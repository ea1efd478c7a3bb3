/**
 * What is due, kind by kind, in the words of the partial indexes (migrations 0044 and 0046). Each query answers statements in the
 * order in which they fell due, and no statement that was set aside.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { CONTEST_GRACE_MS, type SweepKind } from '../../../domain/governance/sweeps.ts';

export interface DueQuery {
  readonly accountId: string;
  /** SQL of an instant that stands still for the query. */
  readonly at: FragmentSqlToken;
  readonly limit: number;
}

const isNotSetAside = (kind: SweepKind, knowledgeId: FragmentSqlToken) => sql.fragment`not exists (
    select from sweep_setbacks aside
    where aside.account_id = current_account() and aside.knowledge_id = ${knowledgeId}
      and aside.kind = ${kind}::sweep_kind)`;

/** Queries with the columns `id`, of the statement, and `due_at`. A contested statement does not expire. */
export const DUE: Readonly<Record<SweepKind, (query: DueQuery) => FragmentSqlToken>> = {
  expiry: ({ accountId, at, limit }) => sql.fragment`
    select k.id, k.expires_at as due_at from knowledge k
    where k.account_id = ${accountId}::uuid and k.expires_at is not null and k.expires_at <= ${at}
      and k.state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale')
      and ${isNotSetAside('expiry', sql.fragment`k.id`)}
    order by k.expires_at, k.id limit ${limit}`,
  revalidation: ({ accountId, at, limit }) => sql.fragment`
    select k.id, k.revalidate_after as due_at from knowledge k
    where k.account_id = ${accountId}::uuid and k.revalidate_after is not null and k.revalidate_after <= ${at}
      and k.state = 'active' and ${isNotSetAside('revalidation', sql.fragment`k.id`)}
    order by k.revalidate_after, k.id limit ${limit}`,
  ageing: ({ accountId, at, limit }) => sql.fragment`
    select item.knowledge_id as id, min(item.due_at) as due_at from (
      select i.knowledge_id, i.due_at from review_items i
      where i.account_id = ${accountId}::uuid and i.decided_at is null and not i.past_ageing
        and i.state in ('pending', 'deferred', 'escalated') and i.due_at <= ${at}
        and (i.kind <> 'contest' or i.due_at <= ${at} - make_interval(secs => ${CONTEST_GRACE_MS / 1_000}))
        and ${isNotSetAside('ageing', sql.fragment`i.knowledge_id`)}
      order by i.due_at, i.id limit ${limit}
    ) item group by item.knowledge_id`,
  questions: ({ accountId, at, limit }) => sql.fragment`
    select question.knowledge_id as id, min(question.deadline_at) as due_at from (
      select q.knowledge_id, q.deadline_at from questions q
      where q.account_id = ${accountId}::uuid and q.ended_at is null and q.deadline_at <= ${at}
        and ${isNotSetAside('questions', sql.fragment`q.knowledge_id`)}
      order by q.deadline_at, q.id limit ${limit}
    ) question group by question.knowledge_id`,
};
