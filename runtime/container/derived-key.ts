import { createHmac } from 'node:crypto';

/** A separate key for each purpose, derived from the one secret of the deployment. */
export function derivedKey(secretKey: string, purpose: string): Uint8Array {
  return createHmac('sha256', secretKey).update(purpose).digest();
}
