/**
 * Keys of holds: random, kept beside the hold, and sealed with a pad that only the deployment can make. Whoever reads the database
 * alone cannot try out numbers against the hashes.
 */
import { createHmac, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

export interface HoldKeys {
  /** A new key, and the same sealed for the hold. */
  fresh(holdId: string): { readonly key: Uint8Array; readonly sealed: Uint8Array };
  /** The key that was sealed for the hold. */
  opened(holdId: string, sealed: Uint8Array): Uint8Array;
}

/** Keys of an account's holds. Sealing is its own inverse: the pad of a hold seals one key. */
export function createHoldKeys(deploymentKey: Uint8Array, accountId: string): HoldKeys {
  const padded = (holdId: string, key: Uint8Array): Uint8Array => {
    const pad = createHmac('sha256', deploymentKey).update(`${accountId}/${holdId}`).digest();
    return key.map((byte, at) => byte ^ (pad[at] ?? 0));
  };
  return {
    fresh(holdId) {
      const key = new Uint8Array(randomBytes(KEY_BYTES));
      return { key, sealed: padded(holdId, key) };
    },
    opened: padded,
  };
}
