/** Holds on dirty marks: a drain takes marks to work on, and gives back those that it does not clear. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { ALONE_AFTER_ATTEMPTS } from '../../../domain/retrieval/marks.ts';
import { dirtyMark, WRITER_REPORTS_WITHIN_MS, type DirtyMark } from './dirty-marks.store.ts';
import type { Queryable } from '../pool.ts';
import { AccountStore } from '../account-store.ts';

export interface HeldMark extends DirtyMark {
  /** Bytes of the unit's text, 0 when it has gone; measured, not read. */
  readonly bytes: number;
  /** Whether the units around it are to be written again once this one is. */
  readonly spreads: boolean;
  /** Whether somebody reads the message who did not: statements that were drawn from it are to be written again too. */
  readonly readers_changed: boolean;
}

const heldMark = dirtyMark.extend({
  bytes: z.number(),
  spreads: z.boolean(),
  readers_changed: z.boolean(),
});

/** A batch of at most 500 marks shrinks to 63, to 8, and to those of one unit (`ALONE_AFTER_ATTEMPTS`). */
const SMALLER_BY_ATTEMPT = 8;
/** The wait of a batch after its worker died: four times as long with each attempt, up to an hour. */
const FIRST_LEASE_MS = WRITER_REPORTS_WITHIN_MS;
const LONGEST_WAIT_MS = 3_600_000;
/** The wait after an index was away, which is no fault of the units: a second, doubling to a minute. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** The wait of a unit that the worker or an index cannot take: a minute, doubling to an hour. */
const FIRST_SET_ASIDE_MS = 60_000;

/**
 * Writers that a mark knows, the latest. Whoever reports and is not among them counts as one that may have written last.
 */
const MOST_HOLDS = 16;

/** `firstMs`, times `factor` for each attempt, up to `longestMs`. */
function growing(
  firstMs: number,
  factor: number,
  attempts: FragmentSqlToken,
  longestMs = LONGEST_WAIT_MS,
): FragmentSqlToken {
  return sql.fragment`make_interval(secs =>
    least(${firstMs}::float8 * ${factor}::float8 ^ least(${attempts}, 20), ${longestMs}::float8) / 1000)`;
}

async function changeMarks(
  tx: Queryable,
  accountId: string,
  marks: readonly DirtyMark[],
  change: FragmentSqlToken,
): Promise<void> {
  if (marks.length === 0) return;
  await tx.query(sql.unsafe`
    update dirty_marks m set ${change}
    from (
      select d.engine, d.unit, d.unit_id, array_remove(d.holds, f.hold) as others from dirty_marks d
      join jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
        as f (engine index_engine, unit unit_kind, unit_id uuid, hold bigint)
        using (engine, unit, unit_id)
      where d.account_id = ${accountId}::uuid
      order by d.engine, d.unit, d.unit_id for update of d
    ) f
    where m.account_id = ${accountId}::uuid
      and m.engine = f.engine and m.unit = f.unit and m.unit_id = f.unit_id`);
}

/** Holds on dirty marks of the account. */
export class MarkHoldsStore extends AccountStore {
  /**
   * Takes marks of a mailbox that are due, oldest first: at most `limit`, and as many as have `bytes` of text, though
   * at least one. Before any work, in the caller's transaction, each gets an attempt counted and is put off, so that a
   * batch that ends its worker does not meet the next worker in the same form. Marks with more unheard attempts come in
   * smaller batches, and all marks of a batch have the same number. One drain looks at a mailbox at a time; marks that
   * another transaction has locked are skipped. Each mark of Meilisearch gets a hold, which lasts until its writer
   * reports, or the time is over: what was called off may yet be written.
   */
  async take(
    shard: number,
    most: { readonly limit: number; readonly bytes: number },
  ): Promise<readonly HeldMark[]> {
    return this.tx.any(sql.type(heldMark)`
      with due as materialized (
        select d.engine, d.unit, d.unit_id, d.available_at, d.unheard_attempts,
          clock_timestamp() + ${growing(FIRST_LEASE_MS, 4, sql.fragment`d.unheard_attempts`)} as lease_end,
          case when d.held_until > clock_timestamp() then d.holds else '{}' end as others
        from dirty_marks d
        where d.account_id = ${this.accountId}::uuid and d.shard = ${shard} and d.available_at <= clock_timestamp()
        order by d.available_at, d.unit_id, d.engine
        limit ${most.limit}
        for update skip locked
      ), placed as (
        select due.*, row_number() over w as place, first_value(unheard_attempts) over w as level,
          first_value(unit_id) over w as first_unit,
          coalesce(case unit
            when 'message' then (select octet_length(m.content) from messages m
              where m.account_id = ${this.accountId}::uuid and m.id = due.unit_id)
            else (select octet_length(k.statement) from knowledge k
              where k.account_id = ${this.accountId}::uuid and k.id = due.unit_id) end, 0) as bytes
        from due window w as (order by available_at, unit_id, engine)
      ), alike as (
        select placed.*, row_number() over w as nth, sum(bytes) over w - bytes as before
        from placed where unheard_attempts = level window w as (order by place)
      ), taken as (
        select * from alike
        where before < ${most.bytes} and case
          when level >= ${ALONE_AFTER_ATTEMPTS} then unit_id = first_unit
          else nth <= ceil(${most.limit}::float8 / ${SMALLER_BY_ATTEMPT}::float8 ^ level) end
      )
      update dirty_marks d
      set attempt_count = d.attempt_count + 1, unheard_attempts = least(d.unheard_attempts + 1, 100),
        available_at = t.lease_end, held_until = t.lease_end,
        holds = case when d.engine = 'meilisearch' then nextval('dirty_mark_generations')
          || trim_array(t.others, greatest(0, cardinality(t.others) + 1 - ${MOST_HOLDS})) else '{}' end
      from taken t
      where d.account_id = ${this.accountId}::uuid and d.engine = t.engine and d.unit = t.unit and d.unit_id = t.unit_id
      returning d.engine, d.unit, d.unit_id, d.generation, d.holds[1] as hold, t.bytes::integer as bytes, d.spreads,
        d.readers_changed`);
  }

  /**
   * Puts off marks because the index was away or a vector is missing: the units are not at fault. `mayLand`: the index did
   * not answer in time, so that it may yet write what it was sent. Otherwise the writers have ended, and no other writer
   * of their marks clears them: what the index was sent before it was away may be what it writes last.
   */
  async postpone(marks: readonly DirtyMark[], mayLand = false): Promise<void> {
    const ended = sql.fragment`holds = f.others, generation = case when f.others = '{}' then m.generation
      else nextval('dirty_mark_generations') end,`;
    await changeMarks(
      this.tx,
      this.accountId,
      marks,
      sql.fragment`${mayLand ? sql.fragment`` : ended} unheard_attempts = 0,
        available_at = clock_timestamp()
          + ${growing(FIRST_RETRY_MS, 2, sql.fragment`greatest(m.attempt_count - 1, 0)`, LONGEST_RETRY_MS)}`,
    );
  }

  /** Puts off marks of units that the worker or an index cannot take; from now on each is taken alone. */
  async setAside(marks: readonly DirtyMark[]): Promise<void> {
    await changeMarks(
      this.tx,
      this.accountId,
      marks,
      sql.fragment`unheard_attempts = greatest(m.unheard_attempts, ${ALONE_AFTER_ATTEMPTS}),
        available_at = clock_timestamp() + ${growing(FIRST_SET_ASIDE_MS, 2, sql.fragment`greatest(m.attempt_count - 1, 0)`)}`,
    );
  }

  /** Gives marks back as they were, when the work on them was called off. */
  async giveBack(marks: readonly DirtyMark[]): Promise<void> {
    await changeMarks(
      this.tx,
      this.accountId,
      marks,
      sql.fragment`attempt_count = greatest(m.attempt_count - 1, 0),
        unheard_attempts = greatest(m.unheard_attempts - 1, 0), available_at = clock_timestamp()`,
    );
  }
}
