/** Circles: named lists of the peers of a scope, and the two questions that readers and audiences ask about them. */
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { LEAST_ID, type IdPage } from '../id-page.ts';

const circleRow = z.object({
  id: z.uuid(),
  scope_id: z.uuid(),
  scope_path: z.string(),
  name: z.string(),
  created_at: z.string(),
});
export type CircleRow = z.infer<typeof circleRow>;

const readRow = circleRow.extend({ is_member: z.boolean() });
/** A circle, with whether its reader is a member of it. */
export type ReadCircle = z.infer<typeof readRow>;

const listedRow = circleRow.extend({ member_count: z.int() });
export type ListedCircle = z.infer<typeof listedRow>;

const memberRow = z.object({
  peer_id: z.uuid(),
  peer_key: z.string(),
  added_by_peer_id: z.uuid().nullable(),
  added_by_peer_key: z.string().nullable(),
  added_at: z.string(),
});
export type CircleMember = z.infer<typeof memberRow>;

const idRow = z.object({ id: z.uuid() });
const countedRow = z.object({ peer_id: z.uuid(), circles: z.int() });

const namedRow = circleRow.pick({ id: true, scope_id: true, name: true });
export type NamedCircle = z.infer<typeof namedRow>;

export interface CirclePage extends IdPage {
  /** Scopes all of whose circles are listed; null for all of the account. */
  readonly curatedScopeIds: readonly string[] | null;
  /** Scopes of whose circles those are listed that the peer is a member of. */
  readonly otherScopeIds: readonly string[];
  readonly peerId: string | null;
}

const shown = sql.fragment`c.id, c.scope_id, s.path as scope_path, c.name, c.created_at`;
const placed = sql.fragment`
  circles c join scopes s on s.account_id = c.account_id and s.id = c.scope_id`;

function isListed({ curatedScopeIds, otherScopeIds, peerId }: CirclePage): FragmentSqlToken {
  if (curatedScopeIds === null) return sql.fragment``;
  return sql.fragment`
    and c.scope_id = any(${sql.array([...curatedScopeIds, ...otherScopeIds], 'uuid')})
    and (c.scope_id = any(${sql.array(curatedScopeIds, 'uuid')}) or exists (
      select from circle_members m
      where m.account_id = c.account_id and m.circle_id = c.id and m.peer_id = ${peerId}::uuid))`;
}

/** Circles of the account. */
export class CirclesStore extends AccountStore {
  /** The circles of the scopes that have one of the names, in no order. Who may know of them is not decided here. */
  async named(
    scopeIds: readonly string[],
    names: readonly string[],
  ): Promise<readonly NamedCircle[]> {
    if (scopeIds.length === 0 || names.length === 0) return [];
    return this.tx.any(sql.type(namedRow)`
      select c.id, c.scope_id, c.name from circles c
      where c.account_id = ${this.accountId}::uuid and c.scope_id = any(${sql.array(scopeIds, 'uuid')})
        and c.name = any(${sql.array(names, 'text')})`);
  }

  /** The circle of that id, or null. */
  async find(id: string): Promise<CircleRow | null> {
    return this.tx.maybeOne(sql.type(circleRow)`
      select ${shown} from ${placed}
      where c.account_id = ${this.accountId}::uuid and c.id = ${id}::uuid`);
  }

  /** The same with whether the peer is a member, in one query: a circle that the peer may not read costs what none does. */
  async findAs(id: string, peerId: string | null): Promise<ReadCircle | null> {
    return this.tx.maybeOne(sql.type(readRow)`
      select ${shown}, exists (
          select from circle_members m
          where m.account_id = c.account_id and m.circle_id = c.id and m.peer_id = ${peerId}::uuid
        ) as is_member
      from ${placed}
      where c.account_id = ${this.accountId}::uuid and c.id = ${id}::uuid`);
  }

  /** A page of the circles that the page lets through, in the order in which they were made. */
  async list(page: CirclePage): Promise<readonly ListedCircle[]> {
    return this.tx.any(sql.type(listedRow)`
      select ${shown}, (
          select count(*)::integer from circle_members m
          join peers p on p.account_id = m.account_id and p.id = m.peer_id
          where m.account_id = c.account_id and m.circle_id = c.id and p.erasing_at is null
        ) as member_count
      from ${placed}
      where c.account_id = ${this.accountId}::uuid and c.id > ${page.after ?? LEAST_ID}::uuid ${isListed(page)}
      order by c.id limit ${page.limit}`);
  }

  /** How many circles the scope has. */
  async countOfScope(scopeId: string): Promise<number> {
    return this.tx.oneFirst(sql.type(z.object({ circles: z.int() }))`
      select count(*)::integer as circles from circles c
      where c.account_id = ${this.accountId}::uuid and c.scope_id = ${scopeId}::uuid`);
  }

  /** Makes a circle without members. */
  async insert(scopeId: string, name: string): Promise<string> {
    return this.tx.oneFirst(sql.type(idRow)`
      insert into circles (account_id, id, scope_id, name)
      values (${this.accountId}::uuid, ${uuidv7()}, ${scopeId}::uuid, ${name}) returning id`);
  }

  /** Deletes the circle with its list of members. */
  async remove(id: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      delete from circles where account_id = ${this.accountId}::uuid and id = ${id}::uuid`);
    this.promise({ kind: 'circle_deleted', circle_id: id });
  }

  /** All members of the circle, in the order of their keys. Whoever is being erased is none any more, and added nobody. */
  async members(circleId: string): Promise<readonly CircleMember[]> {
    return this.tx.any(sql.type(memberRow)`
      select m.peer_id, p.key as peer_key, m.added_by_peer_id, adder.key as added_by_peer_key, m.added_at
      from circle_members m
      join peers p on p.account_id = m.account_id and p.id = m.peer_id
      left join peers adder on adder.account_id = m.account_id and adder.id = m.added_by_peer_id
        and adder.erasing_at is null
      where m.account_id = ${this.accountId}::uuid and m.circle_id = ${circleId}::uuid
        and p.erasing_at is null
      order by p.key`);
  }

  /** The ids of all members of the circle, in no order. */
  async memberIds(circleId: string): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(z.object({ peer_id: z.uuid() }))`
      select m.peer_id from circle_members m
      where m.account_id = ${this.accountId}::uuid and m.circle_id = ${circleId}::uuid`);
  }

  /** Adds peers that are no members yet. Somebody whose erasure is running breaks `peer_is_not_being_erased`. */
  async addMembers(
    circleId: string,
    peerIds: readonly string[],
    addedBy: string | null,
  ): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into circle_members (account_id, circle_id, peer_id, added_by_peer_id)
      select ${this.accountId}::uuid, ${circleId}::uuid, id, ${addedBy}::uuid
      from unnest(${sql.array(peerIds, 'uuid')}) as peer (id) order by id`);
  }

  async removeMembers(circleId: string, peerIds: readonly string[]): Promise<void> {
    await this.tx.query(sql.unsafe`
      delete from circle_members
      where account_id = ${this.accountId}::uuid and circle_id = ${circleId}::uuid
        and peer_id = any(${sql.array(peerIds, 'uuid')})`);
    for (const peerId of peerIds) {
      this.promise({ kind: 'circle_member_removed', circle_id: circleId, peer_id: peerId });
    }
  }

  /** In how many circles of the scope each of the peers is a member; a peer in none has no row. */
  async countsInScope(
    scopeId: string,
    peerIds: readonly string[],
  ): Promise<readonly z.infer<typeof countedRow>[]> {
    return this.tx.any(sql.type(countedRow)`
      select m.peer_id, count(*)::integer as circles from circle_members m
      where m.account_id = ${this.accountId}::uuid and m.scope_id = ${scopeId}::uuid
        and m.peer_id = any(${sql.array(peerIds, 'uuid')})
      group by m.peer_id`);
  }
}
