import type { ApiMiddleware } from '../context.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};
const ONE_YEAR_OF_HTTPS = 'max-age=31536000';

/** Sets the strictest headers; a route that serves pages replaces the content policy with its own. */
export function securityHeaders(options: { readonly publicHttps: boolean }): ApiMiddleware {
  const headers = options.publicHttps
    ? { ...HEADERS, 'Strict-Transport-Security': ONE_YEAR_OF_HTTPS }
    : HEADERS;
  return async function securityHeaders(ctx, next) {
    ctx.set(headers);
    await next();
  };
}
