/**
 * Maps the error of a call to a provider to one class of the closed list. Status codes decide first; a provider's
 * text is searched for a few fixed words where a status alone says too little, and is then forgotten. Unknown
 * refusals are upstream errors: retried, visible, and never mistaken for a defect of this service.
 */
import { APICallError } from 'ai';
import { ModelFailure, type ErrorClass } from '../../domain/error-class.ts';

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const NETWORK_CODES =
  /^(?:UND_ERR_|ECONN|ENOTFOUND|EAI_|EPIPE|EHOST|ENET|CERT_|ERR_TLS|ERR_SSL|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

const TOO_LARGE =
  /context.{0,10}(?:length|window|size)|maximum.{0,20}(?:tokens|length)|too (?:long|large|many tokens)|input.{0,20}(?:length|tokens).{0,20}exceed/i;
const SCHEMA =
  /response_format|output_config|json.?schema|input_schema|structured.?output|grammar|guided/i;
const MODEL_MISSING =
  /model.{0,80}(?:not found|not exist|unknown|not supported|not available)|model_not_found/i;
/** Anthropic answers 400, not 402, when an account has nothing left to pay with. */
const UNPAID = /credit balance/i;
const FILTERED = /content.?filter|content.?policy|content management policy|safety system/i;

/** The class of a failed provider request. The caller recognises cancellation and its own timeouts itself. */
export function classifyProviderError(error: unknown): ErrorClass {
  const chain = causes(error);
  const own = chain.find((link) => link instanceof ModelFailure);
  if (own !== undefined) return own.errorClass;
  if (chain.some((link) => TIMEOUT_CODES.has(codeOf(link)))) return 'request_timeout';
  const call = chain.find((link) => APICallError.isInstance(link));
  if (call?.statusCode !== undefined && call.statusCode >= 400) {
    return classifyStatus(call.statusCode, call.responseBody ?? '');
  }
  if (chain.some(isNetworkError)) return 'transport_error';
  // Some routers answer 200 with the upstream's error inside.
  const inner = embeddedStatus(call?.responseBody);
  if (inner !== null) return classifyStatus(inner, call?.responseBody ?? '');
  return 'provider_upstream_error';
}

function classifyStatus(status: number, body: string): ErrorClass {
  if (status === 401 || status === 402 || status === 403) return 'credentials_rejected';
  if (status === 404 || status === 405 || status === 410) return 'model_not_found';
  if (status === 408) return 'request_timeout';
  if (status === 413) return 'source_too_large';
  if (status === 429) return 'provider_rate_limited';
  if (status >= 500) return 'provider_upstream_error';
  return classifyRefusal(body);
}

/** Of the body of an error. A provider may send megabytes; what it means stands at the beginning. */
const MOST_READ_CHARS = 4_000;

/** A 400 or 422: the request was understood and refused, so its text says which part of it. */
function classifyRefusal(whole: string): ErrorClass {
  const body = whole.slice(0, MOST_READ_CHARS);
  if (UNPAID.test(body)) return 'credentials_rejected';
  if (FILTERED.test(body)) return 'provider_content_filtered';
  if (SCHEMA.test(body)) return 'schema_not_enforced';
  if (TOO_LARGE.test(body)) return 'source_too_large';
  if (MODEL_MISSING.test(body)) return 'model_not_found';
  return 'provider_upstream_error';
}

/** The error and its causes. Structural, because errors of another realm are no `instanceof Error` here. */
function causes(error: unknown): object[] {
  const chain: object[] = [];
  for (let link = error; typeof link === 'object' && link !== null && chain.length < 8;) {
    chain.push(link);
    link = 'cause' in link ? link.cause : null;
  }
  return chain;
}

function codeOf(error: object): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isNetworkError(error: object): boolean {
  if (NETWORK_CODES.test(codeOf(error))) return true;
  // What fetch throws when the connection breaks after the headers.
  return 'message' in error && (error.message === 'terminated' || error.message === 'fetch failed');
}

function embeddedStatus(body: string | undefined): number | null {
  const match = /"(?:code|status)"\s*:\s*"?([45]\d\d)\b/.exec(
    body?.slice(0, MOST_READ_CHARS) ?? '',
  );
  return match?.[1] === undefined ? null : Number(match[1]);
}
