/**
 * One page of a pass: texts of the account that are served anew by the holds in force, in one transaction. All messages in the order of
 * their ids, then all statements. What is written meanwhile is judged where it is written; a change of what is held enters a pass
 * of its own.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type {
  ForgettingPageInput,
  ForgettingPageReport,
  PassedUnit,
} from '../../../domain/forgetting/pass.ts';
import { LEAST_ID } from '../id-page.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { RunsStore } from '../runs/runs.store.ts';
import { subjectLocks } from '../knowledge/state.ts';
import { judgeIn, type TextJudge } from './judging.ts';
import { readMessages, readStatements, serveMessages, serveStatements } from './serve.ts';

const pageRow = z.object({ id: z.string(), subject_id: z.string().nullable() });

async function servePage(
  tx: Queryable,
  accountId: string,
  judge: TextJudge,
  { ids, unit }: { readonly unit: PassedUnit; readonly ids: readonly string[] },
): Promise<number> {
  if (unit === 'message') {
    return serveMessages(tx, accountId, judge, await readMessages(tx, accountId, ids));
  }
  const rows = await readStatements(tx, accountId, ids);
  return (await serveStatements(tx, accountId, judge, rows)).changed;
}

/** Pages of the runs `forgetting`. */
export class ForgettingPassStore extends PoolStore {
  /** Serves one page of at most `limit` texts, and `mostBytes` of them unless the first is longer. It may run again after a deadlock. */
  page(
    { accountId, afterId, runId, unit }: ForgettingPageInput,
    { limit, mostBytes }: { readonly limit: number; readonly mostBytes: number },
  ): Promise<ForgettingPageReport> {
    return withAccount(this.db, accountId, async (tx) => {
      const runs = new RunsStore(tx, accountId);
      const isFirst = unit === 'message' && afterId === null;
      if (!(await runs.begin(runId, isFirst))) return { rows: 0, changed: 0, next: null };
      // Before the locks that whoever changes what is held takes after this one.
      const judge = await judgeIn(tx, accountId);
      const table = unit === 'message' ? sql.fragment`messages` : sql.fragment`knowledge`;
      const subject =
        unit === 'message'
          ? sql.fragment`null::uuid`
          : sql.fragment`coalesce(u.subject_peer_id, u.subject_scope_id)`;
      const length =
        unit === 'message' ? sql.fragment`octet_length(u.content)` : sql.fragment`1000`;
      const rows = await tx.any(sql.type(pageRow)`
        select id, subject_id from (
          select u.id, ${subject} as subject_id, sum(${length}) over (order by u.id) - ${length} as before
          from (select * from ${table} u where u.account_id = ${accountId}::uuid
            and u.id > ${afterId ?? LEAST_ID}::uuid order by u.id limit ${limit}) u
        ) page where before < ${mostBytes} order by id`);
      const subjectIds = rows.flatMap(({ subject_id: id }) => (id === null ? [] : [id]));
      await tx.query(sql.unsafe`${subjectLocks(accountId, [...new Set(subjectIds)])}`);
      const changed = await servePage(tx, accountId, judge, {
        unit,
        ids: rows.map(({ id }) => id),
      });
      const last = rows.at(-1);
      if (last !== undefined) {
        return { rows: rows.length, changed, next: { unit, afterId: last.id } };
      }
      if (unit === 'message')
        return { rows: 0, changed, next: { unit: 'statement', afterId: null } };
      await runs.complete(runId);
      return { rows: 0, changed, next: null };
    });
  }
}
