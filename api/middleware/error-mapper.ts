import type { Log } from '../../engine/logging/logger.ts';
import type { ApiMiddleware } from '../context.ts';
import { errorAnswer } from '../errors.ts';
import { clientIsGone, refusalFor } from '../refusing.ts';

/** Turns whatever was thrown into the one error shape. The log gets names and codes, never messages. */
export function errorMapper(log: Log): ApiMiddleware {
  return async function errorMapper(ctx, next) {
    try {
      await next();
    } catch (error) {
      // Work that was cut short because the client left is no defect, and no answer can reach the client.
      if (clientIsGone(ctx)) return;
      const answer = errorAnswer(refusalFor(error, ctx, log));
      ctx.set(answer.headers);
      if (answer.status === 401 && ctx.state.challenge !== undefined) {
        ctx.set('WWW-Authenticate', ctx.state.challenge);
      }
      ctx.status = answer.status;
      ctx.body = answer.body;
    }
  };
}
