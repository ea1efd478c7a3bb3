import { LRUCache } from 'lru-cache';
import { Refusal } from '../../domain/errors.ts';
import { takeToken, type TokenBucket } from '../../domain/limits/token-bucket.ts';
import type { ApiMiddleware } from '../context.ts';

/** Buckets kept at a time. The least recently used is dropped first, because it is most likely full again. */
const MAX_BUCKETS = 10_000;

/** Takes one request from the bucket of a credential. Throws `rate_limited` when none is left. */
export type TakeRequest = (credentialId: string) => void;

/** One token bucket per credential, in this process. Shared by all doors of an app. */
export function requestBuckets(ratePerSecond: number, clock: () => Date): TakeRequest {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS });
  return (credentialId) => {
    const taken = takeToken(buckets.get(credentialId) ?? null, ratePerSecond, clock().getTime());
    buckets.set(credentialId, taken.bucket);
    if (taken.retryAfterSeconds !== null) {
      throw new Refusal('rate_limited', { retryAfterSeconds: taken.retryAfterSeconds });
    }
  };
}

/** Stands behind authentication, so a request without a valid credential makes no bucket. */
export function rateLimit(take: TakeRequest): ApiMiddleware {
  return async function rateLimit(ctx, next) {
    const credentialId = ctx.state.caller?.credentialId;
    if (credentialId !== undefined) take(credentialId);
    await next();
  };
}
