/** Accounts that take in no credential, wherever text comes in. */
import { invalidField } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import { holdsSecret } from '../engine/secrets/mask.ts';

/**
 * Refuses text that holds a credential, where the caller's account does. `text` is asked for only there.
 * Throws `invalid_request` that names `field`.
 */
export async function assertTakenIn(
  { secretPolicy }: Pick<Caller, 'secretPolicy'>,
  field: string,
  text: () => string,
): Promise<void> {
  if (secretPolicy === 'refuse' && (await holdsSecret(text()))) {
    throw invalidField(field, 'holds a credential, which this account does not take in');
  }
}
