/** `user.create` and `user.list`: people who can sign in. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { roleWord } from '../../domain/identity/roles.ts';
import type { PeerRow } from '../../stores/postgres/identity/peers.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation } from '../operation.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from './account.ts';
import {
  accountInput,
  emailInput,
  labelInput,
  newPasswordInput,
  roleInput,
  roleOutput,
  scopePathInput,
} from './inputs.ts';
import { nextOf, nextOutput, pageFields } from './pages.ts';

/**
 * The peer the login is for: the known one that `peer` names, else a new one with the e-mail as its key.
 * A known peer with this e-mail as its key is not taken over unless `peer` names it.
 */
async function findPeer(
  stores: Stores,
  input: { email: string; name: string; peer?: string | undefined },
): Promise<PeerRow> {
  if (input.peer !== undefined) {
    const known = await stores.peers.findByKey(input.peer);
    if (known === null) throw new Refusal('unknown_peer');
    return known;
  }
  const { peer, created } = await stores.peers.ensure({
    key: input.email,
    name: input.name,
    kind: 'human',
  });
  if (created) return peer;
  throw new Refusal('conflict', {
    fields: [
      {
        path: 'peer',
        message: 'already names a peer. To attach the login to that peer, name the peer too',
      },
    ],
  });
}

/** A login with a role at a scope and below; attached to a known peer where `peer` names one. */
export const createUser = defineOperation({
  id: 'user.create',
  access: 'operator',
  effect: 'write',
  input: z.object({
    account: accountInput,
    email: emailInput,
    name: labelInput,
    role: roleInput,
    scope: scopePathInput,
    password: newPasswordInput,
    peer: labelInput.optional(),
  }),
  output: z.object({
    login_id: z.uuid(),
    peer_id: z.uuid(),
    peer_key: z.string(),
    role: roleOutput,
    scope_path: z.string(),
  }),
  async run({ caller, signal, directory, inAccount, passwords }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const passwordHash = await passwords.hash(input.password, signal);
    return inAccount(accountId, async (stores) => {
      const peer = await findPeer(stores, input);
      const loginId = await stores.logins.insert({
        peerId: peer.id,
        email: input.email,
        passwordHash,
      });
      const grant = await stores.grants.ensure(
        { peerId: peer.id },
        { scopePath: input.scope, role: input.role, effect: 'allow', propagate: true },
        caller?.peerId ?? null,
      );
      const actor = auditActor(caller);
      const attached = input.peer !== undefined;
      await stores.audit.record({
        category: 'configuration',
        action: attached ? 'login.attached' : 'login.created',
        actor,
        resourceType: 'login',
        resourceId: loginId,
        metadata: { peer_id: peer.id },
      });
      if (grant.created) {
        await stores.audit.record({
          category: 'configuration',
          action: 'grant.added',
          actor,
          resourceType: 'grant',
          resourceId: grant.id,
          metadata: { peer_id: peer.id, role: input.role, effect: 'allow' },
        });
      }
      return {
        login_id: loginId,
        peer_id: peer.id,
        peer_key: peer.key,
        role: roleWord(input.role),
        scope_path: input.scope,
      };
    });
  },
});

/** A page of the logins. */
export const listUsers = defineOperation({
  id: 'user.list',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput, ...pageFields }),
  output: z.object({
    next: nextOutput,
    users: z.array(
      z.object({
        id: z.uuid(),
        peer_id: z.uuid(),
        peer_key: z.string(),
        email: z.string(),
        name: z.string(),
        closed_at: z.iso.datetime().nullable(),
        created_at: z.iso.datetime(),
      }),
    ),
  }),
  async run({ directory, inAccount }, { account, after, limit }) {
    const accountId = await resolveAccount(directory, account);
    const users = await inAccount(accountId, (stores) =>
      stores.logins.list({ after: after ?? null, limit }),
    );
    return { users: [...users], next: nextOf(users, limit) };
  },
});
