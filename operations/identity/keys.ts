/** `key.create`, `key.list`, `key.revoke`: API keys of agents and machines. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { roleWord } from '../../domain/identity/roles.ts';
import type { GrantHolder } from '../../stores/postgres/identity/grants.store.ts';
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
import { narrowedTo, nextOf, nextOutput, pageFields } from './pages.ts';
import type { IssuedSecret } from '../environment/secrets.ts';

export const MAX_LIFE_SECONDS = 10 * 366 * 86_400;

const createInput = z
  .object({
    account: accountInput,
    /** The peer that speaks with this key; null for an internal machine credential. */
    peer: labelInput.nullable(),
    scope: scopePathInput,
    role: roleInput,
    /** Limits the paths the key may name to this scope and its descendants. */
    pin: scopePathInput.optional(),
    expires_in_seconds: z.int().min(1).max(MAX_LIFE_SECONDS).optional(),
  })
  .strict();

/** Stores the key with its peer, made when it is not known yet, and answers who holds its grants. */
async function writeKey(
  stores: Stores,
  secret: IssuedSecret,
  input: z.output<typeof createInput>,
  expiresAt: Date | null,
): Promise<GrantHolder> {
  const peerId =
    input.peer === null
      ? null
      : (await stores.peers.ensure({ key: input.peer, name: input.peer, kind: 'agent' })).peer.id;
  await stores.credentials.insertApiKey({
    id: secret.id,
    secretHash: secret.hash,
    peerId,
    pinPath: input.pin ?? null,
    expiresAt,
  });
  return peerId === null ? { credentialId: secret.id } : { peerId };
}

/**
 * A key, shown once. Its peer (kind agent) and a propagating grant are made when absent; with `peer` null
 * the grant is the key's own.
 */
export const createKey = defineOperation({
  id: 'key.create',
  access: 'operator',
  effect: 'write',
  input: createInput,
  output: z.object({
    id: z.uuid(),
    api_key: z.string(),
    peer_key: z.string().nullable(),
    scope_path: z.string(),
    role: roleOutput,
    pin_path: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
  }),
  async run({ caller, now, directory, inAccount, secrets }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const secret = secrets.apiKey();
    const expiresAt =
      input.expires_in_seconds === undefined
        ? null
        : new Date(now.getTime() + input.expires_in_seconds * 1000);
    await inAccount(accountId, async (stores) => {
      const holder = await writeKey(stores, secret, input, expiresAt);
      const grant = await stores.grants.ensure(
        holder,
        { scopePath: input.scope, role: input.role, effect: 'allow', propagate: true },
        caller?.peerId ?? null,
      );
      const holderId = holder.peerId ?? null;
      await stores.audit.record({
        category: 'configuration',
        action: 'api_key.created',
        actor: auditActor(caller),
        resourceType: 'credential',
        resourceId: secret.id,
        metadata: {
          peer_id: holderId,
          grant_id: grant.id,
          grant_added: grant.created,
          role: input.role,
          pinned: input.pin !== undefined,
          expires_at: expiresAt?.toISOString() ?? null,
        },
      });
    });
    return {
      id: secret.id,
      api_key: secret.text,
      peer_key: input.peer,
      scope_path: input.scope,
      role: roleWord(input.role),
      pin_path: input.pin ?? null,
      expires_at: expiresAt?.toISOString() ?? null,
    };
  },
});

/** A page of the keys, without their secrets; of one peer where `peer` names it. */
export const listKeys = defineOperation({
  id: 'key.list',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput, peer: labelInput.optional(), ...pageFields }),
  output: z.object({
    next: nextOutput,
    keys: z.array(
      z.object({
        id: z.uuid(),
        peer_id: z.uuid().nullable(),
        peer_key: z.string().nullable(),
        pin_path: z.string().nullable(),
        expires_at: z.iso.datetime().nullable(),
        revoked_at: z.iso.datetime().nullable(),
        /** Since a restore; the key is refused until `key.resume`. */
        suspended_at: z.iso.datetime().nullable(),
        created_at: z.iso.datetime(),
      }),
    ),
  }),
  async run({ directory, inAccount }, { account, after, limit, peer }) {
    const accountId = await resolveAccount(directory, account);
    const keys = await inAccount(accountId, async (stores) =>
      stores.credentials.listApiKeys({
        after: after ?? null,
        limit,
        peerId: await narrowedTo(stores, peer),
      }),
    );
    return { keys: [...keys], next: nextOf(keys, limit) };
  },
});

/** Ends a key, or a token, for good. Revoking twice changes nothing the second time. */
export const revokeKey = defineOperation({
  id: 'key.revoke',
  access: 'operator',
  effect: 'destroy',
  input: z.object({ account: accountInput, id: idInput('key') }),
  output: z.object({ id: z.uuid(), changed: z.boolean() }),
  async run({ caller, now, directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    return inAccount(accountId, async (stores) => {
      const outcome = await stores.credentials.revoke(input.id, now);
      if (outcome === 'absent') throw new Refusal('not_found');
      if (outcome === 'revoked') {
        await stores.audit.record({
          category: 'configuration',
          action: 'credential.revoked',
          actor: auditActor(caller),
          resourceType: 'credential',
          resourceId: input.id,
        });
      }
      return { id: input.id, changed: outcome === 'revoked' };
    });
  },
});
