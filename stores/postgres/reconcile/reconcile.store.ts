/**
 * What the reconcile, the third net, reads and mends: each method is one transaction, of one account where it takes
 * one. Ages are judged by the database's clock, in milliseconds.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  RUN_WORKFLOW_KINDS,
  type Mailbox,
  type MailboxKind,
  type WorkflowKind,
} from '../../../domain/actors/names.ts';
import type { ErrorClass } from '../../../domain/error-class.ts';
import type { RunEnd } from '../../../domain/pipeline/reconcile.ts';
import type { TokenLimits } from '../../../domain/models/token-limits.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { DocumentUploadsStore } from '../documents/uploads.store.ts';
import { SHARDS } from '../actors/shards.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { endedUntold } from '../models/provider-attempts.store.ts';

/** What counts as stale, and how much of it is taken. */
export interface Staleness {
  readonly olderThanMs: number;
  readonly limit: number;
}

/** Runs that share a hundred: those that read versions of documents, and all others. */
export type RunFamily = 'documents' | 'others';

export interface StaleMailboxes {
  /** Units of work found, at most the limit. */
  readonly units: number;
  readonly mailboxes: readonly Mailbox[];
}

export interface DispatchedRun {
  readonly runId: string;
  readonly kind: WorkflowKind;
}

export interface ForgottenKeys {
  readonly forgotten: number;
  /** When the newest of them was made: a later slice begins there. */
  readonly reached: string;
}

const shardRow = z.object({ shard: z.number().int(), units: z.number().int() });
const idRow = z.object({ id: z.string() });
const forgottenRow = z.object({ forgotten: z.number().int(), reached: z.string() });
const runRow = z.object({ run_id: z.string(), kind: z.enum(RUN_WORKFLOW_KINDS) });

function before(olderThanMs: number) {
  return sql.fragment`clock_timestamp() - make_interval(secs => ${olderThanMs / 1000})`;
}

const FAMILIES: Readonly<Record<RunFamily, readonly WorkflowKind[]>> = {
  documents: ['document'],
  others: RUN_WORKFLOW_KINDS.filter((kind) => kind !== 'document'),
};
const kinds = (family: RunFamily) => sql.array([...FAMILIES[family]], sql.fragment`run_kind[]`);

/** Stale work of accounts. */
export class ReconcileStore extends PoolStore {
  readonly #limits: TokenLimits;

  /** `limits` are the daily token limits of each account. */
  constructor(db: Queryable, limits: TokenLimits = {}) {
    super(db);
    this.#limits = limits;
  }

  /**
   * Mailboxes with stale work that no drain looks at and no operator holds back. From then on the sweep may ring
   * them at once, however often it has tried. Holds need no release: the next drain has a higher epoch and takes them
   * over.
   */
  staleMailboxes(
    accountId: string,
    kind: MailboxKind,
    { olderThanMs, limit }: Staleness,
  ): Promise<StaleMailboxes> {
    return withAccount(this.db, accountId, async (tx) => {
      const work =
        kind === 'ingest'
          ? sql.fragment`extraction_anchors w where w.status in ('pending', 'failed') and`
          : sql.fragment`dirty_marks w where`;
      const rows = await tx.any(sql.type(shardRow)`
        with unattended as materialized (
          select place.shard from generate_series(0, ${SHARDS - 1}::integer) as place (shard)
          where not exists (
            select from mailboxes m
            where m.account_id = ${accountId} and m.kind = ${kind}::mailbox_kind and m.shard = place.shard
              and (m.paused or m.awake_until > clock_timestamp()))),
        stale as (
          select w.shard, w.available_at from unattended
          cross join lateral (
            select w.shard, w.available_at from ${work} w.account_id = ${accountId} and w.shard = unattended.shard
              and w.available_at < ${before(olderThanMs)}
            order by w.available_at limit ${limit}) w
          order by w.available_at limit ${limit}),
        by_shard as (select shard, count(*)::integer as units from stale group by shard),
        ringable as (
          insert into mailboxes (account_id, kind, shard)
          select ${accountId}, ${kind}::mailbox_kind, shard from by_shard
          on conflict (account_id, kind, shard) do update set ring_attempts = 0, last_rung_at = '-infinity')
        select shard, units from by_shard`);
      return {
        units: rows.reduce((sum, { units }) => sum + units, 0),
        mailboxes: rows.map(({ shard }) => ({ accountId, kind, shard })),
      };
    });
  }

  /**
   * Runs of the family that were handed over some time ago and have not ended, in random order, so that runs that stay
   * open for days do not hide others.
   */
  dispatchedRuns(
    accountId: string,
    family: RunFamily,
    { olderThanMs, limit }: Staleness,
  ): Promise<readonly DispatchedRun[]> {
    return withAccount(this.db, accountId, async (tx) => {
      const rows = await tx.any(sql.type(runRow)`
        select id as run_id, kind from pipeline_runs
        where account_id = ${accountId} and status in ('pending', 'running') and kind = any(${kinds(family)})
          and dispatched_at < ${before(olderThanMs)}
        order by random() limit ${limit}`);
      return rows.map(({ run_id: runId, kind }) => ({ runId, kind }));
    });
  }

  /** Ends a dispatched run that is pending or running; false for any other. */
  endRun(accountId: string, runId: string, { status, errorClass }: RunEnd): Promise<boolean> {
    return withAccount(this.db, accountId, async (tx) => {
      const { rowCount } = await tx.query(sql.unsafe`
        update pipeline_runs
        set status = ${status}::run_status, last_error_class = ${errorClass}::error_class,
          processed_at = clock_timestamp()
        where account_id = ${accountId} and id = ${runId} and status in ('pending', 'running')
          and dispatched_at is not null`);
      return rowCount > 0;
    });
  }

  /** Lets discarded runs of the family, and those that failed with one of `classes`, start again; answers how many. */
  replayRuns(
    accountId: string,
    family: RunFamily,
    classes: readonly ErrorClass[],
    { olderThanMs, limit }: Staleness,
  ): Promise<number> {
    return withAccount(this.db, accountId, async (tx) => {
      const oldest = (condition: FragmentSqlToken) => sql.fragment`(
        select id, dispatched_at from pipeline_runs
        where ${condition} and account_id = ${accountId} and kind = any(${kinds(family)})
          and dispatched_at < ${before(olderThanMs)}
        order by dispatched_at limit ${limit})`;
      // Each class by itself, through an index: an account may have any number of runs that failed for good.
      const branches = [
        oldest(sql.fragment`status = 'discarded'`),
        // A person waits for its end, and the cancellation of its workflow is no decision.
        oldest(sql.fragment`status = 'cancelled' and kind = 'contest'`),
        oldest(sql.fragment`status = 'cancelled' and kind = 'erasure'`),
        // An imported account answers nobody before its rebuild has ended.
        oldest(sql.fragment`status = 'cancelled' and kind = 'import_rebuild'`),
        oldest(sql.fragment`status = 'failed' and kind = 'import_rebuild'`),
        // An erasure is never given up, whatever failed.
        oldest(sql.fragment`status = 'failed' and kind = 'erasure'`),
        ...classes.map((name) =>
          oldest(sql.fragment`status = 'failed' and last_error_class = ${name}::error_class`),
        ),
      ];
      const { rowCount } = await tx.query(sql.unsafe`
        update pipeline_runs set status = 'pending', dispatched_at = null, processed_at = null
        where account_id = ${accountId} and status in ('discarded', 'failed', 'cancelled') and id = any(array(
          select id from (${sql.join(branches, sql.fragment` union all `)}) due
          order by dispatched_at limit ${limit}))`);
      return rowCount;
    });
  }

  /**
   * Makes observations due that wait for a day with tokens, those that wait least first, where today has room for their
   * extraction: a limit was raised. At most `most`; answers how many.
   */
  releaseWaiting(accountId: string, most: number): Promise<number> {
    return withAccount(this.db, accountId, async (tx) => {
      const { rowCount } = await tx.query(sql.unsafe`
        update extraction_anchors set available_at = clock_timestamp()
        where account_id = ${accountId} and message_id = any(array(
          select message_id from extraction_anchors
          where account_id = ${accountId} and status = 'failed' and last_error_class = 'token_budget_exhausted'
            and claim_epoch is null and available_at > clock_timestamp()
          order by available_at limit ${most} for update skip locked))
          and token_limit_reached(${accountId}, (clock_timestamp() at time zone 'UTC')::date,
            ${JSON.stringify(this.#limits)}::jsonb, 'ingest_extractor', 1, 1, 0) is null`);
      return rowCount;
    });
  }

  /** Ends the oldest calls of the ledger that are still open; answers how many. */
  closeAttempts(accountId: string, { olderThanMs, limit }: Staleness): Promise<number> {
    return withAccount(this.db, accountId, async (tx) => {
      const { rowCount } = await tx.query(sql.unsafe`
        update provider_attempts set ${endedUntold}
        where account_id = ${accountId} and id = any(array(
          select id from provider_attempts
          where account_id = ${accountId} and finished_at is null
            and reserved_at < ${before(olderThanMs)}
          order by reserved_at limit ${limit} for update skip locked))`);
      return rowCount;
    });
  }

  /** Ends old uploads of documents that nothing came of, each in a transaction of its own; answers how many. */
  async abandonUploads(
    accountId: string,
    stale: Staleness,
    blobs: Pick<BlobStore, 'delete' | 'deleteDraft'>,
    signal: AbortSignal,
  ): Promise<number> {
    const found = await withAccount(this.db, accountId, (tx) =>
      new DocumentUploadsStore(tx, accountId).stale(stale),
    );
    for (const upload of found) {
      signal.throwIfAborted();
      await withAccount(this.db, accountId, (tx) =>
        new DocumentUploadsStore(tx, accountId).abandon(upload, blobs),
      );
    }
    return found.length;
  }

  /** Ids of the accounts that follow `afterId`, in order. */
  accountsAfter(afterId: string | null, limit: number): Promise<readonly string[]> {
    return this.db.anyFirst(
      sql.type(idRow)`select lookup_accounts_after(${afterId}::uuid, ${limit}) as id`,
    );
  }

  /**
   * Deletes idempotency keys of all accounts, the oldest first: at most the limit, and others of the same instant as
   * the last one. `from` is where an earlier slice ended, null for the first one. One round trip: the database finds
   * and deletes them by their age, whichever accounts they belong to.
   */
  forgetIdempotencyKeys(
    { olderThanMs, limit }: Staleness,
    from: string | null,
  ): Promise<ForgottenKeys> {
    return this.db.one(sql.type(forgottenRow)`
      select forgotten, reached
      from forget_idempotency_records(${before(olderThanMs)}, ${from ?? '-infinity'}::timestamptz, ${limit})`);
  }
}
