/** `key.rotate`: a new key in place of an old one, for the same peer. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { ApiKeyRow } from '../../stores/postgres/identity/credentials.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { resolveAccount } from './account.ts';
import { accountInput, idInput } from './inputs.ts';
import { MAX_LIFE_SECONDS } from './keys.ts';
import type { IssuedSecret } from '../environment/secrets.ts';

/** The old key may go on for at most so long: a week. */
const MAX_GRACE_SECONDS = 7 * 86_400;

type OldKey = Omit<ApiKeyRow, 'peer_key'>;

function ended(message: string): Refusal {
  return new Refusal('conflict', { fields: [{ path: 'id', message }] });
}

/** The key, locked. Throws `not_found`, and `conflict` for a key that has ended: nobody speaks with it any more. */
async function liveKey({ credentials }: Stores, id: string, now: Date): Promise<OldKey> {
  const key = await credentials.lockApiKey(id);
  if (key === null) throw new Refusal('not_found');
  if (key.revoked_at !== null) throw ended('this key is revoked: create a new one');
  if (key.suspended_at !== null) {
    throw ended('this key is suspended since a restore: resume it first, or create a new one');
  }
  if (key.expires_at !== null && new Date(key.expires_at) <= now) {
    throw ended('this key has expired: create a new one');
  }
  return key;
}

/** Gives the new key what the old one had, and ends the old one at `oldEnds`, or at once. */
async function replace(
  { caller, now }: RequestContext,
  stores: Stores,
  old: OldKey,
  next: { readonly secret: IssuedSecret; readonly expiresAt: Date | null; readonly oldEnds: Date },
): Promise<void> {
  const { expiresAt, oldEnds, secret } = next;
  await stores.credentials.insertApiKey({
    id: secret.id,
    secretHash: secret.hash,
    peerId: old.peer_id,
    pinPath: old.pin_path,
    expiresAt,
  });
  // A key without a peer has grants of its own; the grants of a peer hold for all its keys.
  if (old.peer_id === null) await stores.grants.copy(old.id, secret.id);
  if (oldEnds > now) await stores.credentials.endAt(old.id, oldEnds);
  else await stores.credentials.revoke(old.id, now);
  await stores.audit.record({
    category: 'configuration',
    action: 'api_key.rotated',
    actor: auditActor(caller),
    resourceType: 'credential',
    resourceId: secret.id,
    metadata: {
      peer_id: old.peer_id,
      replaces: old.id,
      replaced_until: oldEnds.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
    },
  });
}

/**
 * A new key, shown once, with the peer, the grants, the pin and, unless told otherwise, the expiry of the old one, which
 * is revoked at once, or works for `grace_seconds` more.
 */
export const rotateKey = defineOperation({
  id: 'key.rotate',
  access: 'operator',
  effect: 'destroy',
  input: z.object({
    account: accountInput,
    id: idInput('key'),
    grace_seconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0),
    expires_in_seconds: z.int().min(1).max(MAX_LIFE_SECONDS).optional(),
  }),
  output: z.object({
    id: z.uuid(),
    api_key: z.string(),
    replaces: z.uuid(),
    /** When the old key ends. */
    replaced_until: z.iso.datetime(),
    pin_path: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
  }),
  async run(context, input) {
    const { directory, inAccount, now, secrets } = context;
    const accountId = await resolveAccount(directory, input.account);
    const secret = secrets.apiKey();
    const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
    return inAccount(accountId, async (stores) => {
      const old = await liveKey(stores, input.id, now);
      const inherited = old.expires_at === null ? null : new Date(old.expires_at);
      const expiresAt =
        input.expires_in_seconds === undefined ? inherited : after(input.expires_in_seconds);
      const grace = after(input.grace_seconds);
      const oldEnds = inherited !== null && inherited < grace ? inherited : grace;
      await replace(context, stores, old, { secret, expiresAt, oldEnds });
      return {
        id: secret.id,
        api_key: secret.text,
        replaces: old.id,
        replaced_until: oldEnds.toISOString(),
        pin_path: old.pin_path,
        expires_at: expiresAt?.toISOString() ?? null,
      };
    });
  },
});
