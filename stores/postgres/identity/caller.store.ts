/** What a bearer secret stands for: credential, peer, login and grants, in two steps (`directory.ts`). */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { SECRET_POLICIES } from '../../../domain/identity/secret-policy.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ROLES } from '../../../domain/identity/roles.ts';
import { AccountStore } from '../account-store.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount } from '../pool.ts';
import { storedScopePath } from '../scopes/stored-path.ts';
import { AccountRebuildsError } from '../account-rebuilds-error.ts';
import { lookupCredential, lookupErasure } from './directory.ts';

const callerRow = z.object({
  kind: z.enum(['api_key', 'password_token', 'bootstrap_token', 'browser_session']),
  peer_id: z.uuid().nullable(),
  peer_key: z.string().nullable(),
  pin_path: storedScopePath.nullable(),
  expires_at: z.string().nullable(),
  secret_policy: z.enum(SECRET_POLICIES),
  is_rebuilding: z.boolean(),
  grants: z.array(
    z.object({
      scopePath: storedScopePath,
      role: z.enum(ROLES),
      effect: z.enum(['allow', 'deny']),
      propagate: z.boolean(),
    }),
  ),
});

export interface ResolvedCaller {
  readonly caller: Caller;
  /** When the credential ends by itself; null when it does not. */
  readonly expiresAt: Date | null;
}

/** A person without a name, a place or a right. */
const NOBODY = {
  kind: 'human',
  peerId: null,
  peerKey: null,
  pinPath: null,
  grants: [],
  secretPolicy: 'keep',
} as const satisfies Partial<Caller>;

/** The grants that `applies` picks, of the account `a`, as JSON. */
const grantsOf = (applies: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  coalesce((
    select jsonb_agg(jsonb_build_object('scopePath', g.scope_path, 'role', g.role, 'effect', g.effect,
      'propagate', g.propagate) order by g.id)
    from grants g
    where g.account_id = a.id and ${applies}), '[]')`;

/** The credential's caller, while the credential is good at `now`: see `CallerStore.resolve`. */
function callerOf(accountId: string, credentialId: string, now: Date) {
  return sql.type(callerRow)`
    select c.kind, c.peer_id, p.key as peer_key, c.pin_path, c.expires_at, a.secret_policy, a.is_rebuilding, ${grantsOf(
      sql.fragment`(g.peer_id = c.peer_id or (c.peer_id is null and g.credential_id = c.id))`,
    )} as grants
    from credentials c
    join accounts a on a.id = c.account_id
    left join peers p on p.account_id = c.account_id and p.id = c.peer_id
    left join logins l on l.account_id = c.account_id and l.peer_id = c.peer_id
    where c.account_id = ${accountId} and c.id = ${credentialId} and c.revoked_at is null
      and c.suspended_at is null
      and (c.expires_at is null or c.expires_at > ${now.toISOString()}::timestamptz)
      and l.closed_at is null
      and (c.login_id is null or (l.id = c.login_id and l.epoch = c.login_epoch))`;
}

function callerFrom(
  accountId: string,
  credentialId: string,
  row: z.infer<typeof callerRow>,
): Caller {
  if (row.is_rebuilding) throw new AccountRebuildsError();
  return {
    accountId,
    credentialId,
    kind: row.kind === 'api_key' ? 'machine' : 'human',
    peerId: row.peer_id,
    peerKey: row.peer_key,
    pinPath: row.pin_path,
    grants: row.grants,
    secretPolicy: row.secret_policy,
  };
}

const personRow = callerRow.pick({ peer_key: true, secret_policy: true, grants: true });

/** The callers behind credentials of the account. */
export class AccountCallersStore extends AccountStore {
  /**
   * The person as a caller, with the grants of this moment, whatever became of the session in which it asked; null once it
   * cannot sign in any more. `credentialId` is what it asked with.
   */
  async findPerson(peerId: string, credentialId: string): Promise<Caller | null> {
    const row = await this.tx.maybeOne(sql.type(personRow)`
      select p.key as peer_key, a.secret_policy, ${grantsOf(sql.fragment`g.peer_id = p.id`)} as grants
      from peers p
      join accounts a on a.id = p.account_id
      join logins l on l.account_id = p.account_id and l.peer_id = p.id and l.closed_at is null
      where p.account_id = ${this.accountId} and p.id = ${peerId}::uuid and p.erasing_at is null`);
    return (
      row && {
        accountId: this.accountId,
        credentialId,
        kind: 'human',
        peerId,
        peerKey: row.peer_key,
        pinPath: null,
        grants: row.grants,
        secretPolicy: row.secret_policy,
      }
    );
  }

  /** The caller as this transaction sees it, or null once the credential is not good any more. */
  async find(credentialId: string, now: Date): Promise<Caller | null> {
    const row = await this.tx.maybeOne(callerOf(this.accountId, credentialId, now));
    return row && callerFrom(this.accountId, credentialId, row);
  }
}

/** The callers behind credentials of all accounts. */
export class CallerStore extends PoolStore {
  /** Who may read one erasure, and nothing else, because the credential with this secret asked for it. */
  async erased(secretHash: Uint8Array): Promise<Caller | null> {
    const found = await lookupErasure(this.db, secretHash);
    return (
      found && {
        ...NOBODY,
        accountId: found.accountId,
        credentialId: found.erasureId,
        erasureId: found.erasureId,
      }
    );
  }

  /**
   * The caller behind the secret with this SHA-256. Null when there is no such credential, when it is revoked, suspended or
   * expired at `now`, when the login of its peer is closed, and for a token when all tokens of its login have ended
   * since. A key that has a peer has the peer's grants and none of its own; a key without one has those given to the
   * key.
   */
  async resolve(secretHash: Uint8Array, now: Date): Promise<ResolvedCaller | null> {
    const found = await lookupCredential(this.db, secretHash);
    if (found === null) return null;
    const { accountId, credentialId } = found;
    const row = await withAccount(this.db, accountId, (tx) =>
      tx.maybeOne(callerOf(accountId, credentialId, now)),
    );
    if (row === null) return null;
    return {
      caller: callerFrom(accountId, credentialId, row),
      expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    };
  }
}
