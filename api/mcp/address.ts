/**
 * Where the service is reached, and whose web pages may ask for it. A page of a stranger that a person opens can make the
 * browser ask servers on the person's own machine, also under a name of its own that suddenly leads there (DNS
 * rebinding). The browser then names the page in `Origin` and the name in `Host`.
 */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../domain/errors.ts';
import type { ApiMiddleware } from '../context.ts';

/** The address of a start that names none. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:4000';
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;

export interface AddressRules {
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** Origins that may ask, beside requests without any. */
  readonly origins: ReadonlySet<string>;
  /** Names that `Host` may have on loopback. */
  readonly hostNames: ReadonlySet<string>;
}

/** Rules for the address that people use; null for the default one. `allowed` are origins of further pages. */
export function addressRules(publicUrl: string | null, allowed: readonly string[]): AddressRules {
  const url = new URL(publicUrl ?? DEFAULT_ADDRESS);
  return {
    publicUrl: url.href.replace(/\/$/, ''),
    origins: new Set([url.origin, ...allowed.map((text) => new URL(text).origin)]),
    hostNames: new Set([...LOOPBACK_NAMES, url.hostname]),
  };
}

/** The name in a `Host` header, without its port; null for none, several or another form. */
function hostName({ headersDistinct: { host = [] } }: IncomingMessage): string | null {
  const [text = '', ...more] = host;
  return more.length > 0 ? null : (URL.parse(`http://${text}`)?.hostname ?? null);
}

/** Whether a request that came over loopback names a host that is none of ours. */
export function isForeignHost(request: IncomingMessage, { hostNames }: AddressRules): boolean {
  if (!LOOPBACK_ADDRESS.test(request.socket.localAddress ?? '')) return false;
  return !hostNames.has(hostName(request) ?? '');
}

function isForeign(request: IncomingMessage, rules: AddressRules): boolean {
  const named = request.headersDistinct['origin'] ?? [];
  return named.some((origin) => !rules.origins.has(origin)) || isForeignHost(request, rules);
}

/** Refuses what the page of a stranger makes a browser ask, before anything else is looked at. */
export function ownPagesOnly(rules: AddressRules): ApiMiddleware {
  return async function ownPagesOnly(ctx, next) {
    if (isForeign(ctx.req, rules)) throw new Refusal('forbidden');
    await next();
  };
}
