/** Refuses text with a credential, in accounts whose policy refuses it. Every operation that takes text uses it. */
import { invalidField } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import type { RequestContext } from './operation.ts';

/**
 * Refuses text that holds a credential, if the caller's account refuses it. `readText` is called only then.
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
    throw invalidField(field, 'contains a credential, which this account refuses');
  }
}
