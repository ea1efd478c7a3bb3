/**
 * The roll-up of what accounts used. Triggers add an entry in the transaction that ends a call, records a message or
 * changes a statement; `fold` adds the entries of an account to the rows of its days and deletes them, in one transaction.
 * So a process that is killed leaves every entry folded once or not yet, and an entry that is committed late is folded late.
 *
 * Retention: the figures of a call are in its entry, or in the row of its day, from the commit that ends it. A row of the
 * ledger may therefore be deleted as soon as its call has ended (`finished_at`); nobody has to look whether it was folded.
 * Retention deletes the days before the window too (`prune_usage_days`, `prune_request_days`) and says where the window begins.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { ModelRole } from '../../../domain/models/roles.ts';
import { PoolStore } from '../pool-store.ts';
import { inTurn, withAccount, type Queryable } from '../pool.ts';

/** Entries of each kind that one transaction folds. */
const ENTRIES_PER_FOLD = 10_000;

const folded = z.object({ entries: z.int() });

/** Calls of a process that have no row in the ledger. */
export interface UnrecordedCalls {
  readonly role: ModelRole;
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  readonly errors: number;
  readonly unmetered: number;
  readonly durationMs: number;
}

export interface CountsOfAccount {
  readonly requests: number;
  readonly calls: readonly UnrecordedCalls[];
}

async function foldCalls(tx: Queryable, accountId: string): Promise<number> {
  const { entries } = await tx.one(sql.type(folded)`
    with taken as (
      delete from usage_entries where account_id = ${accountId}::uuid and id in (
        select id from usage_entries where account_id = ${accountId}::uuid order by id limit ${ENTRIES_PER_FOLD})
      returning *
    ), by_day as (
      insert into usage_days as d (account_id, day, role, provider, model, calls, errors, unmetered, input_tokens,
        output_tokens, embedding_tokens, reranker_tokens, duration_ms)
      select account_id, day, role, provider, model, sum(calls), sum(errors), sum(unmetered), sum(input_tokens),
        sum(output_tokens), sum(embedding_tokens), sum(reranker_tokens), sum(duration_ms)
      from taken group by account_id, day, role, provider, model having sum(calls) > 0
      on conflict (account_id, day, role, provider, model) do update set calls = d.calls + excluded.calls,
        errors = d.errors + excluded.errors, unmetered = d.unmetered + excluded.unmetered,
        input_tokens = d.input_tokens + excluded.input_tokens,
        output_tokens = d.output_tokens + excluded.output_tokens,
        embedding_tokens = d.embedding_tokens + excluded.embedding_tokens,
        reranker_tokens = d.reranker_tokens + excluded.reranker_tokens,
        duration_ms = d.duration_ms + excluded.duration_ms
    ), by_scope as (
      insert into usage_scope_days as d (account_id, day, scope_id, role, provider, model, calls, errors, unmetered,
        input_tokens, output_tokens, embedding_tokens, reranker_tokens)
      select account_id, day, scope_id, role, provider, model, sum(calls), sum(errors), sum(unmetered), sum(input_tokens),
        sum(output_tokens), sum(embedding_tokens), sum(reranker_tokens)
      from taken group by account_id, day, scope_id, role, provider, model having sum(calls) > 0
      on conflict on constraint usage_of_scope_stands_once do update set calls = d.calls + excluded.calls,
        errors = d.errors + excluded.errors, unmetered = d.unmetered + excluded.unmetered,
        input_tokens = d.input_tokens + excluded.input_tokens,
        output_tokens = d.output_tokens + excluded.output_tokens,
        embedding_tokens = d.embedding_tokens + excluded.embedding_tokens,
        reranker_tokens = d.reranker_tokens + excluded.reranker_tokens
    ), totals as (
      insert into usage_totals as t (account_id, ledger_rows)
      select account_id, sum(ledger_rows) from taken group by account_id
      on conflict (account_id) do update set ledger_rows = t.ledger_rows + excluded.ledger_rows
    )
    select count(*) as entries from taken`);
  return entries;
}

async function foldActivity(tx: Queryable, accountId: string): Promise<number> {
  const { entries } = await tx.one(sql.type(folded)`
    with taken as (
      delete from activity_entries where account_id = ${accountId}::uuid and id in (
        select id from activity_entries where account_id = ${accountId}::uuid order by id limit ${ENTRIES_PER_FOLD})
      returning *
    ), by_day as (
      insert into request_days as d (account_id, day, api_requests, ingests, recorded)
      select account_id, day, sum(api_requests), sum(ingests), sum(recorded)
      from taken group by account_id, day having sum(api_requests) > 0 or sum(recorded) > 0
      on conflict (account_id, day) do update set api_requests = d.api_requests + excluded.api_requests,
        ingests = d.ingests + excluded.ingests, recorded = d.recorded + excluded.recorded
    ), totals as (
      insert into usage_totals as t (account_id, messages, message_bytes, statements, statement_bytes, version_bytes,
        ledger_rows)
      select account_id, sum(messages), sum(message_bytes), sum(statements), sum(statement_bytes), sum(version_bytes),
        sum(ledger_rows)
      from taken group by account_id
      on conflict (account_id) do update set messages = t.messages + excluded.messages,
        message_bytes = t.message_bytes + excluded.message_bytes, statements = t.statements + excluded.statements,
        statement_bytes = t.statement_bytes + excluded.statement_bytes,
        version_bytes = t.version_bytes + excluded.version_bytes, ledger_rows = t.ledger_rows + excluded.ledger_rows
    )
    select count(*) as entries from taken`);
  return entries;
}

/** The roll-up of all accounts, on a pool. */
export class UsageRollupStore extends PoolStore {
  /** The accounts that follow `afterId` of which entries wait, in order, at most `limit`. */
  waiting(afterId: string | null, limit: number): Promise<readonly string[]> {
    return this.db.anyFirst(sql.type(z.object({ account_id: z.string() }))`
      select account_id from lookup_accounts_with_usage(${afterId}::uuid, ${limit})`);
  }

  /**
   * Folds the oldest entries of an account in one transaction. Answers whether more may wait; nothing is folded, and
   * nothing waits, while somebody else folds them.
   */
  fold(accountId: string): Promise<boolean> {
    return withAccount(this.db, accountId, async (tx) => {
      const isFree = await tx.oneFirst(sql.type(z.object({ free: z.boolean() }))`
        select pg_try_advisory_xact_lock(hashtextextended(${`usage:${accountId}`}, 0)) as free`);
      if (!isFree) return false;
      const calls = await foldCalls(tx, accountId);
      const activity = await foldActivity(tx, accountId);
      return Math.max(calls, activity) >= ENTRIES_PER_FOLD;
    });
  }

  /** Adds what a process has counted for an account: one round trip. */
  async enter(accountId: string, { calls, requests }: CountsOfAccount): Promise<void> {
    const rows = calls.map(({ durationMs, ...call }) => ({ ...call, duration_ms: durationMs }));
    // The function sets the account itself.
    await inTurn(this.db, accountId, () =>
      this.db.any(sql.type(z.object({ entered: z.unknown() }))`
        select enter_counts(${accountId}::uuid, ${requests}, ${JSON.stringify(rows)}::jsonb) as entered`),
    );
  }
}
