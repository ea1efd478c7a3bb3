/** The answer to a failed request, and its log line. */
import { isAway } from '../domain/availability.ts';
import { Refusal } from '../domain/errors.ts';
import { errorFields, type Log } from '../engine/logging/logger.ts';
import type { ApiContext } from './context.ts';

/** Whether no answer can reach the client any more. */
export function clientIsGone(ctx: ApiContext): boolean {
  return ctx.res.destroyed && !ctx.res.writableFinished;
}

function report(log: Log, ctx: ApiContext, refusal: Refusal): void {
  if (refusal.code !== 'internal_error' && refusal.code !== 'unavailable') return;
  const fields = { ...errorFields(refusal.cause ?? refusal), trace_id: ctx.state.traceId };
  if (refusal.code === 'unavailable') log.warn('http.dependency_away', fields);
  else log.error('http.unexpected_error', fields);
}

/**
 * The refusal that the caller gets for `error`: itself, `unavailable` for a missing server, else `internal_error`. The
 * log gets names and codes, never messages; nothing of work that was cut short because the client left, which is no defect.
 */
export function refusalFor(error: unknown, ctx: ApiContext, log: Log): Refusal {
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal(isAway(error) ? 'unavailable' : 'internal_error', { cause: error });
  ctx.state.refused = refusal.code;
  if (!clientIsGone(ctx)) report(log, ctx, refusal);
  return refusal;
}
