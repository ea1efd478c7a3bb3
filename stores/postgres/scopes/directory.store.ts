/** The tree of scopes as somebody may read it, and what stands in its scopes, counted as far as a person wants to know. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { walksOf } from '../../../domain/governance/walks.ts';
import { ROLES } from '../../../domain/identity/roles.ts';
import type { Openings } from '../../../domain/identity/openings.ts';
import { scopeChain, type ScopePath } from '../../../domain/scopes/path.ts';
import { AccountStore } from '../account-store.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { renderReadableOfMany } from '../visibility/statements.ts';
import { isOnShelf, namingListOf, walking } from '../visibility/walks.ts';
import type { ScopeRow } from './scopes.store.ts';

/** Counting stops here. The page then says "more than 1,000". */
export const MOST_COUNTED = 1_001;
/** Statements of one shelf, and versions of documents, that a count meets at most. */
const MOST_MET_FOR_COUNT = 2_000;

const scopeRow = z.object({ id: z.string(), path: z.string() });
const countRow = z.object({ scope_id: z.string(), n: z.number() });
const grantRow = z.object({
  scope_path: z.string(),
  peer_key: z.string().nullable(),
  peer_name: z.string().nullable(),
  role: z.enum(ROLES),
  effect: z.enum(['allow', 'deny']),
  propagate: z.boolean(),
});
export type ScopeGrantRow = z.infer<typeof grantRow>;

export interface TreePage {
  readonly openings: Openings;
  /** The scope after which the page begins; it lies in the first of the tops. */
  readonly after: ScopeRow | null;
  readonly limit: number;
}

/** Whose documents and sessions are counted: all of them, or those of a peer. */
export type CountedFor = { readonly peerId: string } | 'everybody';

const counts = (rows: readonly z.infer<typeof countRow>[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ n, scope_id: id }) => [id, n]));

/** Who may see any of it is for the caller of these functions to judge. */
export class ScopeDirectoryStore extends AccountStore {
  /** The scope of the id, if there is one. */
  async byId(id: string): Promise<ScopeRow | null> {
    return this.tx.maybeOne(sql.type(scopeRow)`
      select s.id, s.path from scopes s where s.account_id = ${this.accountId}::uuid and s.id = ${id}::uuid`);
  }

  /**
   * Scopes that the openings let through, in the order of the tree. Goes from each scope to the first one below it, or
   * else to the next one beside it or beside the nearest scope above: some thirty looks into an index for each scope.
   */
  async page({ after, limit, openings }: TreePage): Promise<readonly ScopeRow[]> {
    const { closedBelow, closedHere, tops } = openings;
    if (tops.length === 0) return [];
    const starts = tops.map(({ path }, at) => (at === 0 && after !== null ? after.path : path));
    const depths = tops.map(({ path }) => scopeChain(path).length);
    const closed = sql.fragment`any(text_hashes(${sql.array(closedBelow, 'text')}))`;
    return this.tx.any(sql.type(scopeRow)`
      select walked.id, walked.path
      from unnest(${sql.array(starts, 'text')}, ${sql.array(depths, 'int4')}, ${sql.array(
        tops.map(({ reachesBelow }) => reachesBelow),
        'bool',
      )}) as top (start, depth, reaches_below)
      cross join lateral (
        with recursive walk as (
          select s.account_id, s.id, s.path, s.path_hash from scopes s
          where s.account_id = ${this.accountId}::uuid and s.path_hash = text_sha256(top.start)
          union all
          select following.* from walk cross join lateral (
            (select s.account_id, s.id, s.path, s.path_hash from scopes s
              where top.reaches_below and walk.path_hash <> all(text_hashes(${sql.array(closedBelow, 'text')}))
                and s.account_id = walk.account_id and s.parent_id = walk.id
              order by s.name collate "C" limit 1)
            union all
            (select beside.* from unnest(text_hashes(scope_chain(walk.path))) with ordinality as step (hash, depth)
              join scopes here on here.account_id = walk.account_id and here.path_hash = step.hash
              cross join lateral (
                select s.account_id, s.id, s.path, s.path_hash from scopes s
                where s.account_id = here.account_id and s.parent_id = here.parent_id
                  and s.name collate "C" > here.name collate "C"
                order by s.name collate "C" limit 1) beside
              where step.depth > top.depth
              order by step.depth desc limit 1)
            limit 1
          ) following
        )
        select walk.id, walk.path from walk
        where not (walk.path_hash = ${closed}
          or walk.path_hash = any(text_hashes(${sql.array(closedHere, 'text')})))
      ) walked
      where walked.id is distinct from ${after?.id ?? null}::uuid
      limit ${limit}`);
  }

  /**
   * Up to `limit` of the scopes that the openings let through, in no order: cheaper than a page. Goes from each scope to
   * those right below it, so what others alone may read is met for a deny only.
   */
  async some(
    { closedBelow, closedHere, tops }: Openings,
    limit: number,
  ): Promise<readonly ScopeRow[]> {
    if (tops.length === 0) return [];
    return this.tx.any(sql.type(scopeRow)`
      with recursive opened as (
        select s.account_id, s.id, s.path, s.path_hash, top.reaches_below
        from unnest(text_hashes(${sql.array(
          tops.map(({ path }) => path),
          'text',
        )}), ${sql.array(
          tops.map(({ reachesBelow }) => reachesBelow),
          'bool',
        )}) as top (hash, reaches_below)
        join scopes s on s.account_id = ${this.accountId}::uuid and s.path_hash = top.hash
        union all
        select s.account_id, s.id, s.path, s.path_hash, true
        from opened join scopes s on s.account_id = opened.account_id and s.parent_id = opened.id
        where opened.reaches_below and s.path_hash <> all(text_hashes(${sql.array(closedBelow, 'text')}))
      )
      select opened.id, opened.path from opened
      where opened.path_hash <> all(text_hashes(${sql.array(closedHere, 'text')}))
      limit ${limit}`);
  }

  /** How many statements of each scope the predicate lets through; scopes without any are left out. */
  async statements(
    scopeIds: readonly string[],
    visible: Condition,
  ): Promise<ReadonlyMap<string, number>> {
    const walks = walksOf(visible) ?? [];
    if (walks.length === 0 || scopeIds.length === 0) return new Map();
    const readable = renderReadableOfMany(visible, this.accountId);
    const met = walks.map((walk): FragmentSqlToken => {
      const list = namingListOf(walk);
      return list !== null
        ? sql.fragment`(select k.id from (
            select s.account_id, s.knowledge_id from unnest(${list.names}) as named (id), ${list.table} s
            where ${list.mayBe} and s.account_id = ${this.accountId}::uuid and ${list.isOf}
              and s.scope_id = place.id and s.state = ${walk.state} limit ${MOST_MET_FOR_COUNT}
          ) s join knowledge k on k.account_id = s.account_id and k.id = s.knowledge_id where ${readable})`
        : sql.fragment`(select k.id from (
            select k.* from knowledge k
            where k.account_id = ${this.accountId}::uuid and k.scope_id = place.id and ${isOnShelf(walk)}
            limit ${MOST_MET_FOR_COUNT}
          ) k where ${readable})`;
    });
    return counts(
      await this.tx.any(sql.type(countRow)`
        select place.id as scope_id, counted.n from unnest(${sql.array(scopeIds, 'uuid')}) as place (id)
        cross join lateral (
          select count(*)::integer as n from (
            select met.id from (${sql.join(met, sql.fragment` union `)}) met limit ${MOST_COUNTED}
          ) met
        ) counted where counted.n > 0`),
    );
  }

  /** How many documents each scope has, or those of them that the peer uploaded a version of. */
  async documents(
    scopeIds: readonly string[],
    who: CountedFor,
  ): Promise<ReadonlyMap<string, number>> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const scopes = sql.array(scopeIds, 'uuid');
    return counts(
      await (who === 'everybody'
        ? this.tx.any(sql.type(countRow)`
            select place.id as scope_id, counted.n from unnest(${scopes}) as place (id)
            cross join lateral (
              select count(*)::integer as n from (
                select from documents d where d.account_id = ${account} and d.scope_id = place.id
                limit ${MOST_COUNTED}) met
            ) counted where counted.n > 0`)
        : this.tx.any(sql.type(countRow)`
            select d.scope_id, count(distinct d.id)::integer as n
            from (
              select v.document_id from document_versions v
              where v.account_id = ${account} and v.uploader_peer_id = ${who.peerId}::uuid
              limit ${MOST_MET_FOR_COUNT}
            ) own
            join documents d on d.account_id = ${account} and d.id = own.document_id and d.scope_id = any(${scopes})
            group by d.scope_id`)),
    );
  }

  /** How many sessions each scope has, those in which documents are read included, or those that the peer takes part in. */
  async sessions(
    scopeIds: readonly string[],
    who: CountedFor,
  ): Promise<ReadonlyMap<string, number>> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const met =
      who === 'everybody'
        ? sql.fragment`select from session_scopes s where s.account_id = ${account} and s.scope_id = place.id`
        : sql.fragment`select from session_participants s
            where s.account_id = ${account} and s.peer_id = ${who.peerId}::uuid and s.scope_id = place.id`;
    return counts(
      await this.tx.any(sql.type(countRow)`
        select place.id as scope_id, counted.n from unnest(${sql.array(scopeIds, 'uuid')}) as place (id)
        cross join lateral (
          select count(*)::integer as n from (${met} limit ${MOST_COUNTED}) met
        ) counted where counted.n > 0`),
    );
  }

  /** Grants that hold at the last of the paths, of a chain: its own, and those of the others that reach below. */
  async grants(chain: readonly ScopePath[], limit: number): Promise<readonly ScopeGrantRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    // In an order that one index alone has: the primary key would be read to its end for a path without grants.
    const held = (which: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
      select g.* from grants g
      where g.account_id = ${account} and g.scope_path_hash = step.hash and ${which}
        and ${isNotErasing(account, sql.fragment`g.peer_id`)}
      order by g.created_at limit ${limit})`;
    const query = sql.type(grantRow)`
      select held.scope_path, peer.key as peer_key, peer.name as peer_name, held.role, held.effect, held.propagate
      from unnest(text_hashes(${sql.array(chain, 'text')})) with ordinality as step (hash, depth)
      cross join lateral (
        ${held(sql.fragment`g.propagate`)}
        union all
        ${held(sql.fragment`not g.propagate and step.depth = ${chain.length}`)}
      ) held
      left join lateral (
        select p.key, p.name from peers p where p.account_id = ${account} and p.id = held.peer_id offset 0
      ) peer on true
      order by step.depth desc, held.created_at, held.id limit ${limit}`;
    return walking(this.tx, () => this.tx.any(query));
  }
}
