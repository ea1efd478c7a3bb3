/**
 * Token bucket: `ratePerSecond` tokens flow in, at most one second's worth (and never less than one) is
 * kept, each request takes one. Pure: the caller keeps the state and says what time it is.
 */

export interface TokenBucket {
  readonly tokens: number;
  readonly updatedAtMs: number;
}

export interface Taken {
  readonly bucket: TokenBucket;
  readonly allowed: boolean;
  /** Whole seconds until a token is there, at least 1; null when allowed. */
  readonly retryAfterSeconds: number | null;
}

function capacityOf(ratePerSecond: number): number {
  return Math.max(1, ratePerSecond);
}

/** Takes one token. A null bucket is a full one; a clock that went back adds nothing. */
export function takeToken(bucket: TokenBucket | null, ratePerSecond: number, nowMs: number): Taken {
  const capacity = capacityOf(ratePerSecond);
  const elapsedMs = bucket === null ? 0 : Math.max(0, nowMs - bucket.updatedAtMs);
  const tokens =
    bucket === null
      ? capacity
      : Math.min(capacity, bucket.tokens + (elapsedMs / 1000) * ratePerSecond);
  if (tokens >= 1) {
    return {
      bucket: { tokens: tokens - 1, updatedAtMs: nowMs },
      allowed: true,
      retryAfterSeconds: null,
    };
  }
  return {
    bucket: { tokens, updatedAtMs: nowMs },
    allowed: false,
    retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / ratePerSecond)),
  };
}
