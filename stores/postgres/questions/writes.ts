/** What commits of statements write about questions to people. Rows travel as JSON; hashes are hex. */
import { sql } from 'slonik';
import { QUESTION_HOURS } from '../../../domain/questions/words.ts';
import type { Queryable } from '../pool.ts';

/** Ends what is open of these kinds about the statements: `{knowledge_id, kinds, reason}`. No query for none. */
export async function closeQuestions(
  tx: Queryable,
  accountId: string,
  now: string,
  closings: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  if (closings.length === 0) return;
  await tx.query(sql.unsafe`
    update questions q set ended_at = ${now}::timestamptz, end_reason = r.reason
    from jsonb_to_recordset(${JSON.stringify(closings)}::jsonb) as r (
      knowledge_id uuid, kinds question_kind[], reason text)
    where q.account_id = ${accountId}::uuid and q.knowledge_id = r.knowledge_id and q.ended_at is null
      and q.kind = any(r.kinds)`);
}

/** A CTE of a commit: questions that begin. One that is open stays as it is. */
export const newQuestions = sql.fragment`
    questioned as (
      insert into questions (account_id, id, knowledge_id, scope_id, peer_id, kind, target_scope_id, statement_hash,
        opened_at, deadline_at)
      select doc.account_id, r.id, r.knowledge_id, r.scope_id, r.peer_id, r.kind, r.target_scope_id,
        decode(r.statement_hash, 'hex'), doc.now, doc.now + make_interval(hours => ${QUESTION_HOURS})
      from doc, jsonb_to_recordset(doc.j -> 'questions_opened') as r (
        id uuid, knowledge_id uuid, scope_id uuid, peer_id uuid, kind question_kind, target_scope_id uuid,
        statement_hash text)
      on conflict (account_id, knowledge_id, kind, coalesce(target_scope_id, knowledge_id)) where ended_at is null
        do nothing
    )`;
