/** An account always keeps a person who administers it: what would take the last one is refused. */
import { Refusal } from '../../domain/errors.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

/** The refusal; `path` is the field that names what would be lost. */
export function lastAdmin(path: string): Refusal {
  return new Refusal('conflict', {
    fields: [
      {
        path,
        message:
          'this is the last administrator who can sign in: make another person account-admin at / first',
      },
    ],
  });
}

/**
 * Makes a change that may take from the peer what makes it an administrator, and refuses it when nobody is left. Of two
 * such changes at the same time the second one waits for the first, and sees what it left. The transaction has locked
 * nothing before.
 */
export async function keepingAnAdmin<T>(
  { admins }: Pick<Stores, 'admins'>,
  peerId: string,
  path: string,
  change: () => Promise<T>,
): Promise<T> {
  await admins.lock();
  const wasAdmin = await admins.includes(peerId);
  const changed = await change();
  const isLost = wasAdmin && !(await admins.includes(peerId));
  if (isLost && !(await admins.hasOther(peerId))) throw lastAdmin(path);
  return changed;
}
