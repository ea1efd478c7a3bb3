/** Audiences: the circles that a request may name for one, and what a reader is besides the peer itself. */
import { sql } from 'slonik';
import { z } from 'zod';
import { ROLES } from '../../../domain/identity/roles.ts';
import { AccountStore } from '../account-store.ts';
import { storedScopePath } from '../scopes/stored-path.ts';
import { isAtOneOf } from '../scopes/paths.ts';

const circleRow = z.object({ id: z.string(), name: z.string(), scope_path: z.string() });
export type CircleAtPath = z.infer<typeof circleRow>;

const membershipsRow = z.object({
  circle_ids: z.array(z.string()),
  grants: z.array(
    z.object({
      scopePath: storedScopePath,
      role: z.enum(ROLES),
      effect: z.enum(['allow', 'deny']),
      propagate: z.boolean(),
    }),
  ),
});
/** The circles that a peer is a member of, and its grants. */
export type Memberships = z.infer<typeof membershipsRow>;

/** Circles of one reader along the chains of a read, of which each has 256 at most; beyond them indexes find the reader less. */
const MOST_CIRCLES = 16 * 256;

/** Audiences of the account. */
export class AudiencesStore extends AccountStore {
  /** The circles with these names at these paths, in no order. One query. */
  async circlesAt(
    paths: readonly string[],
    names: readonly string[],
  ): Promise<readonly CircleAtPath[]> {
    return this.tx.any(sql.type(circleRow)`
      select c.id, c.name, s.path as scope_path
      from scopes s
      join circles c on c.account_id = s.account_id and c.scope_id = s.id and c.name = any(${sql.array(names, 'text')})
      where s.account_id = ${this.accountId}::uuid and ${isAtOneOf(paths, 's')}`);
  }

  /** What the peer is in these scopes besides itself. Its grants only where `withGrants` asks for them. One query. */
  async memberships(
    peerId: string,
    scopeIds: readonly string[],
    { withGrants }: { readonly withGrants: boolean },
  ): Promise<Memberships> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const grants = withGrants
      ? sql.fragment`(select coalesce(jsonb_agg(jsonb_build_object('scopePath', g.scope_path, 'role', g.role,
          'effect', g.effect, 'propagate', g.propagate)), '[]')
          from grants g where g.account_id = ${account} and g.peer_id = ${peerId}::uuid)`
      : sql.fragment`'[]'::jsonb`;
    return this.tx.one(sql.type(membershipsRow)`
      select ${grants} as grants, array(
        select m.circle_id from circle_members m
        where m.account_id = ${account} and m.peer_id = ${peerId}::uuid
          and m.scope_id = any(${sql.array(scopeIds, 'uuid')})
        limit ${MOST_CIRCLES}) as circle_ids`);
  }
}
