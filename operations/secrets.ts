/** Accounts that take in no credential, wherever text comes in. */
import { invalidField } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';

export interface SecretServices {
  /** Whether a credential is recognised in the text, which may be long: others go on meanwhile. */
  holdsSecret(text: string, signal: AbortSignal): Promise<boolean>;
}

/** The request that text came with. */
interface Taking {
  readonly caller: Pick<Caller, 'secretPolicy'>;
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
  if (await services.secrets.holdsSecret(text(), signal)) {
    throw invalidField(field, 'holds a credential, which this account does not take in');
  }
}
