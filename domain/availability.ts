/**
 * Whether an error says that a server we depend on is away, as against a defect of ours. Judged by class
 * names and codes along the chain of causes, so that no caller needs the client library that threw.
 */
import { IndexFailure } from './retrieval/index-failure.ts';

/** Class names of client libraries: Postgres pool, Temporal client. */
const AWAY_CLASSES: ReadonlySet<string> = new Set([
  'ConnectionError',
  'BackendTerminatedError',
  'BackendTerminatedUnexpectedlyError',
  'IdleTransactionTimeoutError',
  'StatementTimeoutError',
  'TransportError',
]);

/** Socket and resolver codes, and gRPC's DEADLINE_EXCEEDED (4) and UNAVAILABLE (14). */
const AWAY_CODES: ReadonlySet<unknown> = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
  4,
  14,
]);

/** Postgres: connection exceptions (08), too many connections (53300), shutting down or starting (57P). */
const AWAY_SQLSTATE = /^(?:08[0-9A-Z]{3}|53300|57P0[1-5])$/;

const LONGEST_CHAIN = 8;

function saysAway(error: Error): boolean {
  if (error instanceof IndexFailure) return error.reason !== 'refused';
  const code: unknown = Reflect.get(error, 'code');
  return (
    AWAY_CLASSES.has(error.constructor.name) ||
    AWAY_CODES.has(code) ||
    (typeof code === 'string' && AWAY_SQLSTATE.test(code))
  );
}

/** True when `error`, or a cause of it, means that a server could not be reached or went away. */
export function isAway(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < LONGEST_CHAIN && current instanceof Error; depth += 1) {
    if (saysAway(current)) return true;
    current = current.cause;
  }
  return false;
}
