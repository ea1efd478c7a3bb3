/**
 * In how many units of a scope each term occurs. Counted by difference: `indexed_units` keeps what is counted
 * for a unit, so the numbers stay exact when the unit is counted again, in another form, or no longer.
 *
 * Deadlocks: rows are locked in one order everywhere: units by id, then the one `scope_units` row per scope
 * and unit kind, which is the mutex of all its terms. Call `recount` once per transaction and after the other
 * writes, so that the mutex is held briefly.
 */
import type { UnitKind } from '../../../domain/retrieval/units.ts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Queryable } from '../pool.ts';
import { AccountStore } from '../account-store.ts';

export interface UnitRef {
  readonly unit: UnitKind;
  readonly unitId: string;
}

export interface CountedUnit extends UnitRef {
  readonly scopeId: string;
  /** Distinct term ids (unsigned 32-bit) of the unit's own words. */
  readonly termIds: readonly number[];
  readonly analyzerVersion: string;
}

const countedRow = z.object({
  unit: z.enum(['message', 'statement']),
  unit_id: z.string(),
  scope_id: z.string(),
  term_ids: z.array(z.number()),
  analyzer_version: z.string(),
});
type CountedRow = z.infer<typeof countedRow>;

/** Sums of changes, keyed by scope and unit kind, and below that by term. */
class Deltas {
  readonly #places = new Map<
    string,
    { scopeId: string; unit: UnitKind; units: number; terms: Map<number, number> }
  >();

  add(scopeId: string, unit: UnitKind, termIds: readonly number[], by: 1 | -1): void {
    const key = `${scopeId}/${unit}`;
    const place = this.#places.get(key) ?? { scopeId, unit, units: 0, terms: new Map() };
    place.units += by;
    for (const id of termIds) place.terms.set(id, (place.terms.get(id) ?? 0) + by);
    this.#places.set(key, place);
  }

  units(): { scope_id: string; unit: UnitKind; delta: number }[] {
    return [...this.#places.values()].map(({ scopeId, unit, units }) => ({
      scope_id: scopeId,
      unit,
      delta: units,
    }));
  }

  terms(): { scope_id: string; unit: UnitKind; term_id: number; delta: number }[] {
    return [...this.#places.values()].flatMap(({ scopeId, unit, terms }) =>
      [...terms]
        .filter(([, delta]) => delta !== 0)
        .map(([term_id, delta]) => ({ scope_id: scopeId, unit, term_id, delta })),
    );
  }
}

/** Forgets what was counted of the units; answers what it was. */
async function removeUnits(
  tx: Queryable,
  accountId: string,
  units: readonly UnitRef[],
): Promise<readonly CountedRow[]> {
  if (units.length === 0) return [];
  return tx.any(sql.type(countedRow)`
    with locked as (
      select u.unit, u.unit_id from indexed_units u
      join jsonb_to_recordset(${JSON.stringify(units.map(refRow))}::jsonb) as gone (unit unit_kind, unit_id uuid)
        on gone.unit = u.unit and gone.unit_id = u.unit_id
      where u.account_id = ${accountId}::uuid
      order by u.unit, u.unit_id for update of u
    )
    delete from indexed_units u using locked
    where u.account_id = ${accountId}::uuid and u.unit = locked.unit and u.unit_id = locked.unit_id
    returning u.unit, u.unit_id, u.scope_id, u.term_ids, u.analyzer_version`);
}

export interface Frequencies {
  /** Units in the scopes: N of the ranking formula. */
  readonly units: number;
  /** Units that hold a term; terms of no unit are absent. */
  readonly byTerm: ReadonlyMap<number, number>;
}

function refRow(unit: UnitRef): object {
  return { unit: unit.unit, unit_id: unit.unitId };
}

function unitRow(unit: CountedUnit): object {
  return {
    unit: unit.unit,
    unit_id: unit.unitId,
    scope_id: unit.scopeId,
    term_ids: unit.termIds,
    analyzer_version: unit.analyzerVersion,
  };
}

/** Inserts units that are not there; answers their ids. Waits for a concurrent insert of the same unit. */
async function insertUnits(
  tx: Queryable,
  accountId: string,
  units: readonly CountedUnit[],
): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(z.object({ unit_id: z.string() }))`
    insert into indexed_units (account_id, unit, unit_id, scope_id, term_ids, analyzer_version)
    select ${accountId}::uuid, u.unit, u.unit_id, u.scope_id, u.term_ids, u.analyzer_version
    from jsonb_to_recordset(${JSON.stringify(units.map(unitRow))}::jsonb)
      as u (unit unit_kind, unit_id uuid, scope_id uuid, term_ids bigint[], analyzer_version text)
    order by u.unit, u.unit_id
    on conflict (account_id, unit, unit_id) do nothing
    returning unit_id`);
}

/** The units that are counted in another form, each with that form, locked. */
async function changedUnits(
  tx: Queryable,
  accountId: string,
  units: readonly CountedUnit[],
  isNew: ReadonlySet<string>,
): Promise<(readonly [CountedUnit, CountedRow])[]> {
  const known = units.filter((unit) => !isNew.has(unit.unitId));
  if (known.length === 0) return [];
  const rows = await tx.any(sql.type(countedRow)`
    select u.unit, u.unit_id, u.scope_id, u.term_ids, u.analyzer_version
    from indexed_units u
    join jsonb_to_recordset(${JSON.stringify(known.map(refRow))}::jsonb) as wanted (unit unit_kind, unit_id uuid)
      on wanted.unit = u.unit and wanted.unit_id = u.unit_id
    where u.account_id = ${accountId}::uuid
    order by u.unit, u.unit_id for update of u`);
  const before = new Map(rows.map((row) => [`${row.unit}/${row.unit_id}`, row]));
  return known.flatMap((unit) => {
    const row = before.get(`${unit.unit}/${unit.unitId}`);
    return row === undefined || isSameForm(unit, row) ? [] : [[unit, row] as const];
  });
}

function isSameForm(unit: CountedUnit, row: CountedRow): boolean {
  if (unit.scopeId !== row.scope_id || unit.analyzerVersion !== row.analyzer_version) return false;
  const counted = new Set(row.term_ids);
  return counted.size === unit.termIds.length && unit.termIds.every((id) => counted.has(id));
}

async function updateUnits(
  tx: Queryable,
  accountId: string,
  units: readonly CountedUnit[],
): Promise<void> {
  await tx.query(sql.unsafe`
    update indexed_units u
    set scope_id = n.scope_id, term_ids = n.term_ids, analyzer_version = n.analyzer_version
    from jsonb_to_recordset(${JSON.stringify(units.map(unitRow))}::jsonb)
      as n (unit unit_kind, unit_id uuid, scope_id uuid, term_ids bigint[], analyzer_version text)
    where u.account_id = ${accountId}::uuid and u.unit = n.unit and u.unit_id = n.unit_id`);
}

/** Changes the numbers. The first query takes the mutexes, in order; numbers are lowered once they are held. */
async function applyDeltas(tx: Queryable, accountId: string, deltas: Deltas): Promise<void> {
  const places = deltas.units();
  if (places.length === 0) return;
  await tx.query(sql.unsafe`
    insert into scope_units (account_id, scope_id, unit, units)
    select ${accountId}::uuid, d.scope_id, d.unit, greatest(d.delta, 0)
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as d (scope_id uuid, unit unit_kind, delta integer)
    order by d.scope_id, d.unit
    on conflict (account_id, scope_id, unit) do update set units = scope_units.units + excluded.units`);
  const fewer = places.filter((place) => place.delta < 0);
  if (fewer.length > 0) {
    await tx.query(sql.unsafe`
      update scope_units s set units = s.units + d.delta
      from jsonb_to_recordset(${JSON.stringify(fewer)}::jsonb) as d (scope_id uuid, unit unit_kind, delta integer)
      where s.account_id = ${accountId}::uuid and s.scope_id = d.scope_id and s.unit = d.unit`);
  }
  const terms = deltas.terms();
  const risen = terms.filter((term) => term.delta > 0);
  if (risen.length > 0) {
    await tx.query(sql.unsafe`
      insert into scope_terms (account_id, scope_id, unit, term_id, df)
      select ${accountId}::uuid, d.scope_id, d.unit, d.term_id, d.delta
      from jsonb_to_recordset(${JSON.stringify(risen)}::jsonb)
        as d (scope_id uuid, unit unit_kind, term_id bigint, delta integer)
      on conflict (account_id, scope_id, unit, term_id) do update set df = scope_terms.df + excluded.df`);
  }
  const fallen = terms.filter((term) => term.delta < 0);
  if (fallen.length > 0) await lowerTerms(tx, accountId, fallen);
}

/** Lowers numbers, and deletes the rows of terms that no unit holds any more. */
async function lowerTerms(
  tx: Queryable,
  accountId: string,
  fallen: ReturnType<Deltas['terms']>,
): Promise<void> {
  const rows = JSON.stringify(fallen);
  await tx.query(sql.unsafe`
    update scope_terms t set df = t.df + d.delta
    from jsonb_to_recordset(${rows}::jsonb) as d (scope_id uuid, unit unit_kind, term_id bigint, delta integer)
    where t.account_id = ${accountId}::uuid and t.scope_id = d.scope_id and t.unit = d.unit
      and t.term_id = d.term_id`);
  await tx.query(sql.unsafe`
    delete from scope_terms t
    using jsonb_to_recordset(${rows}::jsonb) as d (scope_id uuid, unit unit_kind, term_id bigint, delta integer)
    where t.account_id = ${accountId}::uuid and t.scope_id = d.scope_id and t.unit = d.unit
      and t.term_id = d.term_id and t.df = 0`);
}

/** Frequencies of terms in the account. */
export class FrequencyStore extends AccountStore {
  /**
   * Counts the units `counted` as they are now, and takes the units `gone` out of the numbers; a `gone` unit that was
   * not counted is skipped. New units cost three round trips, changed ones up to seven; a unit that is counted in this
   * form already costs two and changes nothing. The mutexes are taken once, in order, for all of it.
   */
  async recount(changes: {
    readonly gone?: readonly UnitRef[];
    readonly counted?: readonly CountedUnit[];
  }): Promise<void> {
    const { gone = [], counted = [] } = changes;
    const wanted = [
      ...new Map(counted.map((unit) => [`${unit.unit}/${unit.unitId}`, unit])).values(),
    ];
    const deltas = new Deltas();
    for (const row of await removeUnits(this.tx, this.accountId, gone)) {
      deltas.add(row.scope_id, row.unit, row.term_ids, -1);
    }
    const isNew = new Set(
      wanted.length === 0 ? [] : await insertUnits(this.tx, this.accountId, wanted),
    );
    for (const unit of wanted) {
      if (isNew.has(unit.unitId)) deltas.add(unit.scopeId, unit.unit, unit.termIds, 1);
    }
    const changed = await changedUnits(this.tx, this.accountId, wanted, isNew);
    for (const [unit, before] of changed) {
      deltas.add(before.scope_id, before.unit, before.term_ids, -1);
      deltas.add(unit.scopeId, unit.unit, unit.termIds, 1);
    }
    if (changed.length > 0) {
      await updateUnits(
        this.tx,
        this.accountId,
        changed.map(([unit]) => unit),
      );
    }
    await applyDeltas(this.tx, this.accountId, deltas);
  }

  /** N and the frequencies of `termIds`, summed over the scopes. One query. */
  async of(
    scopeIds: readonly string[],
    unit: UnitKind,
    termIds: readonly number[],
  ): Promise<Frequencies> {
    const rows = await this.tx.any(sql.type(
      z.object({ term_id: z.number().nullable(), total: z.number() }),
    )`
      select null::bigint as term_id, coalesce(sum(units), 0)::integer as total
      from scope_units
      where account_id = ${this.accountId}::uuid and scope_id = any(${sql.array(scopeIds, 'uuid')})
        and unit = ${unit}::unit_kind
      union all
      select term_id, sum(df)::integer
      from scope_terms
      where account_id = ${this.accountId}::uuid and scope_id = any(${sql.array(scopeIds, 'uuid')})
        and unit = ${unit}::unit_kind and term_id = any(${sql.array(termIds, 'int8')})
      group by term_id`);
    return {
      units: rows.find((row) => row.term_id === null)?.total ?? 0,
      byTerm: new Map(
        rows.flatMap((row) => (row.term_id === null ? [] : [[row.term_id, row.total] as const])),
      ),
    };
  }
}
