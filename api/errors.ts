/** The one error shape and the one table from refusal codes to HTTP statuses. */
import type { Refusal, RefusalCode } from '../domain/errors.ts';

export const STATUS_BY_CODE: Readonly<Record<RefusalCode, number>> = {
  malformed_json: 400,
  unsupported_protocol: 400,
  unauthorized: 401,
  human_identity_required: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_request: 422,
  unknown_peer: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

/** `Retry-After` of a refusal that gives no time of its own. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: string;
    readonly code: RefusalCode;
    readonly fields?: readonly { readonly path: string; readonly message: string }[];
  };
}

/** The answer to a refusal. Two refusals of one code without fields give the same bytes. */
export function errorAnswer(refusal: Refusal): ErrorAnswer {
  const waits = refusal.code === 'rate_limited' || refusal.code === 'unavailable';
  return {
    status: STATUS_BY_CODE[refusal.code],
    headers: {
      ...(refusal.code === 'unauthorized' ? { 'WWW-Authenticate': 'Bearer' } : {}),
      // The rest of the body must not be read as the next request.
      ...(refusal.code === 'request_timeout' ? { Connection: 'close' } : {}),
      ...(waits
        ? { 'Retry-After': String(refusal.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS) }
        : {}),
    },
    body: {
      error: refusal.message,
      code: refusal.code,
      ...(refusal.fields === null ? {} : { fields: refusal.fields }),
    },
  };
}
