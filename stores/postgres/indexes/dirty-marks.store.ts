/**
 * Dirty marks: the units that an index does not show yet. Every change of a unit gives its mark a new generation, drawn
 * from one sequence. A writer clears only a mark that still has the generation it read. So no change is lost that comes
 * during a write, or after the mark was cleared and made again.
 *
 * Qdrant refuses a write of an older reading; Meilisearch does not. Of several writers of one record the last to write
 * may have the oldest reading, so a mark of Meilisearch is cleared by its only writer; with others it stays until all
 * have reported or run out of time, and the record is written once more.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { VectorSpace } from '../../../domain/models/vector-space.ts';
import { INDEX_NAMES, type IndexName } from '../../../domain/retrieval/index-failure.ts';
import type { UnitKind } from '../../../domain/retrieval/units.ts';
import { AccountStore } from '../account-store.ts';

/** Nobody waits longer than this for a writer to report, counted from its start or from another writer's report. */
export const WRITER_REPORTS_WITHIN_MS = 15_000;

export const dirtyMark = z.object({
  engine: z.enum(INDEX_NAMES),
  unit: z.enum(['message', 'statement']),
  unit_id: z.string(),
  generation: z.number(),
  /** Of a mark of Meilisearch that was taken: its writer. */
  hold: z.number().nullish(),
});
export type DirtyMark = z.infer<typeof dirtyMark>;

export interface MarkedUnit {
  readonly unit: UnitKind;
  readonly unitId: string;
  readonly scopeId: string;
  readonly shard: number;
}

const remainingMarks = z.object({
  shard: z.number(),
  marks: z.number(),
  /** The highest generation among them. */
  newest: z.number(),
  /** Milliseconds until the first of them is due (0 or less: now). */
  due_in_ms: z.number(),
});
export type RemainingMarks = z.infer<typeof remainingMarks>;

/**
 * Locks the statements of the Qdrant marks in `done` whose rows name another space, or none, and writes the space. Counting
 * `embedded` in the condition of a later part makes that part wait for these locks.
 */
function embeddedIn(accountId: string, space: VectorSpace | null): FragmentSqlToken {
  if (space === null) return sql.fragment`embedded as (select null::uuid as id limit 0)`;
  const { dimensions, model, provider, version } = space;
  const is = sql.fragment`(${provider}::text, ${model}::text, ${version}::text, ${dimensions}::integer)`;
  const named = sql.fragment`embedding_provider, embedding_model, embedding_version, embedding_dimensions`;
  return sql.fragment`embedded as materialized (
        select k.id from knowledge k
        where k.account_id = ${accountId}::uuid
          and k.id = any(array(select unit_id from done where engine = 'qdrant' and unit = 'statement'))
          and k.statement is not null and (${named}) is distinct from ${is}
        order by k.id for no key update of k
      ), written as (
        update knowledge k set (${named}) = ${is}
        from embedded e where k.account_id = ${accountId}::uuid and k.id = e.id
      )`;
}

/** Dirty marks of the account. `MarkHoldsStore` takes them to work on. */
export class DirtyMarksStore extends AccountStore {
  /** Milliseconds until the next mark of the mailbox is due (0 or less: now); null when none is left. */
  async nextDueInMs(shard: number): Promise<number | null> {
    return this.tx.oneFirst(sql.type(z.object({ due: z.number().nullable() }))`
      select (extract(epoch from min(available_at) - clock_timestamp()) * 1000)::integer as due
      from dirty_marks where account_id = ${this.accountId}::uuid and shard = ${shard}`);
  }

  /** The Qdrant marks of the given statements. */
  async ofStatements(knowledgeIds: readonly string[]): Promise<readonly DirtyMark[]> {
    return this.tx.any(sql.type(dirtyMark)`
      select engine, unit, unit_id, generation from dirty_marks
      where account_id = ${this.accountId}::uuid and engine = 'qdrant' and unit = 'statement'
        and unit_id = any(${sql.array(knowledgeIds, 'uuid')})`);
  }

  /**
   * Reports that the marks are written. Clears those that still have the given generation and no other writer. A mark
   * that its unit got again since, or that another writer holds, stays, and no attempt on it counts any more; it is due
   * when its last writer reports, or has had its time. Where another writer may have read the present generation and
   * written before, the mark gets a new one, so that this writer does not clear it. Answers the marks that are gone
   * because another writer cleared them: of the two writers, the one with the older reading may have written last.
   *
   * With `space`, statements whose Qdrant marks are reported say from now on that their vectors are of it. It locks
   * statements before marks, as whoever changes them does.
   */
  async clear(
    marks: readonly DirtyMark[],
    space: VectorSpace | null = null,
  ): Promise<readonly DirtyMark[]> {
    if (marks.length === 0) return [];
    return this.tx.any(sql.type(dirtyMark)`
      with done as (
        select * from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
          as d (engine index_engine, unit unit_kind, unit_id uuid, generation bigint, hold bigint)
      ), ${embeddedIn(this.accountId, space)}, found as (
        select m.engine, m.unit, m.unit_id, d.hold, m.generation = d.generation as is_current,
          array_remove(m.holds, d.hold) as others, d.hold is null or d.hold = any(m.holds) as is_known,
          clock_timestamp() + case when array_remove(m.holds, d.hold) = '{}' then interval '0'
            else make_interval(secs => ${WRITER_REPORTS_WITHIN_MS / 1000}) end as others_until
        from dirty_marks m
        join done d using (engine, unit, unit_id)
        where m.account_id = ${this.accountId}::uuid and (select count(*) from embedded) >= 0
        order by m.engine, m.unit, m.unit_id for update of m
      ), cleared as (
        delete from dirty_marks m using found f
        where m.account_id = ${this.accountId}::uuid
          and m.engine = f.engine and m.unit = f.unit and m.unit_id = f.unit_id
          and f.is_current and cardinality(f.others) = 0
      ), heard as (
        update dirty_marks m set attempt_count = 0, unheard_attempts = 0, holds = f.others,
          generation = case when f.is_current or (f.is_known and cardinality(f.others) = 0) then m.generation
            else nextval('dirty_mark_generations') end,
          available_at = case when f.hold is null then m.available_at else least(m.available_at, f.others_until) end,
          held_until = least(m.held_until, f.others_until)
        from found f
        where m.account_id = ${this.accountId}::uuid
          and m.engine = f.engine and m.unit = f.unit and m.unit_id = f.unit_id
          and not (f.is_current and cardinality(f.others) = 0)
      )
      select d.engine, d.unit, d.unit_id, d.generation from done d
      where not exists (select from found f where f.engine = d.engine and f.unit = d.unit and f.unit_id = d.unit_id)`);
  }

  /** For statements of anchors that complete without Qdrant's answer: from now on searches read them from Postgres. */
  async setOverdue(knowledgeIds: readonly string[]): Promise<void> {
    if (knowledgeIds.length === 0) return;
    await this.tx.query(sql.unsafe`
      update dirty_marks set overdue = true
      where account_id = ${this.accountId}::uuid and engine = 'qdrant' and unit = 'statement'
        and unit_id = any(${sql.array(knowledgeIds, 'uuid')}) and not overdue`);
  }

  /** Removes `overdue` from statements that Qdrant now shows, whatever else their marks wait for. */
  async setCaughtUp(knowledgeIds: readonly string[]): Promise<void> {
    if (knowledgeIds.length === 0) return;
    await this.tx.query(sql.unsafe`
      update dirty_marks set overdue = false
      where account_id = ${this.accountId}::uuid and engine = 'qdrant' and unit = 'statement'
        and unit_id = any(${sql.array(knowledgeIds, 'uuid')}) and overdue`);
  }

  /**
   * Marks units that indexes know, for both or for one. A unit that is marked already gets a new generation.
   * `haveOtherReaders`: of messages that somebody reads who did not.
   */
  async add(
    units: readonly MarkedUnit[],
    indexes: readonly IndexName[] = INDEX_NAMES,
    haveOtherReaders = false,
  ): Promise<void> {
    if (units.length === 0) return;
    const rows = units.map(({ unit, unitId, scopeId, shard }) => ({
      unit,
      unit_id: unitId,
      scope_id: scopeId,
      shard,
    }));
    await this.tx.query(sql.unsafe`
      insert into dirty_marks as m
        (account_id, engine, unit, unit_id, scope_id, shard, spreads, readers_changed, available_at)
      -- One instant for all, so that whoever takes some takes both marks of a unit.
      select ${this.accountId}::uuid, e.engine, u.unit, u.unit_id, u.scope_id, u.shard, false, ${haveOtherReaders},
        statement_timestamp()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as u (unit unit_kind, unit_id uuid, scope_id uuid, shard smallint)
      cross join unnest(${sql.array(indexes, 'text')}::index_engine[]) as e (engine)
      order by e.engine, u.unit, u.unit_id
      on conflict (account_id, engine, unit, unit_id) do update
      set generation = excluded.generation, scope_id = excluded.scope_id,
        available_at = least(m.available_at, excluded.available_at),
        readers_changed = m.readers_changed or excluded.readers_changed`);
  }

  /** Ids of statements of the scopes that wait for an index, oldest mark first. */
  async waitingStatements(
    scopeIds: readonly string[],
    which: 'overdue_in_qdrant' | 'dirty_in_meilisearch',
    limit: number,
  ): Promise<readonly string[]> {
    const condition =
      which === 'overdue_in_qdrant'
        ? sql.fragment`m.engine = 'qdrant' and m.overdue`
        : sql.fragment`m.engine = 'meilisearch'`;
    return this.tx.anyFirst(sql.type(z.object({ unit_id: z.string() }))`
      select waiting.unit_id
      from unnest(${sql.array(scopeIds, 'uuid')}) as place (id)
      cross join lateral (
        select m.unit_id, m.marked_at from dirty_marks m
        where m.account_id = ${this.accountId}::uuid and m.scope_id = place.id and m.unit = 'statement' and ${condition}
        order by m.marked_at, m.unit_id limit ${limit}
      ) waiting
      order by waiting.marked_at, waiting.unit_id
      limit ${limit}`);
  }

  /** Mailboxes of the account that hold marks of a generation up to `upTo`; of any when it is null. */
  async remaining(upTo: number | null): Promise<readonly RemainingMarks[]> {
    const isMeant = upTo === null ? sql.fragment`true` : sql.fragment`generation <= ${upTo}`;
    return this.tx.any(sql.type(remainingMarks)`
      select shard, count(*)::integer as marks, max(generation) as newest,
        (extract(epoch from min(available_at) - clock_timestamp()) * 1000)::integer as due_in_ms
      from dirty_marks where account_id = ${this.accountId}::uuid and ${isMeant}
      group by shard order by shard`);
  }

  /** Those of the units that carry a mark of the index. */
  async marked(
    index: IndexName,
    unit: UnitKind,
    ids: readonly string[],
  ): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    return this.tx.anyFirst(sql.type(z.object({ unit_id: z.string() }))`
      select unit_id from dirty_marks
      where account_id = ${this.accountId}::uuid and engine = ${index}::index_engine and unit = ${unit}::unit_kind
        and unit_id = any(${sql.array(ids, 'uuid')})`);
  }
}
