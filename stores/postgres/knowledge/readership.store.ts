/** How many people read statements with an audience, as far as roles, audiences and sources say today. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { Readership } from '../../../domain/governance/readership.ts';
import {
  MOST_TOLD_AT_DESK,
  toldCount,
  type ToldCount,
} from '../../../domain/governance/told-counts.ts';
import { AccountStore } from '../account-store.ts';
import { isNotErasing } from '../visibility/erasing.ts';

const MOST_MET = MOST_TOLD_AT_DESK + 1;
/**
 * Grants of one place that a count looks at. A peer has at most 8 of them that allow, so with so many there are more peers
 * than a count says.
 */
const MOST_GRANTS_MET = 8 * MOST_MET;

const countRow = z.object({ n: z.number() });

export class ReadershipStore extends AccountStore {
  /** How many peers are in each of the readerships. One query. */
  async count(readerships: readonly Readership[]): Promise<readonly ToldCount[]> {
    const told = readerships.flatMap(({ knowledgeIds }, index) =>
      knowledgeIds.map((id) => ({ at: index + 1, id })),
    );
    const paths = readerships.map((each) => each.scope_path);
    const readers = readerships.map((each) => each.readers);
    const rows = await this.tx.any(sql.type(countRow)`
      with told as materialized (
        select told.at, k.id, k.subject_peer_id, k.audience_id
        from unnest(${sql.array(
          told.map(({ at }) => at),
          'int4',
        )}, ${sql.array(
          told.map(({ id }) => id),
          'uuid',
        )})
          as told (at, id)
        join knowledge k on k.account_id = ${this.accountId}::uuid and k.id = told.id
      )
      select (select count(*)::integer from (
          select reader.peer_id from (${this.ofScope()} union ${this.submitters()} union ${this.subjects()}
            union ${this.addressed()}) reader
          where ${isNotErasing(sql.fragment`${this.accountId}::uuid`, sql.fragment`reader.peer_id`)}
          limit ${MOST_MET}
        ) met) as n
      from unnest(${sql.array(paths, 'text')}, ${sql.array(readers, 'text')})
        with ordinality as place (path, readers, at)
      order by place.at`);
    return rows.map(({ n }) => toldCount(n));
  }

  /** Peers with a role at the place. */
  private ofScope(): FragmentSqlToken {
    return sql.fragment`(
      select met.peer_id from (${this.holders(sql.fragment`true`)}) met
      where place.readers in ('scope', 'everyone') and ${this.isNotDenied(sql.fragment`met.peer_id`)}
      limit ${MOST_MET})`;
  }

  /** Peers whom grants that apply at the place give a role. */
  private holders(isRole: FragmentSqlToken): FragmentSqlToken {
    return sql.fragment`
      select distinct held.peer_id
      from unnest(text_hashes(scope_chain(place.path))) as step (hash) cross join lateral (
        select g.peer_id from grants g
        where g.account_id = ${this.accountId}::uuid and g.scope_path_hash = step.hash and g.effect = 'allow'
          and g.peer_id is not null and (g.propagate or g.scope_path = place.path) and ${isRole}
        limit ${MOST_GRANTS_MET}
      ) held`;
  }

  /**
   * A scalar subquery without the hashes of the paths: a look at the few grants of each peer, where an anti-join, or the index
   * of paths, would read all grants of the chain.
   */
  private isNotDenied(peer: FragmentSqlToken): FragmentSqlToken {
    return sql.fragment`(
      select true from grants denied
      where denied.account_id = ${this.accountId}::uuid and denied.peer_id = ${peer} and denied.effect = 'deny'
        and (denied.scope_path = place.path or denied.propagate
          and (denied.scope_path = '/' or starts_with(place.path, denied.scope_path || '/')))
      limit 1) is null`;
  }

  private submitters(): FragmentSqlToken {
    return sql.fragment`(
      select said.peer_id from told cross join lateral (
        select s.peer_id from knowledge_submitters s
        where s.account_id = ${this.accountId}::uuid and s.knowledge_id = told.id
        order by s.peer_id limit ${MOST_MET}
      ) said
      where told.at = place.at and place.readers in ('submitters', 'subject', 'addressed'))`;
  }

  private subjects(): FragmentSqlToken {
    return sql.fragment`(
      select told.subject_peer_id from told
      where told.at = place.at and place.readers in ('subject', 'addressed') and told.subject_peer_id is not null)`;
  }

  /** Those whom the audiences name: themselves, by a circle that they are in now, or by a role that they have. */
  private addressed(): FragmentSqlToken {
    const account = sql.fragment`${this.accountId}::uuid`;
    const name = sql.fragment`case when m.principal not like '%/%' then m.principal::uuid end`;
    const role = sql.fragment`(case when m.principal like '%/%' then split_part(m.principal, '/', 2) end)::role_name`;
    return sql.fragment`(
      select named.peer_id
      from (select distinct told.audience_id from told where told.at = place.at and place.readers = 'addressed') of_group
      join audience_members m on m.account_id = ${account} and m.audience_id = of_group.audience_id
      cross join lateral (
        select p.id as peer_id from peers p where p.account_id = ${account} and p.id = ${name}
        union all
        select c.peer_id from circle_members c where c.account_id = ${account} and c.circle_id = ${name}
        union all
        (select holder.peer_id from (${this.holders(sql.fragment`g.role >= ${role}`)}) holder where m.principal like '%/%')
      ) named
      where role_of_peer(${account}, named.peer_id, place.path) is not null
      limit ${MOST_MET})`;
  }
}
