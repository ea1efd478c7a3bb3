/** Pipeline runs: an operation enters one, the sweep starts its workflow, and the workflow carries it on. */
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { WorkflowKind } from '../../../domain/actors/names.ts';
import type { ErrorClass } from '../../../domain/error-class.ts';
import { AccountStore } from '../account-store.ts';
import { PoolStore } from '../pool-store.ts';

export interface UndispatchedRun {
  readonly accountId: string;
  readonly runId: string;
  /** A word of the enum `run_kind`. */
  readonly kind: string;
}

const runRow = z.object({ account_id: z.string(), run_id: z.string(), kind: z.string() });
const idRow = z.object({ id: z.string() });
const markedRow = z.object({ marked: z.boolean().nullable() });

/**
 * Runs that have not begun and that will: `kind` is one word of the type `run_kind`. A run that was started long ago and
 * has not begun may have lost its workflow, so nothing relies on it. The kind is a literal, so that the planner sees that
 * the partial index `pipeline_runs_asked_for` holds the runs.
 */
function waitsToBegin(accountId: string, kind: WorkflowKind): FragmentSqlToken {
  return sql.fragment`account_id = ${accountId} and kind = ${sql.literalValue(kind)}::run_kind and status = 'pending'
        and (dispatched_at is null or dispatched_at > now() - interval '5 minutes')`;
}

/** Runs of one kind that may wait to begin in an account; a further request joins one of them. */
const MOST_WAITING_RUNS = 3;

/** Runs of all accounts whose workflows are not started. */
export class UndispatchedRunsStore extends PoolStore {
  /** Oldest first; then, each once a minute, decisions that are long due, whose workflow must be lost. */
  async undispatched(limit: number): Promise<UndispatchedRun[]> {
    const rows = await this.db.any(sql.type(runRow)`
      select account_id, run_id, kind from lookup_undispatched_runs(${limit})
      union all
      select account_id, run_id, 'decision' from nudge_overdue_decisions(${limit})`);
    return rows.map((row) => ({ accountId: row.account_id, runId: row.run_id, kind: row.kind }));
  }

  /** True for the first caller that marks the run. */
  async markDispatched({ accountId, runId }: UndispatchedRun): Promise<boolean> {
    const row = await this.db.one(sql.type(markedRow)`
      select mark_dispatched(${accountId}, ${runId}) as marked`);
    return row.marked === true;
  }
}

/** Pipeline runs of the account. */
export class RunsStore extends AccountStore {
  /** Enters a run in the transaction of the change that asks for it; the sweep starts it. Answers its id. */
  async enter(run: {
    readonly kind: WorkflowKind;
    readonly traceId: string;
    readonly id?: string;
    /** The row that the run is about, for runs that are about one. */
    readonly targetId?: string;
  }): Promise<string> {
    const id = run.id ?? uuidv7();
    await this.tx.query(sql.unsafe`
      insert into pipeline_runs (account_id, id, kind, target_id, trace_id)
      values (${this.accountId}, ${id}, ${run.kind}, ${run.targetId ?? null}, ${run.traceId})`);
    return id;
  }

  /** The trace of the run. */
  async traceOf(runId: string): Promise<string> {
    return this.tx.oneFirst(sql.type(z.object({ trace_id: z.string() }))`
      select trace_id from pipeline_runs where account_id = ${this.accountId}::uuid and id = ${runId}::uuid`);
  }

  /** The waiting run that a further request of the kind joins once `MOST_WAITING_RUNS` wait. Else null. */
  async joined(kind: WorkflowKind): Promise<string | null> {
    return this.tx.maybeOneFirst(sql.type(idRow)`
      select id from pipeline_runs
      where ${waitsToBegin(this.accountId, kind)}
      order by id desc offset ${MOST_WAITING_RUNS - 1} limit 1`);
  }

  /**
   * A run of the kind that waits to begin, kept from beginning until the transaction ends: it will see what the
   * transaction commits. Else null.
   */
  async lockWaiting(kind: WorkflowKind): Promise<string | null> {
    return this.tx.maybeOneFirst(sql.type(idRow)`
      select id from pipeline_runs
      where ${waitsToBegin(this.accountId, kind)}
      order by id desc limit 1 for update skip locked`);
  }

  /** Whether another run of the kind waits to begin, which will do all that this one has still to do. */
  async isTakenOver(runId: string, kind: WorkflowKind): Promise<boolean> {
    return this.tx.exists(sql.unsafe`
      select from pipeline_runs
      where ${waitsToBegin(this.accountId, kind)} and id <> ${runId}::uuid`);
  }

  /**
   * Locks the run and says that it runs; false when it is over, or unknown. `isAttempt` counts an attempt. A discarded run
   * whose workflow works is not lost: Temporal did not know it when it was asked, and does now.
   */
  async begin(runId: string, isAttempt: boolean): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      update pipeline_runs
      set status = 'running', attempt_count = attempt_count + ${isAttempt ? 1 : 0}, last_error_class = null,
        processed_at = null
      where account_id = ${this.accountId} and id = ${runId}
        and status in ('pending', 'running', 'failed', 'discarded')`);
    return rowCount > 0;
  }

  /**
   * The same for a run that nothing may give up: one that was cancelled, or ended otherwise without its work, goes on. False
   * once its work is done.
   */
  async resume(runId: string): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      update pipeline_runs set status = 'running', last_error_class = null, processed_at = null
      where account_id = ${this.accountId} and id = ${runId} and status <> 'completed'`);
    return rowCount > 0;
  }

  /** The work of the run is done. */
  async complete(runId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update pipeline_runs set status = 'completed', processed_at = clock_timestamp()
      where account_id = ${this.accountId} and id = ${runId} and status = 'running'`);
  }

  /** Says how the run ended without completing. A run that has ended before stays as it ended. */
  async end(
    runId: string,
    status: 'cancelled' | 'failed',
    errorClass: ErrorClass | null = null,
  ): Promise<void> {
    await this.tx.query(sql.unsafe`
      update pipeline_runs
      set status = ${status}::run_status, last_error_class = ${errorClass}::error_class,
        processed_at = clock_timestamp()
      where account_id = ${this.accountId} and id = ${runId} and status in ('pending', 'running')`);
  }

  /**
   * Lets the sweep start every open run again: Temporal may know other workflows than this database, or none. While no
   * worker runs. Answers how many.
   */
  async startAgain(): Promise<number> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      update pipeline_runs set status = 'pending', dispatched_at = null
      where account_id = ${this.accountId} and status in ('pending', 'running') and dispatched_at is not null`);
    return rowCount;
  }
}
