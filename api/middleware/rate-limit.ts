import { LRUCache } from 'lru-cache';
import { Refusal } from '../../domain/errors.ts';
import { takeToken, type TokenBucket } from '../../domain/limits/token-bucket.ts';
import type { ApiMiddleware } from '../context.ts';

/** Buckets kept at a time. The least recently used is dropped first, because it is most likely full again. */
const MAX_BUCKETS = 10_000;

/**
 * One token bucket per credential, in this process. Shared by all routes of an app. Stands behind authentication,
 * so a request without a valid credential makes no bucket.
 */
export function rateLimit(ratePerSecond: number, clock: () => Date): ApiMiddleware {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS });
  return async function rateLimit(ctx, next) {
    const credentialId = ctx.state.caller?.credentialId;
    if (credentialId !== undefined) {
      const taken = takeToken(buckets.get(credentialId) ?? null, ratePerSecond, clock().getTime());
      buckets.set(credentialId, taken.bucket);
      if (taken.retryAfterSeconds !== null) {
        throw new Refusal('rate_limited', { retryAfterSeconds: taken.retryAfterSeconds });
      }
    }
    await next();
  };
}
