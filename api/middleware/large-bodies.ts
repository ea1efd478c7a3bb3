import { Refusal } from '../../domain/errors.ts';
import type { ApiMiddleware } from '../context.ts';

const RETRY_AFTER_SECONDS = 2;

/**
 * Lets `most` requests with a large body, or one of unknown length, be in the process at a time: such a body is
 * held in memory more than once. Others are asked to come again before anything of theirs is read.
 */
export function largeBodies(most: number, largeFromBytes: number): ApiMiddleware {
  let inside = 0;
  return async function largeBodies(ctx, next) {
    const { headers } = ctx.req;
    const isLarge =
      headers['transfer-encoding'] !== undefined ||
      Number(headers['content-length'] ?? 0) > largeFromBytes;
    if (!isLarge) return next();
    if (inside >= most) {
      throw new Refusal('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    inside += 1;
    try {
      await next();
    } finally {
      inside -= 1;
    }
  };
}
