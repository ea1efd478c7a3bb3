/** Grants: a role at a scope path, held by a peer or by an API key without one. */
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { ROLES, roleCovers, type Grant, type Role } from '../../../domain/identity/roles.ts';
import type { Promised } from '../../../domain/promises/kinds.ts';
import { AccountStore } from '../account-store.ts';
import type { Queryable } from '../pool.ts';
import { promisedPathHash } from '../promised.ts';
import { storedScopePath } from '../scopes/stored-path.ts';
import { isAtPath } from '../scopes/paths.ts';
import { LEAST_ID, type IdPageOfPeer } from '../id-page.ts';

export type GrantHolder =
  | { readonly peerId: string; readonly credentialId?: never }
  | { readonly credentialId: string; readonly peerId?: never };

const grantRow = z.object({
  id: z.uuid(),
  peer_id: z.uuid().nullable(),
  peer_key: z.string().nullable(),
  credential_id: z.uuid().nullable(),
  scope_path: z.string(),
  role: z.enum(ROLES),
  effect: z.enum(['allow', 'deny']),
  propagate: z.boolean(),
  created_at: z.string(),
});
export type GrantRow = z.infer<typeof grantRow>;

const heldGrant = z.object({
  scopePath: storedScopePath,
  role: z.enum(ROLES),
  effect: z.enum(['allow', 'deny']),
  propagate: z.boolean(),
});

const columns = sql.fragment`
  g.id, g.peer_id, p.key as peer_key, g.credential_id, g.scope_path, g.role, g.effect, g.propagate, g.created_at
  from grants g left join peers p on p.account_id = g.account_id and p.id = g.peer_id`;

/** One of the two is null in every grant: an index finds the other. */
function isHeldBy({ peerId, credentialId }: GrantHolder): FragmentSqlToken {
  return peerId === undefined
    ? sql.fragment`credential_id = ${credentialId}::uuid`
    : sql.fragment`peer_id = ${peerId}::uuid`;
}

/** The path itself is a text that somebody chose: the promise names the row of the scope, and a keyed hash. */
async function denialOf(
  tx: Queryable,
  accountId: string,
  denial: Grant & { readonly id: string; readonly holder: GrantHolder },
): Promise<Promised<'grant_denied'>> {
  const { holder, id, propagate, role, scopePath } = denial;
  const scopeId = await tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select s.id from scopes s
    where s.account_id = ${accountId}::uuid and ${isAtPath(scopePath, 's')}`);
  return {
    kind: 'grant_denied',
    grant_id: id,
    peer_id: holder.peerId ?? null,
    credential_id: holder.credentialId ?? null,
    scope_id: scopeId,
    path_hash: promisedPathHash(tx, scopePath),
    role,
    propagate,
  };
}

/** Grants of the account. */
export class GrantsStore extends AccountStore {
  /** All grants of the peer, by its index. */
  async ofPeer(peerId: string): Promise<readonly Grant[]> {
    return this.tx.any(sql.type(heldGrant)`
      select scope_path as "scopePath", role, effect, propagate from grants
      where account_id = ${this.accountId}::uuid and peer_id = ${peerId}::uuid order by id`);
  }

  /** Gives the grant unless it is given already, and says which of the two happened. A new one may have an id already. */
  async ensure(
    holder: GrantHolder,
    grant: Grant,
    grantedBy: string | null,
    id: string = uuidv7(),
  ): Promise<{ readonly id: string; readonly created: boolean }> {
    const peerId = holder.peerId ?? null;
    const credentialId = holder.credentialId ?? null;
    const { rowCount } = await this.tx.query(sql.unsafe`
      insert into grants (account_id, id, peer_id, credential_id, scope_path, role, effect, propagate, granted_by)
      values (${this.accountId}, ${id}, ${peerId}, ${credentialId}, ${grant.scopePath}, ${grant.role},
        ${grant.effect}, ${grant.propagate}, ${grantedBy})
      on conflict on constraint grant_is_given_once do nothing`);
    if (rowCount === 1) {
      if (grant.effect === 'deny') {
        this.promise(await denialOf(this.tx, this.accountId, { ...grant, id, holder }));
      }
      return { id, created: true };
    }
    const known = await this.tx.oneFirst(sql.type(z.object({ id: z.uuid() }))`
      select id from grants
      where account_id = ${this.accountId} and ${isHeldBy(holder)}
        and scope_path_hash = text_sha256(${grant.scopePath})
        and role = ${grant.role}::role_name and effect = ${grant.effect}::grant_effect
        and propagate = ${grant.propagate}`);
    return { id: known, created: false };
  }

  async remove(id: string): Promise<void> {
    const effect = await this.tx.maybeOneFirst(sql.type(grantRow.pick({ effect: true }))`
      delete from grants where account_id = ${this.accountId} and id = ${id} returning effect`);
    // The end of a denial takes nothing from anybody.
    if (effect === 'allow') this.promise({ kind: 'grant_removed', grant_id: id });
  }

  /** Takes every role from the peer; what is denied to it stays denied. Answers what was removed. */
  async removeAllowed(peerId: string): Promise<readonly Pick<GrantRow, 'id' | 'role'>[]> {
    const removed = await this.tx.any(sql.type(grantRow.pick({ id: true, role: true }))`
      delete from grants
      where account_id = ${this.accountId} and peer_id = ${peerId}::uuid and effect = 'allow'
      returning id, role`);
    for (const { id } of removed) this.promise({ kind: 'grant_removed', grant_id: id });
    return removed;
  }

  /** Locks the grant until the transaction ends. Null when the account has none of that id. */
  async lockById(id: string): Promise<GrantRow | null> {
    return this.tx.maybeOne(sql.type(grantRow)`
      select ${columns} where g.account_id = ${this.accountId} and g.id = ${id} for update of g`);
  }

  /** Gives the grant another role. A role that another grant gives in the same way breaks `grant_is_given_once`. */
  async setRole(
    { effect, id, role: before }: Pick<GrantRow, 'effect' | 'id' | 'role'>,
    role: Role,
  ): Promise<void> {
    await this.tx.query(sql.unsafe`
      update grants set role = ${role}::role_name where account_id = ${this.accountId} and id = ${id}`);
    const isLowered = effect === 'allow' && !roleCovers(role, before);
    if (isLowered) this.promise({ kind: 'grant_lowered', grant_id: id, role });
  }

  /** Gives a key without a peer the grants of another one. */
  async copy(fromCredentialId: string, toCredentialId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into grants (account_id, id, credential_id, scope_path, role, effect, propagate, granted_by)
      select account_id, gen_random_uuid(), ${toCredentialId}::uuid, scope_path, role, effect, propagate, granted_by
      from grants where account_id = ${this.accountId} and credential_id = ${fromCredentialId}::uuid`);
  }

  /** A page of the grants in the order of their ids; of one peer where `peerId` names it. */
  async list({ after, limit, peerId }: IdPageOfPeer): Promise<readonly GrantRow[]> {
    return this.tx.any(sql.type(grantRow)`
      select ${columns}
      where g.account_id = ${this.accountId} and g.id > ${after ?? LEAST_ID}::uuid
        ${peerId === null ? sql.fragment`` : sql.fragment`and g.peer_id = ${peerId}::uuid`}
      order by g.id limit ${limit}`);
  }
}
