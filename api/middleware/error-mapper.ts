import { isAway } from '../../domain/availability.ts';
import { Refusal } from '../../domain/errors.ts';
import { errorFields, type Log } from '../../runtime/logger.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { errorAnswer } from '../errors.ts';

/** The refusal that the caller gets for `error`: itself, `unavailable` for a missing server, else `internal_error`. */
function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(isAway(error) ? 'unavailable' : 'internal_error', { cause: error });
}

function clientIsGone(ctx: ApiContext): boolean {
  return ctx.res.destroyed && !ctx.res.writableFinished;
}

function report(log: Log, ctx: ApiContext, refusal: Refusal): void {
  if (refusal.code !== 'internal_error' && refusal.code !== 'unavailable') return;
  const fields = { ...errorFields(refusal.cause ?? refusal), trace_id: ctx.state.traceId };
  if (refusal.code === 'unavailable') log.warn('http.dependency_away', fields);
  else log.error('http.unexpected_error', fields);
}

/** Turns whatever was thrown into the one error shape. The log gets names and codes, never messages. */
export function errorMapper(log: Log): ApiMiddleware {
  return async function errorMapper(ctx, next) {
    try {
      await next();
    } catch (error) {
      // Work that was cut short because the client left is no defect, and no answer can reach the client.
      if (clientIsGone(ctx)) return;
      const refusal = refusalFor(error);
      ctx.state.refused = refusal.code;
      report(log, ctx, refusal);
      const answer = errorAnswer(refusal);
      ctx.set(answer.headers);
      ctx.status = answer.status;
      ctx.body = answer.body;
    }
  };
}
