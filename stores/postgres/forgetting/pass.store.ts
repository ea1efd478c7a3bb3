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
import { HoldsStore } from './holds.store.ts';
import type { ForeignValue, TextJudge } from '../../../domain/forgetting/judge.ts';
import { judgeIn } from '../judging.ts';
import {
  foreignIn,
  readMessages,
  readStatements,
  serveMessages,
  serveStatements,
} from './serve.ts';
import { subjectLocks } from '../subject-locks.ts';

const pageRow = z.object({ id: z.string(), subject_id: z.string().nullable() });
type PageRow = z.infer<typeof pageRow>;

export interface PageLimits {
  readonly limit: number;
  /** Of their texts, unless the first is longer. */
  readonly mostBytes: number;
}

function readPage(
  tx: Queryable,
  { accountId, afterId, unit }: ForgettingPageInput,
  { limit, mostBytes }: PageLimits,
): Promise<readonly PageRow[]> {
  const isMessage = unit === 'message';
  const table = isMessage ? sql.fragment`messages` : sql.fragment`knowledge`;
  const subject = isMessage
    ? sql.fragment`null::uuid`
    : sql.fragment`coalesce(u.subject_peer_id, u.subject_scope_id)`;
  const length = isMessage
    ? sql.fragment`octet_length(coalesce(u.unmasked, u.content))`
    : sql.fragment`coalesce(octet_length(u.statement), 0)`;
  return tx.any(sql.type(pageRow)`
    select id, subject_id from (
      select u.id, ${subject} as subject_id, sum(${length}) over (order by u.id) - ${length} as before
      from (select * from ${table} u where u.account_id = ${accountId}::uuid
        and u.id > ${afterId ?? LEAST_ID}::uuid order by u.id limit ${limit}) u
    ) page where before < ${mostBytes} order by id`);
}

interface Served {
  readonly changed: number;
  /** Values that others had said before: nothing was served. */
  readonly foreign: readonly ForeignValue[];
}

async function servePage(
  tx: Queryable,
  accountId: string,
  judge: TextJudge,
  { rows, unit }: { readonly unit: PassedUnit; readonly rows: readonly PageRow[] },
): Promise<Served> {
  const subjectIds = rows.flatMap(({ subject_id: id }) => (id === null ? [] : [id]));
  await tx.query(sql.unsafe`${subjectLocks(accountId, [...new Set(subjectIds)])}`);
  const ids = rows.map(({ id }) => id);
  if (unit === 'message') {
    const messages = await readMessages(tx, accountId, ids);
    const foreign = await foreignIn(judge, messages, []);
    if (foreign.length > 0) return { changed: 0, foreign };
    return { changed: await serveMessages(tx, accountId, judge, messages), foreign };
  }
  const statements = await readStatements(tx, accountId, ids);
  const foreign = await foreignIn(judge, [], statements);
  if (foreign.length > 0) return { changed: 0, foreign };
  return { changed: (await serveStatements(tx, accountId, judge, statements)).changed, foreign };
}

const OVER: ForgettingPageReport = { rows: 0, changed: 0, next: null };

/** Pages of the runs `forgetting`. */
export class ForgettingPassStore extends PoolStore {
  /**
   * Serves one page of texts; may run again after a deadlock. Values that turn out to be others' are narrowed first, in a
   * transaction of their own, which enters another pass.
   */
  async page(input: ForgettingPageInput, limits: PageLimits): Promise<ForgettingPageReport> {
    for (;;) {
      const { foreign, report } = await this.tried(input, limits);
      if (foreign.length === 0) return report;
      await this.narrow(input, foreign);
    }
  }

  private tried(input: ForgettingPageInput, limits: PageLimits) {
    const { accountId, afterId, runId, unit } = input;
    return withAccount(this.db, accountId, async (tx) => {
      const runs = new RunsStore(tx, accountId);
      const isFirst = unit === 'message' && afterId === null;
      if (!(await runs.begin(runId, isFirst))) return { report: OVER, foreign: [] };
      // Before the locks that whoever changes what is held takes after this one.
      const judge = await judgeIn(tx, accountId);
      const rows = await readPage(tx, input, limits);
      const last = rows.at(-1);
      if (last !== undefined) {
        const { changed, foreign } = await servePage(tx, accountId, judge, { unit, rows });
        const next = { unit, afterId: last.id };
        return { report: { rows: rows.length, changed, next }, foreign };
      }
      if (unit === 'message') {
        return {
          report: { ...OVER, next: { unit: 'statement', afterId: null } as const },
          foreign: [],
        };
      }
      await runs.complete(runId);
      return { report: OVER, foreign: [] };
    });
  }

  private narrow(
    { accountId, runId }: ForgettingPageInput,
    foreign: readonly ForeignValue[],
  ): Promise<void> {
    return withAccount(this.db, accountId, async (tx) => {
      const holds = new HoldsStore(tx, accountId);
      await holds.lock();
      if ((await holds.narrow(foreign)) === 0) return;
      for (const id of new Set(foreign.map(({ holdId }) => holdId))) {
        const values = foreign.filter(({ holdId }) => holdId === id).length;
        await holds.record('narrowed', { kind: 'pipeline' }, { id, kind: 'own', values });
      }
      await holds.enterPass(await new RunsStore(tx, accountId).traceOf(runId));
    });
  }
}
