/**
 * Statements compared with what is made of them: the counts of their words, by which searches weigh, and the cards of their
 * scopes. Marks see to both, so what this finds was lost. It goes over all statements in the order of their ids, a page at
 * a time, so a page costs the same however many there are.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { waitsSince } from '../context-cards/waits-since.ts';

const lackingRow = z.object({
  id: z.string(),
  scope_id: z.string(),
  /** Its words are not counted, and no mark says that they will be. */
  is_uncounted: z.boolean(),
  /** Its scope has no card, and none is to be built. */
  is_bare: z.boolean(),
});
export type LackingStatement = z.infer<typeof lackingRow>;

const comparedPage = z.object({
  /** In the order of their ids. */
  lacking: z.array(lackingRow),
  size: z.number().int(),
  last: z.string().nullable(),
});
export type ComparedPage = z.infer<typeof comparedPage>;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Compares the statements of the account. */
export class ComparedStatementsStore extends AccountStore {
  /** Where the last page ended, null at the beginning. Of two passes at a time one waits for the other. */
  async place(): Promise<string | null> {
    return this.tx.oneFirst(sql.type(z.object({ after_id: z.string().nullable() }))`
      insert into reconcile_places as p (account_id) values (${this.accountId}::uuid)
      on conflict (account_id) do update set after_id = p.after_id
      returning after_id`);
  }

  async moveTo(afterId: string | null): Promise<void> {
    await this.tx.query(sql.unsafe`
      update reconcile_places set after_id = ${afterId}::uuid where account_id = ${this.accountId}::uuid`);
  }

  /**
   * The next statements, and those of them that lack something: placed ones that every peer of their scope may read and
   * that have not changed lately. A card needs two such statements.
   */
  async compare(
    afterId: string | null,
    { limit, olderThanMs }: { readonly limit: number; readonly olderThanMs: number },
  ): Promise<ComparedPage> {
    const account = sql.fragment`${this.accountId}::uuid`;
    return this.tx.one(sql.type(comparedPage)`
      with page as materialized (
        select k.id, k.scope_id, k.state, k.audience_id, k.sensitivity, k.updated_at from knowledge k
        where k.account_id = ${account} and k.id > ${afterId ?? FIRST_ID}::uuid
        order by k.id limit ${limit}
      ), placed as materialized (
        select p.id, p.scope_id from page p
        where p.state = 'active' and p.audience_id is null and p.sensitivity in ('public', 'internal')
          and p.updated_at < clock_timestamp() - make_interval(secs => ${olderThanMs / 1000})
      ), bare as materialized (
        select p.scope_id from (
          select distinct s.scope_id, s.scope_id as target_id, 'scope_card'::projection_kind as kind from placed s) p
        where ${waitsSince(this.accountId)} is null
          and not exists (
            select from projections made
            where made.account_id = ${account} and made.kind = p.kind and made.scope_id = p.scope_id
              and made.target_id = p.target_id and made.entity = '')
          and (select count(*) from (
            select from knowledge k
            where k.account_id = ${account} and k.scope_id = p.scope_id and k.state = 'active'
              and k.shelf in ('active/everybody', 'active/scope') limit 2) enough) = 2
      ), judged as (
        select p.id, p.scope_id, p.scope_id in (select scope_id from bare) as is_bare,
          not exists (
            select from indexed_units u
            where u.account_id = ${account} and u.unit = 'statement' and u.unit_id = p.id)
          and not exists (
            select from dirty_marks d
            where d.account_id = ${account} and d.unit_id = p.id and d.unit = 'statement') as is_uncounted
        from placed p
      )
      select
        (select coalesce(jsonb_agg(to_jsonb(j) order by j.id), '[]') from judged j where is_bare or is_uncounted) as lacking,
        (select count(*)::integer from page) as size,
        (select p.id from page p order by p.id desc limit 1) as last`);
  }
}
