/**
 * Which context cards are to be built again. Triggers add marks where statements, sources and mentions change. `fold` makes
 * one row of work of all marks of a place, so a place that changes all the time is built every few seconds and no more.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { CONTEXT_CARD_KINDS, type ContextCardKind } from '../../../domain/context/kinds.ts';
import { AccountStore } from '../account-store.ts';
import { waitsSince } from './waits-since.ts';

/** A card, or all cards of names of a scope. */
export interface ContextCardPlace {
  readonly kind: ContextCardKind;
  readonly scopeId: string;
  /** The session, the peer, or the scope itself. */
  readonly targetId: string;
}

export interface ContextCardWork extends ContextCardPlace {
  readonly generation: number;
}

const MARKS_OF_FOLD = 2_000;
/** Changes of these milliseconds after the first are built with it. */
const GATHERING_MS = 2_000;
/** How long work waits after an attempt that told nothing: four times as long with each, up to an hour. */
const FIRST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 3_600_000;

const workRow = z.object({
  kind: z.enum(CONTEXT_CARD_KINDS),
  scope_id: z.string(),
  target_id: z.string(),
  generation: z.number(),
});

const placeOf = (row: Omit<z.infer<typeof workRow>, 'generation'>): ContextCardPlace => ({
  kind: row.kind,
  scopeId: row.scope_id,
  targetId: row.target_id,
});

const rowsOf = (places: readonly ContextCardPlace[]): string =>
  JSON.stringify(
    places.map(({ kind, scopeId, targetId }) => ({ kind, scope_id: scopeId, target_id: targetId })),
  );

/** Work on the context cards of the account. */
export class ContextCardWorkStore extends AccountStore {
  /** Turns the oldest marks into work; answers how many. Marks that another transaction folds are passed over. */
  async fold(): Promise<number> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      with oldest as materialized (
        select m.id from projection_marks m where m.account_id = ${this.accountId}::uuid
        order by m.id limit ${MARKS_OF_FOLD} for update skip locked
      ), taken as (
        -- As an array, so that the rows are found by their key.
        delete from projection_marks m
        where m.account_id = ${this.accountId}::uuid and m.id = any(array(select id from oldest))
        returning m.kind, m.scope_id, m.target_id, m.marked_at
      ), entered as (
        insert into projection_work as w (account_id, kind, scope_id, target_id, marked_at, available_at)
        select ${this.accountId}::uuid, kind, scope_id, target_id, min(marked_at),
          min(marked_at) + make_interval(secs => ${GATHERING_MS / 1000}::float8)
        from taken group by kind, scope_id, target_id order by target_id, scope_id, kind
        on conflict (account_id, target_id, scope_id, kind) do update
        set generation = nextval('dirty_mark_generations'), marked_at = least(w.marked_at, excluded.marked_at)
      )
      select from taken`);
    return rowCount;
  }

  /** Takes due work, the longest waiting first: each counts an attempt and is put off, in the caller's transaction. */
  async take(limit: number): Promise<readonly ContextCardWork[]> {
    const rows = await this.tx.any(sql.type(workRow)`
      update projection_work w
      set attempt_count = least(w.attempt_count + 1, 1000),
        available_at = clock_timestamp() + make_interval(secs =>
          least(${FIRST_WAIT_MS}::float8 * 4::float8 ^ least(w.attempt_count, 20), ${LONGEST_WAIT_MS}::float8) / 1000)
      from (
        select d.kind, d.scope_id, d.target_id from projection_work d
        where d.account_id = ${this.accountId}::uuid and d.available_at <= clock_timestamp()
        order by d.available_at limit ${limit} for update skip locked
      ) due
      where w.account_id = ${this.accountId}::uuid and w.kind = due.kind and w.scope_id = due.scope_id
        and w.target_id = due.target_id
      returning w.kind, w.scope_id, w.target_id, w.generation`);
    return rows.map((row) => ({ ...placeOf(row), generation: row.generation }));
  }

  /** Locks the work until the transaction ends; false when it is gone, or somebody else has it. */
  async lock({ kind, scopeId, targetId }: ContextCardPlace): Promise<boolean> {
    const found = await this.tx.any(sql.type(z.object({ kind: z.string() }))`
      select kind from projection_work
      where account_id = ${this.accountId}::uuid and kind = ${kind}::projection_kind and scope_id = ${scopeId}::uuid
        and target_id = ${targetId}::uuid
      for update skip locked`);
    return found.length > 0;
  }

  /** Ends the work. What was marked since it was taken makes it due again. */
  async end({ generation, kind, scopeId, targetId }: ContextCardWork): Promise<void> {
    const isIt = sql.fragment`account_id = ${this.accountId}::uuid and kind = ${kind}::projection_kind
      and scope_id = ${scopeId}::uuid and target_id = ${targetId}::uuid`;
    const { rowCount } = await this.tx.query(sql.unsafe`
      delete from projection_work where ${isIt} and generation = ${generation}`);
    if (rowCount > 0) return;
    await this.tx.query(sql.unsafe`
      update projection_work
      set attempt_count = 0, marked_at = clock_timestamp(),
        available_at = clock_timestamp() + make_interval(secs => ${GATHERING_MS / 1000}::float8)
      where ${isIt}`);
  }

  /** Marks places to be built again, except those that are marked already. */
  async mark(places: readonly ContextCardPlace[]): Promise<void> {
    if (places.length === 0) return;
    await this.tx.query(sql.unsafe`
      insert into projection_marks (account_id, kind, scope_id, target_id)
      select ${this.accountId}::uuid, p.kind, p.scope_id, p.target_id
      from jsonb_to_recordset(${rowsOf(places)}::jsonb) as p (kind projection_kind, scope_id uuid, target_id uuid)
      where ${waitsSince(this.accountId)} is null`);
  }
}
