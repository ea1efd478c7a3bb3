/**
 * Pages of the retention. What goes is decided by functions of the database (migration 0082): the service asks for a page
 * and may delete none of these rows itself.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionPlace,
} from '../../../domain/retention/policy.ts';
import { AuditStore } from '../audit/audit.store.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount } from '../pool.ts';

export interface RetentionPage {
  readonly accountId: string;
  readonly place: RetentionPlace;
  /** Days that rows of the kind are kept. */
  readonly days: number;
  /** Rows that are looked at, at most. */
  readonly limit: number;
}

export interface PrunedPage {
  readonly pruned: number;
  /** Null after the last page of the kind. */
  readonly next: RetentionPlace | null;
}

const FUNCTIONS: Readonly<Record<RetentionKind, FragmentSqlToken>> = {
  runs: sql.fragment`prune_runs`,
  attempts: sql.fragment`prune_attempts`,
  usage_days: sql.fragment`prune_usage_days`,
  request_days: sql.fragment`prune_request_days`,
  gate_decisions: sql.fragment`prune_gate_decisions`,
  lifecycle_events: sql.fragment`prune_lifecycle_events`,
  tokens: sql.fragment`prune_tokens`,
};

/** How long a page waits for rows that others hold; what it waited for in vain goes another day. */
const LONGEST_LOCK_WAIT_MS = 5_000;

const pageRow = z.object({
  pruned: z.int(),
  last_at: z.string().nullable(),
  last_id: z.string().nullable(),
});
const tallyRow = z.object({ kind: z.enum(RETENTION_KINDS), pruned: z.int() });
const idRow = z.object({ id: z.string() });

/** What is kept for a time, each method a transaction. */
export class RetentionStore extends PoolStore {
  /** Ids of the accounts that follow `afterId`, in order. */
  accountsAfter(afterId: string | null, limit: number): Promise<readonly string[]> {
    return this.db.anyFirst(
      sql.type(idRow)`select lookup_accounts_after(${afterId}::uuid, ${limit}) as id`,
    );
  }

  /** Deletes what is due among the rows of one page, and counts it for the next event of the audit log. */
  page({ accountId, days, limit, place }: RetentionPage): Promise<PrunedPage> {
    return withAccount(this.db, accountId, async (tx) => {
      await tx.query(
        sql.unsafe`select set_config('lock_timeout', ${`${LONGEST_LOCK_WAIT_MS}ms`}, true)`,
      );
      const row = await tx.one(sql.type(pageRow)`
        with page as materialized (
          select p.pruned, p.last_at, p.last_id
          from ${FUNCTIONS[place.kind]}(${accountId}::uuid, ${days}::integer, ${place.at}::timestamptz,
            ${place.afterId}::uuid, ${limit}::integer) p
        ), counted as (
          insert into retention_tallies as t (account_id, kind, pruned)
          select ${accountId}::uuid, ${place.kind}::retention_kind, page.pruned from page where page.pruned > 0
          on conflict (account_id, kind) do update set pruned = t.pruned + excluded.pruned
        )
        select pruned, to_char(last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as last_at, last_id
        from page`);
      const { last_at: at, last_id: afterId, pruned } = row;
      return { pruned, next: afterId === null ? null : { kind: place.kind, at, afterId } };
    });
  }

  /**
   * Tells the audit log what pages have deleted since the last event; nothing when that is nothing. The counts come from
   * the transactions of the pages and go in the transaction of the event: no death in between loses one.
   */
  async tell(accountId: string): Promise<void> {
    await withAccount(this.db, accountId, async (tx) => {
      const tallies = await tx.any(sql.type(tallyRow)`
        delete from retention_tallies where account_id = ${accountId}::uuid returning kind, pruned`);
      if (tallies.length === 0) return;
      await new AuditStore(tx, accountId).record({
        category: 'deletion',
        action: 'retention.pruned',
        actor: { kind: 'pipeline' },
        resourceType: 'account',
        resourceId: accountId,
        metadata: Object.fromEntries(tallies.map(({ kind, pruned }) => [kind, pruned])),
      });
    });
  }

  /** Every account was gone over; `failed` of them not to the end. */
  async completePass(failed: number): Promise<void> {
    await this.db.query(sql.unsafe`
      update sweep_passes set completed_at = clock_timestamp(), failed_accounts = ${failed} where kind = 'retention'`);
  }
}
