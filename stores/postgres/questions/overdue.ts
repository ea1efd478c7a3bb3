/** Questions that nobody answered in time, as a page of sweeps reads and ends them. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { SweptQuestion } from '../../../domain/knowledge/sweep-draft.ts';
import { ASKED_KINDS } from '../../../domain/questions/words.ts';
import type { Queryable } from '../pool.ts';

/** Questions of one statement that a page looks at; the others are due again at once. */
const MOST_QUESTIONS_OF_A_STATEMENT = 100;

const questionRow = z
  .object({
    id: z.string(),
    knowledge_id: z.string(),
    kind: z.enum(ASKED_KINDS),
    deadline_at: z.string(),
  })
  .transform((row): SweptQuestion & { readonly knowledgeId: string } => ({
    id: row.id,
    knowledgeId: row.knowledge_id,
    kind: row.kind,
    deadlineAt: row.deadline_at,
  }));

/** Open questions of the statements whose deadline is before the instant, the first due first. */
export async function overdueQuestions(
  tx: Queryable,
  accountId: string,
  at: FragmentSqlToken,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly SweptQuestion[]>> {
  const rows = await tx.any(sql.type(questionRow)`
    select question.* from unnest(${sql.array(ids, 'uuid')}) as asked (id) cross join lateral (
      select open.id, open.knowledge_id, open.kind, open.deadline_at
      from (
        -- By the statement, not by what is due in the account.
        select q.id, q.knowledge_id, q.kind, q.deadline_at from questions q
        where q.account_id = ${accountId}::uuid and q.knowledge_id = asked.id and q.ended_at is null offset 0
      ) open
      where open.deadline_at <= ${at}
      order by open.deadline_at, open.id limit ${MOST_QUESTIONS_OF_A_STATEMENT}
    ) question`);
  return Map.groupBy(rows, ({ knowledgeId }) => knowledgeId);
}

/** Ends the questions that are still open. */
export async function endUnanswered(
  tx: Queryable,
  accountId: string,
  now: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql.unsafe`
    update questions set ended_at = ${now}::timestamptz, end_reason = 'unanswered'
    where account_id = ${accountId}::uuid and id = any(${sql.array(ids, 'uuid')}) and ended_at is null`);
}
