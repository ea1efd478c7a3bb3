/** What every answer must be, whatever was asked. */
import { z } from 'zod';
import { STATUS_BY_CODE } from '../../../api/errors.ts';
import { REFUSAL_CODES } from '../../../domain/errors.ts';
import { CANARY } from './bodies.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { sized } from '../../support/run.ts';
import type { WireRequest } from './request.ts';
import type { WireAnswer } from './wire.ts';

/** The one fault that a busy machine can make: a caller that meets it asks again before it counts. */
export const TOO_SLOW = 'too slow';
/** The promise is judged in the long run; in the short one what hangs is found. */
const MAX_MS = sized({ short: HANGS_MS, long: 5_000 });
const TRACE_ID = /^[0-9a-f]{32}$/;
/** What is no HTTP has a code of its own, because no request ever reached the table. */
const UNPARSABLE = 'malformed_request';

const errorShape = z.strictObject({
  error: z.string().min(1),
  code: z.enum([...REFUSAL_CODES, UNPARSABLE]),
  fields: z.array(z.strictObject({ path: z.string(), message: z.string().min(1) })).optional(),
});
const dataShape = z.strictObject({
  data: z.unknown(),
  // A question for the reader stands beside what it read.
  pending_validation: z.looseObject({ id: z.uuid(), statement: z.string() }).optional(),
});
const probeShape = z.looseObject({ status: z.string() });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultOfError(status: number, body: unknown): string | null {
  const error = errorShape.safeParse(body);
  // A probe that reports what is missing does so with 503.
  if (!error.success) {
    return status === 503 && probeShape.safeParse(body).success ? null : 'not the error shape';
  }
  const { code } = error.data;
  if (code === UNPARSABLE) return [400, 408, 413, 431].includes(status) ? null : 'a wrong status';
  return STATUS_BY_CODE[code] === status ? null : 'a status that is not its code';
}

/** A page leads to a path of its own site. */
function faultOfRedirect(location: string, body: string): string | null {
  if (!/^\/(?!\/)/.test(location)) return 'leads elsewhere';
  return body === '' ? null : 'a body beside a redirect';
}

const isPage = ({ headers }: WireAnswer): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true;

/** A path of the console answers a method that it does not have with a page, and says what it has. */
function faultOfMethodPage({ target }: WireRequest, { headers }: WireAnswer): string | null {
  if (target.includes('/api/')) return 'a page in place of the error shape';
  return (headers.get('allow') ?? '') === '' ? 'no methods that it has' : null;
}

function faultOfBody(request: WireRequest, answer: WireAnswer): string | null {
  const { status, body, headers } = answer;
  // Where nothing could be parsed, the service does not know that it was a HEAD.
  if (request.method === 'HEAD' && !body.includes(UNPARSABLE)) {
    return body === '' ? null : 'a body after HEAD';
  }
  if (status >= 300 && body.includes(CANARY)) return 'gives back what the caller sent';
  // A page leads on without a body, and who has no session to the sign-in.
  if (status === 303) return faultOfRedirect(headers.get('location') ?? '', body);
  if (status === 405 && isPage(answer)) return faultOfMethodPage(request, answer);
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  const value = isJson ? parsed(body) : undefined;
  if (status >= 400) return faultOfError(status, value);
  if (status === 304) return body === '' ? null : 'a body though nothing was modified';
  // Pages and descriptions are no domain actions.
  if (!request.target.includes('/api/v1/')) return body === '' ? 'an empty answer' : null;
  return dataShape.safeParse(value).success ? null : 'not the data shape';
}

/** How long the request itself asked the service to wait. */
function waitMs({ target }: WireRequest): number {
  const waits = [...target.matchAll(/[?&]wait_ms=(\d+)/g)].map(([, text]) => Number(text));
  return Math.min(10_000, Math.max(0, ...waits));
}

/** What is wrong with the answer; null when nothing is. */
export function faultOf(request: WireRequest, answer: WireAnswer | null): string | null {
  // A caller that leaves in the middle of its body may get no answer.
  if (answer === null) return request.framing === 'too_long' ? null : 'no answer';
  if (answer.status === 500) return 'status 500';
  if (answer.status < 200 || Number.isNaN(answer.status)) return 'no status';
  if (!TRACE_ID.test(answer.headers.get('x-trace-id') ?? '')) return 'no trace id';
  if ([...answer.headers.values()].some((value) => value.includes(CANARY))) {
    return 'gives back what the caller sent';
  }
  if (answer.ms > MAX_MS + waitMs(request)) return TOO_SLOW;
  return faultOfBody(request, answer);
}
