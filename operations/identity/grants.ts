/** `grant.add`, `grant.change`, `grant.remove`, `grant.list`: who holds which role where. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { roleWord } from '../../domain/identity/roles.ts';
import type { GrantRow } from '../../stores/postgres/identity/grants.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation } from '../operation.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from './account.ts';
import {
  accountInput,
  idInput,
  labelInput,
  roleInput,
  roleOutput,
  scopePathInput,
} from './inputs.ts';
import { keepingAnAdmin } from './last-admin.ts';
import { narrowedTo, nextOf, nextOutput, pageFields } from './pages.ts';

const effectInput = z.enum(['allow', 'deny']);

const grantOutput = z.object({
  id: z.uuid(),
  peer_key: z.string().nullable(),
  credential_id: z.uuid().nullable(),
  scope_path: z.string(),
  role: roleOutput,
  effect: effectInput,
  propagate: z.boolean(),
});

/** Gives a known peer a role at a scope, or denies it. The same grant twice changes nothing. */
export const addGrant = defineOperation({
  id: 'grant.add',
  access: 'operator',
  effect: 'write',
  input: z.object({
    account: accountInput,
    peer: labelInput,
    scope: scopePathInput,
    role: roleInput,
    effect: effectInput.default('allow'),
    propagate: z.boolean().default(true),
  }),
  output: grantOutput.extend({ changed: z.boolean() }),
  async run({ caller, directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const { scope: scopePath, role, effect, propagate } = input;
    return inAccount(accountId, async (stores) => {
      await stores.admins.lock();
      const peer = await stores.peers.findByKey(input.peer);
      if (peer === null) throw new Refusal('unknown_peer');
      // A deny at the root takes away what makes an administrator.
      const { id, created } = await keepingAnAdmin(stores, peer.id, 'peer', () =>
        stores.grants.ensure(
          { peerId: peer.id },
          { scopePath, role, effect, propagate },
          caller?.peerId ?? null,
        ),
      );
      if (created) {
        await stores.audit.record({
          category: 'configuration',
          action: 'grant.added',
          actor: auditActor(caller),
          resourceType: 'grant',
          resourceId: id,
          metadata: { peer_id: peer.id, role, effect, propagate },
        });
      }
      return {
        id,
        peer_key: peer.key,
        credential_id: null,
        scope_path: scopePath,
        role: roleWord(role),
        effect,
        propagate,
        changed: created,
      };
    });
  },
});

const grantIdInput = idInput('grant');

/** Makes a change of a grant under its lock. Throws `not_found`, and refuses what would take the last administrator. */
async function changing<T>(
  stores: Stores,
  id: string,
  change: (grant: GrantRow) => Promise<T>,
): Promise<T> {
  await stores.admins.lock();
  const grant = await stores.grants.lockById(id);
  if (grant === null) throw new Refusal('not_found');
  const { peer_id: peerId } = grant;
  if (peerId === null) return change(grant);
  return keepingAnAdmin(stores, peerId, 'id', () => change(grant));
}

/** Gives a grant another role; effect, scope and holder stay. The role that it has changes nothing. */
export const changeGrant = defineOperation({
  id: 'grant.change',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, id: grantIdInput, role: roleInput }),
  output: grantOutput.extend({ changed: z.boolean() }),
  async run({ caller, directory, inAccount }, { account, id, role }) {
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, (stores) =>
      changing(stores, id, async (grant) => {
        const changed = grant.role !== role;
        if (changed) {
          await stores.grants.setRole(grant, role);
          await stores.audit.record({
            category: 'configuration',
            action: 'grant.changed',
            actor: auditActor(caller),
            resourceType: 'grant',
            resourceId: id,
            metadata: {
              peer_id: grant.peer_id,
              role,
              role_before: grant.role,
              effect: grant.effect,
            },
          });
        }
        return { ...grant, role: roleWord(role), changed };
      }),
    );
  },
});

/** Ends a grant. One that is not there, or no more, is `not_found`. */
export const removeGrant = defineOperation({
  id: 'grant.remove',
  access: 'operator',
  effect: 'destroy',
  input: z.object({ account: accountInput, id: grantIdInput }),
  output: z.object({ id: z.uuid() }),
  async run({ caller, directory, inAccount }, { account, id }) {
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, (stores) =>
      changing(stores, id, async ({ effect, peer_id, role }) => {
        await stores.grants.remove(id);
        await stores.audit.record({
          category: 'configuration',
          action: 'grant.removed',
          actor: auditActor(caller),
          resourceType: 'grant',
          resourceId: id,
          metadata: { peer_id, role, effect },
        });
        return { id };
      }),
    );
  },
});

/** A page of the grants; of one peer where `peer` names it. */
export const listGrants = defineOperation({
  id: 'grant.list',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput, peer: labelInput.optional(), ...pageFields }),
  output: z.object({ grants: z.array(grantOutput), next: nextOutput }),
  async run({ directory, inAccount }, { account, after, limit, peer }) {
    const accountId = await resolveAccount(directory, account);
    const grants = await inAccount(accountId, async (stores) =>
      stores.grants.list({
        after: after ?? null,
        limit,
        peerId: await narrowedTo(stores, peer),
      }),
    );
    return {
      grants: grants.map((grant) => ({ ...grant, role: roleWord(grant.role) })),
      next: nextOf(grants, limit),
    };
  },
});
