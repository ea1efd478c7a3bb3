/** Pipeline runs: entered by whoever wants one, started by the relay, carried on by their workflows. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { RunKind } from '../../domain/actors/names.ts';
import type { ErrorClass } from '../../domain/models/error-class.ts';
import { withAccount, type Queryable } from './pool.ts';

export interface UndispatchedRun {
  readonly accountId: string;
  readonly runId: string;
  /** A word of the enum `run_kind`. */
  readonly kind: string;
}

export interface RunStore {
  /** Oldest first. */
  undispatched(limit: number): Promise<UndispatchedRun[]>;
  /** True for the first who says so. */
  markDispatched(run: UndispatchedRun): Promise<boolean>;
}

const runRow = z.object({ account_id: z.string(), run_id: z.string(), kind: z.string() });
const idRow = z.object({ id: z.string() });
const markedRow = z.object({ marked: z.boolean().nullable() });

/** Enters a run in the transaction of the change that asks for it; the relay starts it. Answers its id. */
export async function enterRun(
  tx: Queryable,
  accountId: string,
  run: {
    readonly kind: RunKind;
    readonly traceId: string;
    readonly id?: string;
    /** The row that the run is about, for runs that are about one. */
    readonly targetId?: string;
  },
): Promise<string> {
  const id = run.id ?? uuidv7();
  await tx.query(sql.unsafe`
    insert into pipeline_runs (account_id, id, kind, target_id, trace_id)
    values (${accountId}, ${id}, ${run.kind}, ${run.targetId ?? null}, ${run.traceId})`);
  return id;
}

/** Runs of one kind that may wait to begin in an account; a further request joins one of them. */
const MOST_WAITING_RUNS = 3;

/** The run that a further request of that kind joins: one that has not begun, when as many wait as may. Else null. */
export async function joinedRun(
  tx: Queryable,
  accountId: string,
  kind: RunKind,
): Promise<string | null> {
  // A run that waits for long may have lost its workflow: nobody is told to wait for it. The kind stands in the text, so
  // that the planner sees that the index of runs that are asked for holds them.
  return tx.maybeOneFirst(sql.type(idRow)`
    select id from pipeline_runs
    where account_id = ${accountId} and kind = ${sql.literalValue(kind)}::run_kind and status = 'pending'
      and (dispatched_at is null or dispatched_at > now() - interval '5 minutes')
    order by id desc offset ${MOST_WAITING_RUNS - 1} limit 1`);
}

/** Locks the run and says that it runs; false when it is over, or unknown. `isAttempt` counts an attempt. */
export async function beginRun(
  tx: Queryable,
  accountId: string,
  runId: string,
  isAttempt: boolean,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    update pipeline_runs
    set status = 'running', attempt_count = attempt_count + ${isAttempt ? 1 : 0}, last_error_class = null
    where account_id = ${accountId} and id = ${runId} and status in ('pending', 'running', 'failed')`);
  return rowCount > 0;
}

/** The work of the run is done. */
export async function completeRun(tx: Queryable, accountId: string, runId: string): Promise<void> {
  await tx.query(sql.unsafe`
    update pipeline_runs set status = 'completed', processed_at = clock_timestamp()
    where account_id = ${accountId} and id = ${runId} and status = 'running'`);
}

/** Run rows for work that is more than one transaction. */
export interface RunRows {
  /** See `beginRun`; counts an attempt. */
  begin(accountId: string, runId: string): Promise<boolean>;
  /** See `completeRun`. */
  complete(accountId: string, runId: string): Promise<void>;
}

/** Over the pool of a process. */
export function createRunRows(db: Queryable): RunRows {
  return {
    begin: (accountId, runId) =>
      withAccount(db, accountId, (tx) => beginRun(tx, accountId, runId, true)),
    complete: (accountId, runId) =>
      withAccount(db, accountId, (tx) => completeRun(tx, accountId, runId)),
  };
}

/** How a run ended without completing. What has ended before stays as it ended. */
export interface RunEndings {
  cancelled(accountId: string, runId: string): Promise<void>;
  failed(accountId: string, runId: string, errorClass: ErrorClass): Promise<void>;
}

/** Over the pool of a process. */
export function createRunEndings(db: Queryable): RunEndings {
  const end = (
    accountId: string,
    runId: string,
    status: 'cancelled' | 'failed',
    errorClass: ErrorClass | null,
  ): Promise<void> =>
    withAccount(db, accountId, async (tx) => {
      await tx.query(sql.unsafe`
        update pipeline_runs
        set status = ${status}::run_status, last_error_class = ${errorClass}::error_class
        where account_id = ${accountId} and id = ${runId} and status in ('pending', 'running')`);
    });
  return {
    cancelled: (accountId, runId) => end(accountId, runId, 'cancelled', null),
    failed: (accountId, runId, errorClass) => end(accountId, runId, 'failed', errorClass),
  };
}

/** A store over the pool of a process; it looks across accounts through definer functions only. */
export function createRunStore(db: Queryable): RunStore {
  return {
    async undispatched(limit) {
      const rows = await db.any(
        sql.type(runRow)`select account_id, run_id, kind from lookup_undispatched_runs(${limit})`,
      );
      return rows.map((row) => ({
        accountId: row.account_id,
        runId: row.run_id,
        kind: row.kind,
      }));
    },
    async markDispatched({ accountId, runId }) {
      const row = await db.one(
        sql.type(markedRow)`select mark_dispatched(${accountId}, ${runId}) as marked`,
      );
      return row.marked === true;
    },
  };
}
