/** What the steps of an erasure have in common: one page of rows in one transaction. */
import { sql } from 'slonik';
import type { ErasedCounts } from '../../../domain/erasure/words.ts';
import type { UnitKind } from '../../../domain/retrieval/units.ts';
import { markUnits } from '../indexes/mark-units.ts';
import type { Queryable } from '../pool.ts';

export interface ErasurePage {
  readonly accountId: string;
  readonly erasureId: string;
  /** Who is erased. */
  readonly peerId: string;
  /** Rows of a page at most. */
  readonly limit: number;
}

export interface PageReport {
  /** Whether the page was full, so that another one is due. */
  readonly more: boolean;
  readonly erased: Partial<ErasedCounts>;
  /** Whether the indexes have work now. */
  readonly marked: boolean;
}

export const NOTHING_LEFT: PageReport = { more: false, erased: {}, marked: false };

/**
 * Removes what is made of the statements: cards, profiles, and summaries that were written from them. Each place is
 * marked, to be built again of what is left.
 */
async function removeContextCards(
  tx: Queryable,
  { accountId, peerId }: ErasurePage,
  ids: readonly string[],
): Promise<void> {
  await tx.query(sql.unsafe`
    with gone as (
      delete from projections p
      where p.account_id = ${accountId} and p.source_ids && ${sql.array(ids, 'uuid')}
      returning p.kind, p.scope_id, p.target_id
    )
    insert into projection_marks (account_id, kind, scope_id, target_id)
    select distinct ${accountId}::uuid, kind, scope_id, target_id from gone where target_id <> ${peerId}::uuid`);
}

/** Remembers units that leave the indexes, or whose text there changes, until the indexes were read back. */
export async function rememberUnits(
  tx: Queryable,
  page: ErasurePage,
  unit: UnitKind,
  ids: readonly string[],
): Promise<void> {
  const { accountId, erasureId } = page;
  if (unit === 'statement') await removeContextCards(tx, page, ids);
  await tx.query(sql.unsafe`
    insert into erasure_units (account_id, erasure_id, unit, unit_id)
    select ${accountId}, ${erasureId}, ${unit}::unit_kind, id from unnest(${sql.array(ids, 'uuid')}) as unit (id)
    on conflict (account_id, erasure_id, unit, unit_id) do update set stays = false`);
}

/**
 * Remembers units that stay and take words of erased ones, until the indexes were read back: they are written again
 * without these words.
 */
export async function rememberTakers(
  tx: Queryable,
  { accountId, erasureId }: ErasurePage,
  unit: UnitKind,
  ids: readonly string[],
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into erasure_units (account_id, erasure_id, unit, unit_id, stays)
    select ${accountId}, ${erasureId}, ${unit}::unit_kind, id, true from unnest(${sql.array(ids, 'uuid')}) as unit (id)
    on conflict do nothing`);
}

/**
 * Deletes statements with all that belongs to them. Links of other statements to them end, and so do links of decisions
 * about others to items that asked about both. The caller holds the locks of their subjects.
 */
export async function deleteStatements(
  tx: Queryable,
  page: ErasurePage,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { accountId } = page;
  const gone = sql.array(ids, 'uuid');
  await rememberUnits(tx, page, 'statement', ids);
  await markUnits(tx, accountId, 'statement', ids);
  await tx.query(sql.unsafe`
    update knowledge set supersedes_id = null
    where account_id = ${accountId} and supersedes_id = any(${gone}) and id <> all(${gone})`);
  await tx.query(sql.unsafe`
    update knowledge
    set updated_by_id = null, state_before_update = null, stated_until = null, stated_until_precision = null
    where account_id = ${accountId} and updated_by_id = any(${gone}) and id <> all(${gone})`);
  await tx.query(sql.unsafe`
    select erase_item_links(${accountId}, ${gone})`);
  await tx.query(sql.unsafe`
    delete from idempotency_records where account_id = ${accountId} and resource_id = any(${gone})`);
  await tx.query(sql.unsafe`
    delete from idempotency_records
    where account_id = ${accountId} and resource_id = any(array(
      select d.id from questions q
      join question_deliveries d on d.account_id = q.account_id and d.question_id = q.id
      where q.account_id = ${accountId} and q.knowledge_id = any(${gone})))`);
  await deleteCounts(tx, accountId, gone);
  await tx.query(sql.unsafe`
    delete from knowledge where account_id = ${accountId} and id = any(${gone})`);
}

/** What is written beside statements without a foreign key: what is counted of their sources, and what they came of. */
async function deleteCounts(
  tx: Queryable,
  accountId: string,
  gone: ReturnType<typeof sql.array>,
): Promise<void> {
  await tx.query(sql.unsafe`
    with attested as (
      delete from knowledge_attesters where account_id = ${accountId} and knowledge_id = any(${gone})
    ), scoped as (
      delete from knowledge_source_scopes where account_id = ${accountId} and knowledge_id = any(${gone})
    ), submitted as (
      delete from knowledge_submitters where account_id = ${accountId} and knowledge_id = any(${gone})
    )
    delete from run_outputs where account_id = ${accountId} and knowledge_id = any(${gone})`);
}
