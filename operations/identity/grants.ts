/** `grant.add`, `grant.remove`, `grant.list`: who holds which role where. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { roleWord } from '../../domain/identity/roles.ts';
import { defineOperation } from '../operation.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from './account.ts';
import { accountInput, labelInput, roleInput, roleOutput, scopePathInput } from './inputs.ts';

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
      const peer = await stores.peers.findByKey(input.peer);
      if (peer === null) throw new Refusal('unknown_peer');
      const { id, created } = await stores.grants.ensure(
        { peerId: peer.id },
        { scopePath, role, effect, propagate },
        caller?.peerId ?? null,
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

export const removeGrant = defineOperation({
  id: 'grant.remove',
  access: 'operator',
  effect: 'destroy',
  input: z.object({ account: accountInput, id: z.string() }),
  output: z.object({ id: z.uuid() }),
  async run({ caller, directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const id = z.uuid().safeParse(input.id);
    if (!id.success) throw invalidField('id', 'must be the id of a grant');
    return inAccount(accountId, async (stores) => {
      const removed = await stores.grants.remove(id.data);
      if (removed === null) throw new Refusal('not_found');
      await stores.audit.record({
        category: 'configuration',
        action: 'grant.removed',
        actor: auditActor(caller),
        resourceType: 'grant',
        resourceId: id.data,
        metadata: { peer_id: removed.peer_id, role: removed.role, effect: removed.effect },
      });
      return { id: id.data };
    });
  },
});

export const listGrants = defineOperation({
  id: 'grant.list',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput }),
  output: z.object({ grants: z.array(grantOutput) }),
  async run({ directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const grants = await inAccount(accountId, (stores) => stores.grants.list());
    return { grants: grants.map((grant) => ({ ...grant, role: roleWord(grant.role) })) };
  },
});
