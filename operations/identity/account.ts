/** The account of an in-process operation. */
import { invalidField, Refusal } from '../../domain/errors.ts';
import type { Environment } from '../environment/environment.ts';

/**
 * The id of the account that `key` names; without a key, of the only one there is.
 * Refuses an unknown key, a missing one where several exist, and a deployment without any.
 */
export async function resolveAccount(
  directory: Environment['directory'],
  key: string | undefined,
): Promise<string> {
  if (key !== undefined) {
    const named = await directory.accountIdByKey(key);
    if (named === null) throw invalidField('account', 'does not name an existing account');
    return named;
  }
  const ids = await directory.accountIds();
  const [only] = ids;
  if (only === undefined) {
    throw new Refusal('conflict', {
      fields: [{ path: 'account', message: 'no account exists yet: run `vouch bootstrap` first' }],
    });
  }
  if (ids.length > 1) throw invalidField('account', 'several accounts exist: name one');
  return only;
}
