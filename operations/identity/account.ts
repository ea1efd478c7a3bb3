/** Which account an in-process operation works on, and who is told to have done it. */
import type { Caller } from '../../domain/identity/caller.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import type { AuditActor } from '../../stores/postgres/audit.store.ts';
import type { IdentityServices } from './ports.ts';

/**
 * The id of the account that `key` names; without a key, of the only one there is.
 * Refuses an unknown key, a missing one where several exist, and a deployment without any.
 */
export async function resolveAccount(
  identity: IdentityServices,
  key: string | undefined,
): Promise<string> {
  if (key !== undefined) {
    const named = await identity.accountIdByKey(key);
    if (named === null) throw invalidField('account', 'names no account');
    return named;
  }
  const ids = await identity.accountIds();
  const [only] = ids;
  if (only === undefined) {
    throw new Refusal('conflict', {
      fields: [{ path: 'account', message: 'there is none yet: bootstrap first' }],
    });
  }
  if (ids.length > 1) throw invalidField('account', 'several exist: name one');
  return only;
}

/** The actor of an audit event: the credential that asked, or the command line. */
export function auditActor(caller: Caller | null): AuditActor {
  return caller === null
    ? { kind: 'cli' }
    : { kind: 'credential', credentialId: caller.credentialId, peerId: caller.peerId };
}
