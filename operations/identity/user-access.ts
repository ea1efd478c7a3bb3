/**
 * `user.password`, `user.disable`, `user.enable`, `user.remove`: how long a person can sign in. Each ends all tokens and
 * browser sessions of the login at once. The peer stays, with what is known about it: erasing that is `peer.erase`.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { FoundLoginRow } from '../../stores/postgres/identity/logins.store.ts';
import type { AuditEvent } from '../../stores/postgres/audit/audit.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { resolveAccount } from './account.ts';
import { accountInput, emailInput, newPasswordInput } from './inputs.ts';
import { keepingAnAdmin } from './last-admin.ts';

const loginInput = z.object({ account: accountInput, email: emailInput });
const loginOutput = z.object({ login_id: z.uuid(), peer_id: z.uuid() });
const changedOutput = loginOutput.extend({ changed: z.boolean() });

const idsOf = ({ id, peer_id }: FoundLoginRow) => ({ login_id: id, peer_id });

/** The login of this e-mail, locked. Throws `not_found`. */
async function locked({ logins }: Stores, email: string): Promise<FoundLoginRow> {
  const login = await logins.lockByEmail(email);
  if (login !== null) return login;
  throw new Refusal('not_found', {
    fields: [{ path: 'email', message: 'no login of this account has this e-mail address' }],
  });
}

function event(
  { caller }: Pick<RequestContext, 'caller'>,
  action: string,
  { id, peer_id }: FoundLoginRow,
): AuditEvent {
  return {
    category: 'configuration',
    action,
    actor: auditActor(caller),
    resourceType: 'login',
    resourceId: id,
    metadata: { peer_id },
  };
}

/** Gives a login another password. All sessions and tokens of the login end. A disabled login stays disabled. */
export const changePassword = defineOperation({
  id: 'user.password',
  access: 'operator',
  effect: 'write',
  input: loginInput.extend({ password: newPasswordInput }),
  output: loginOutput.extend({ closed_at: z.iso.datetime().nullable() }),
  async run(context, input) {
    const { directory, inAccount, passwords, signal } = context;
    const accountId = await resolveAccount(directory, input.account);
    const passwordHash = await passwords.hash(input.password, signal);
    return inAccount(accountId, async (stores) => {
      const login = await locked(stores, input.email);
      await stores.logins.setPassword(login.id, passwordHash);
      await stores.audit.record(event(context, 'login.password_changed', login));
      return { ...idsOf(login), closed_at: login.closed_at };
    });
  },
});

/** Locks a person out: sign-in, tokens, browser sessions and the API keys of the person's peer, until it is enabled. */
export const disableUser = defineOperation({
  id: 'user.disable',
  access: 'operator',
  effect: 'destroy',
  input: loginInput,
  output: changedOutput,
  async run(context, { account, email }) {
    const { directory, inAccount, now } = context;
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async (stores) => {
      await stores.admins.lock();
      const login = await locked(stores, email);
      const changed = login.closed_at === null;
      if (changed) {
        await keepingAnAdmin(stores, login.peer_id, 'email', () =>
          stores.logins.close(login.id, now),
        );
        await stores.audit.record(event(context, 'login.disabled', login));
      }
      return { ...idsOf(login), changed };
    });
  },
});

/** Lets a disabled person in again. The API keys of the peer that were not revoked work again; tokens do not. */
export const enableUser = defineOperation({
  id: 'user.enable',
  access: 'operator',
  effect: 'write',
  input: loginInput,
  output: changedOutput,
  async run(context, { account, email }) {
    const { directory, inAccount } = context;
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async (stores) => {
      const login = await locked(stores, email);
      if ((await stores.erasures.openOf(login.peer_id)) !== null) {
        throw new Refusal('conflict', {
          fields: [{ path: 'email', message: 'must not name a person whose erasure is running' }],
        });
      }
      const changed = login.closed_at !== null;
      if (changed) {
        await stores.logins.reopen(login.id);
        await stores.audit.record(event(context, 'login.enabled', login));
      }
      return { ...idsOf(login), changed };
    });
  },
});

/** Takes from the peer all that it could do, and answers what that was. */
async function endAccess(
  { caller, now }: RequestContext,
  stores: Stores,
  { id, peer_id: peerId }: FoundLoginRow,
): Promise<{ readonly keys: number; readonly grants: number }> {
  await stores.logins.remove(id, now);
  const keys = await stores.credentials.revokeKeysOf(peerId, now);
  const grants = await stores.grants.removeAllowed(peerId);
  const actor = auditActor(caller);
  await stores.audit.record(
    ...keys.map((keyId): AuditEvent => ({
      category: 'configuration',
      action: 'credential.revoked',
      actor,
      resourceType: 'credential',
      resourceId: keyId,
    })),
    ...grants.map((grant): AuditEvent => ({
      category: 'configuration',
      action: 'grant.removed',
      actor,
      resourceType: 'grant',
      resourceId: grant.id,
      metadata: { peer_id: peerId, role: grant.role, effect: 'allow' },
    })),
  );
  return { keys: keys.length, grants: grants.length };
}

/**
 * Ends for good what a person could do: the login, its tokens and browser sessions, the API keys of its peer, and the
 * roles of the peer. What is denied to the peer stays denied. The e-mail address and the peer are free for another login.
 */
export const removeUser = defineOperation({
  id: 'user.remove',
  access: 'operator',
  effect: 'destroy',
  input: loginInput,
  output: loginOutput.extend({ keys_revoked: z.int().min(0), grants_removed: z.int().min(0) }),
  async run(context, { account, email }) {
    const { directory, inAccount } = context;
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async (stores) => {
      await stores.admins.lock();
      const login = await locked(stores, email);
      const ended = await keepingAnAdmin(stores, login.peer_id, 'email', () =>
        endAccess(context, stores, login),
      );
      await stores.audit.record(event(context, 'login.removed', login));
      return { ...idsOf(login), keys_revoked: ended.keys, grants_removed: ended.grants };
    });
  },
});
