/** Accounts that take in no credential, wherever text comes in. */
import { invalidField } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';

export interface SecretServices {
  /** Whether a credential is recognised in the text, which may be long: others go on meanwhile. */
  holdsSecret(
    text: string,
    behalf: { readonly accountId: string; readonly signal: AbortSignal },
  ): Promise<boolean>;
}

/** The request that text came with. */
interface Taking {
  readonly caller: Pick<Caller, 'accountId' | 'secretPolicy'>;
  readonly services: { readonly secrets: SecretServices };
  readonly signal: AbortSignal;
}

/**
 * Refuses text that holds a credential, where the caller's account does. `text` is asked for only there.
 * Throws `invalid_request` that names `field`.
 */
export async function assertTakenIn(
  { caller, services, signal }: Taking,
  field: string,
  text: () => string,
): Promise<void> {
  if (caller.secretPolicy !== 'refuse') return;
  const { accountId } = caller;
  if (await services.secrets.holdsSecret(text(), { accountId, signal })) {
    throw invalidField(field, 'holds a credential, which this account does not take in');
  }
}
