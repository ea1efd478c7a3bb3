/**
 * Looks names up: those that a query may name, and those that statements share. `view` says whose rows decide that a name
 * exists, how rare it is and whether it is unique: every row that peers of the scope may read, or public ones alone.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { leadOfAlias } from '../../../domain/entities/alias.ts';
import type { PossibleName } from '../../../domain/entities/possible-names.ts';
import { MOST_MENTIONS } from '../../../domain/entities/mentions.ts';
import {
  MOST_ROWS_OF_SHARED,
  type SharedName,
  type UpdateLink,
} from '../../../domain/entities/relations.ts';
import { MOST_LONGER_NAMES, type KnownName } from '../../../domain/entities/resolution.ts';
import { MOST_ROWS_OF_ENTITY } from '../../../domain/entities/scores.ts';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { AccountStore } from '../account-store.ts';
import { renderReadable } from '../visibility/statements.ts';

/** `public` is for readers to whom no frequencies may be shown (ADR 8). */
export type EntityView = 'shared' | 'public';

/** Names of a query that are looked at, the first ones, over all scopes. */
export const MOST_NAMES_READ = 256;
/** Statements that replaced a statement, or that it replaced. */
export const MOST_UPDATES = 10;

const knownRow = z.object({
  scope_id: z.string(),
  asked: z.string(),
  alias: z.string(),
  statements: z.number(),
  is_sure: z.boolean(),
  statement_ids: z.array(z.string()),
});

const sharedRow = z.object({
  contract_id: z.string(),
  contract_scope_id: z.string(),
  alias: z.string(),
  statements: z.number(),
  statement_ids: z.array(z.string()),
  scope_ids: z.array(z.string()),
});

const linkRow = z.object({ of_id: z.string(), id: z.string() });

/** The counts that the view may see of a row `n` of `scope_names`. */
function countsOf(view: EntityView) {
  return view === 'public'
    ? {
        statements: sql.fragment`n.public_statements`,
        sure: sql.fragment`n.sure_public_statements`,
        exists: sql.fragment`n.public_statements > 0`,
      }
    : {
        statements: sql.fragment`n.statements`,
        sure: sql.fragment`n.sure_statements`,
        exists: sql.fragment`true`,
      };
}

/** The mentions `m` that the view may see: two ranges of the primary key, or one. */
function mentionsIn(view: EntityView): FragmentSqlToken {
  return sql.fragment`m.is_public = any(${sql.array(view === 'public' ? [true] : [true, false], 'bool')})`;
}

/** Names and the statements that mention them. */
export class EntitiesStore extends AccountStore {
  /**
   * What the scopes know of the possible names: the names themselves, and up to two longer ones that contain a single name;
   * with their statements where these are no more than `MOST_ROWS_OF_ENTITY`. One query, also without candidates.
   */
  async known(
    possibleNames: readonly PossibleName[],
    scopeIds: readonly string[],
    view: EntityView,
  ): Promise<readonly KnownName[]> {
    const { exists, statements, sure } = countsOf(view);
    const own = sql.fragment`n.account_id = ${this.accountId}::uuid and n.scope_id = scope.id and n.word = asked.word
      and ${exists}`;
    const columns = sql.fragment`n.alias, ${statements} as statements, ${sure} > 0 as is_sure`;
    const rows = await this.tx.any(sql.type(knownRow)`
      select named.scope_id, named.asked, named.alias, named.statements, named.is_sure,
        case when named.statements > ${MOST_ROWS_OF_ENTITY} then '{}'::uuid[] else array(
          select m.statement_id from entity_mentions m
          where m.account_id = ${this.accountId}::uuid and m.scope_id = named.scope_id and m.alias = named.alias
            and ${mentionsIn(view)}
          order by m.statement_id desc limit ${MOST_ROWS_OF_ENTITY}
        ) end as statement_ids
      from (
        select scope.id as scope_id, asked.alias as asked, name.*
        from unnest(${sql.array(
          possibleNames.map(({ alias }) => leadOfAlias(alias)),
          'text',
        )}, ${sql.array(
          possibleNames.map(({ alias }) => alias),
          'text',
        )}, ${sql.array(
          possibleNames.map(({ isSingle }) => isSingle),
          'bool',
        )}) with ordinality as asked (word, alias, is_single, place)
        cross join unnest(${sql.array(scopeIds, 'uuid')}) with ordinality as scope (id, place)
        cross join lateral (
          (select ${columns} from scope_names n where ${own} and n.alias = asked.alias limit 1)
          union all
          (select ${columns} from scope_names n where ${own} and asked.is_single and n.alias <> asked.alias
            order by n.alias limit ${MOST_LONGER_NAMES})
        ) name
        order by asked.place, scope.place, name.alias
        limit ${MOST_NAMES_READ}
      ) named`);
    return rows.map((row) => ({
      scopeId: row.scope_id,
      asked: row.asked,
      alias: row.alias,
      statements: row.statements,
      isSure: row.is_sure,
      statementIds: row.statement_ids,
    }));
  }

  /** The sure names of the statements, each with the statements of the scopes that mention it. One query. */
  async shared(
    statementIds: readonly string[],
    scopeIds: readonly string[],
    view: EntityView,
  ): Promise<readonly SharedName[]> {
    const { statements } = countsOf(view);
    const rows = await this.tx.any(sql.type(sharedRow)`
      with own as materialized (
        select contract.id as contract_id, mention.scope_id as contract_scope_id, mention.alias
        from unnest(${sql.array(statementIds, 'uuid')}) as contract (id)
        cross join lateral (
          select m.scope_id, m.alias from entity_mentions m
          where m.account_id = ${this.accountId}::uuid and m.statement_id = contract.id and m.is_sure and ${mentionsIn(view)}
          limit ${MOST_MENTIONS}) mention
      ), counted as materialized (
        select name.alias, sum(found.statements)::integer as statements
        from (select distinct alias from own) name
        cross join unnest(${sql.array(scopeIds, 'uuid')}) as scope (id)
        cross join lateral (
          select ${statements} as statements from scope_names n
          where n.account_id = ${this.accountId}::uuid and n.scope_id = scope.id
            and n.word = split_part(name.alias, ' ', 1) and n.alias = name.alias
          limit 1) found
        group by name.alias
      ), listed as materialized (
        select counted.alias, array_agg(mention.statement_id) as statement_ids, array_agg(scope.id) as scope_ids
        from counted
        cross join unnest(${sql.array(scopeIds, 'uuid')}) as scope (id)
        cross join lateral (
          select m.statement_id from entity_mentions m
          where m.account_id = ${this.accountId}::uuid and m.scope_id = scope.id and m.alias = counted.alias
            and ${mentionsIn(view)}
          limit ${MOST_ROWS_OF_SHARED}) mention
        where counted.statements <= ${MOST_ROWS_OF_SHARED}
        group by counted.alias
      )
      select own.contract_id, own.contract_scope_id, own.alias, counted.statements,
        coalesce(listed.statement_ids, '{}') as statement_ids, coalesce(listed.scope_ids, '{}') as scope_ids
      from own join counted using (alias) left join listed using (alias)`);
    return rows.map(({ scope_ids: scopes, statement_ids: ids, ...row }) => ({
      ofId: row.contract_id,
      ofScopeId: row.contract_scope_id,
      alias: row.alias,
      statements: row.statements,
      mentioning: ids.map((id, at) => ({ id, scopeId: scopes[at] ?? '' })),
    }));
  }

  /**
   * The statements that ended or replaced one of the statements, or were ended or replaced by it, as far as the predicate
   * lets them through: at most `MOST_UPDATES` of each kind. One query.
   */
  async updates(
    statementIds: readonly string[],
    visible: Condition,
  ): Promise<readonly UpdateLink[]> {
    const older = (column: 'updated_by_id' | 'supersedes_id') => sql.fragment`
      (select other.id from knowledge other
        where other.account_id = ${this.accountId}::uuid and other.${sql.identifier([column])} = k.id
          and ${renderReadable(visible, 'other')}
        order by other.id limit ${MOST_UPDATES})`;
    const rows = await this.tx.any(sql.type(linkRow)`
      select k.id as of_id, linked.id
      from knowledge k
      cross join lateral (
        (select other.id from knowledge other
          where other.account_id = ${this.accountId}::uuid and other.id in (k.updated_by_id, k.supersedes_id)
            and ${renderReadable(visible, 'other')})
        union all ${older('updated_by_id')}
        union all ${older('supersedes_id')}
      ) linked
      where k.account_id = ${this.accountId}::uuid and k.id = any(${sql.array(statementIds, 'uuid')})
        and linked.id <> k.id`);
    return rows.map(({ id, of_id: ofId }) => ({ ofId, id }));
  }
}
