/** Marks of units that change although nobody says anything: for erasures and holds. */
import { sql } from 'slonik';
import { ERASURE_SHARD } from '../../../domain/erasure/words.ts';
import type { UnitKind } from '../../../domain/retrieval/units.ts';
import type { Queryable } from '../pool.ts';

/** Marks units for both indexes, with the mailbox that the sweep finds the marks through. */
export async function markUnits(
  tx: Queryable,
  accountId: string,
  unit: UnitKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const table = unit === 'message' ? sql.fragment`messages` : sql.fragment`knowledge`;
  await tx.query(sql.unsafe`
    with mailbox as (
      insert into mailboxes (account_id, kind, shard) values (${accountId}, 'projection', ${ERASURE_SHARD})
      on conflict do nothing
    )
    insert into dirty_marks as m (account_id, engine, unit, unit_id, scope_id, shard, spreads)
    select ${accountId}::uuid, engine, ${unit}::unit_kind, u.id, u.scope_id, ${ERASURE_SHARD}, false
    from ${table} u cross join unnest(enum_range(null::index_engine)) as engine
    where u.account_id = ${accountId}::uuid and u.id = any(${sql.array(ids, 'uuid')})
    order by engine, u.id
    on conflict (account_id, engine, unit, unit_id) do update
    set generation = excluded.generation, scope_id = excluded.scope_id,
      available_at = least(m.available_at, clock_timestamp())`);
}
