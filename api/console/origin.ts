/** Whose pages may send a form. */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../domain/errors.ts';
import type { ApiMiddleware } from '../context.ts';
import { isForeignHost, type AddressRules } from '../mcp/address.ts';

const SAFE = new Set(['GET', 'HEAD']);

/** Whether the browser says that the request comes from a page of this very host. */
function isOwn({ headersDistinct }: IncomingMessage, { publicUrl }: AddressRules): boolean {
  const origins = headersDistinct['origin'] ?? [];
  const [host = ''] = headersDistinct['host'] ?? [];
  const own = new Set([new URL(publicUrl).origin, `http://${host}`, `https://${host}`]);
  const sites = headersDistinct['sec-fetch-site'] ?? [];
  if (sites.some((site) => site !== 'same-origin')) return false;
  // A browser that sends neither header could not be asked whose page it shows.
  return origins.every((origin) => own.has(origin)) && origins.length + sites.length > 0;
}

/**
 * Refuses what comes under a strange name (DNS rebinding), and forms that no page of this host sent. Stands before
 * anything else is looked at.
 */
export function ownFormsOnly(rules: AddressRules): ApiMiddleware {
  return async function ownFormsOnly(ctx, next) {
    const isForm = !SAFE.has(ctx.method);
    if (isForeignHost(ctx.req, rules) || (isForm && !isOwn(ctx.req, rules))) {
      throw new Refusal('forbidden');
    }
    await next();
  };
}
