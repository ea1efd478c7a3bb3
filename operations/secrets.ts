/** Accounts that take in no credential, wherever text comes in. */
import { invalidField } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import type { RequestContext } from './operation.ts';

/**
 * Refuses text that holds a credential, where the caller's account does. `readText` is called only there.
 * Throws `invalid_request` that names `field`.
 */
export async function assertTakenIn(
  { caller, text, signal }: Pick<RequestContext<Caller>, 'caller' | 'text' | 'signal'>,
  field: string,
  readText: () => string,
): Promise<void> {
  if (caller.secretPolicy !== 'refuse') return;
  const { accountId } = caller;
  if (await text.holdsSecret(readText(), { accountId, signal })) {
    throw invalidField(field, 'holds a credential, which this account does not take in');
  }
}
