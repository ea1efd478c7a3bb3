/** What filling a collection asks of Postgres: how large units are, and marks for those that are being written. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { UnitKind } from '../../../domain/retrieval/units.ts';
import { AccountStore } from '../account-store.ts';
import { dirtyMark, type DirtyMark, type MarkedUnit } from './dirty-marks.store.ts';

const sized = z.object({ id: z.string(), version: z.number(), bytes: z.number() });
/** A unit that indexes hold, with its row version (0 for messages) and the bytes of its text. */
export type SizedUnit = z.infer<typeof sized>;

const heldUnit = dirtyMark.extend({ is_new: z.boolean() });
/** `is_new`: the unit had no mark of the index before. */
export type WalkedMark = DirtyMark & { readonly is_new: boolean };

/**
 * Longer than writing a few units takes. Afterwards any worker writes them, because the process that held them has
 * died.
 */
const LEASE_MS = 120_000;

export class SpaceWalkStore extends AccountStore {
  /** Those of the units that indexes hold, as far as their rows say; measured, not read. */
  async sizes(unit: UnitKind, ids: readonly string[]): Promise<readonly SizedUnit[]> {
    if (ids.length === 0) return [];
    const wanted = sql.array(ids, 'uuid');
    return unit === 'message'
      ? this.tx.any(sql.type(sized)`
          select id, 0 as version, octet_length(content) as bytes from messages
          where account_id = ${this.accountId}::uuid and id = any(${wanted}) and is_served order by id`)
      : this.tx.any(sql.type(sized)`
          select id, row_version as version, octet_length(statement) as bytes from knowledge
          where account_id = ${this.accountId}::uuid and id = any(${wanted})
            and statement is not null and state not in ('redacted', 'retracted') order by id`);
  }

  /**
   * Marks the units for Qdrant before they are written. A new mark is held: should this process die, a worker writes the
   * unit a little later, or deletes what was written of one that has gone. A mark that was there stays as it is. A unit
   * that somebody else marks at the same moment is left out.
   */
  async hold(units: readonly MarkedUnit[]): Promise<readonly WalkedMark[]> {
    if (units.length === 0) return [];
    const rows = units.map(({ unit, unitId, scopeId, shard }) => ({
      unit,
      unit_id: unitId,
      scope_id: scopeId,
      shard,
    }));
    return this.tx.any(sql.type(heldUnit)`
      with wanted as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as u (unit unit_kind, unit_id uuid, scope_id uuid, shard smallint)
      ), made as (
        insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard, attempt_count, unheard_attempts, available_at)
        select ${this.accountId}::uuid, 'qdrant', unit, unit_id, scope_id, shard, 1, 1,
          clock_timestamp() + make_interval(secs => ${LEASE_MS / 1000})
        from wanted order by unit, unit_id
        on conflict (account_id, engine, unit, unit_id) do nothing
        returning engine, unit, unit_id, generation
      )
      select engine, unit, unit_id, generation, true as is_new from made
      union all
      select m.engine, m.unit, m.unit_id, m.generation, false
      from wanted w
      join dirty_marks m on m.account_id = ${this.accountId}::uuid and m.engine = 'qdrant'
        and m.unit = w.unit and m.unit_id = w.unit_id`);
  }

  /** Whether the account has neither messages nor statements. */
  async isEmpty(): Promise<boolean> {
    return this.tx.oneFirst(sql.type(z.object({ empty: z.boolean() }))`
      select not exists (select from messages where account_id = ${this.accountId}::uuid)
        and not exists (select from knowledge where account_id = ${this.accountId}::uuid) as empty`);
  }

  /** Messages and statements of the account. */
  async total(): Promise<number> {
    return this.tx.oneFirst(sql.type(z.object({ total: z.number() }))`
      select ((select count(*) from messages where account_id = ${this.accountId}::uuid)
        + (select count(*) from knowledge where account_id = ${this.accountId}::uuid))::integer as total`);
  }
}
