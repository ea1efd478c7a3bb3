/** Idempotency keys: whether a request that is sent again is the same request. */
import { createHash } from 'node:crypto';

/** Identity of a parsed request: spellings that mean the same request are the same request. */
export function requestHash(fields: readonly unknown[]): Uint8Array {
  return createHash('sha256').update(JSON.stringify(fields)).digest();
}
