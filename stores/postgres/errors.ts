/**
 * What a database error means to a caller. A broken constraint that a request can break by itself becomes
 * the refusal of the contract; a database that is away becomes `unavailable`; everything else stays what it
 * is, our defect. The original error is not kept as a cause: its detail quotes the offending row.
 */
import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  IntegrityConstraintViolationError,
  StatementTimeoutError,
} from 'slonik';
import { Refusal, type RefusalCode } from '../../domain/errors.ts';
import { PromiseListError } from '../promises/promise-list.ts';

interface Meaning {
  readonly code: RefusalCode;
  readonly path: string;
  readonly message: string;
}

const conflict = (path: string, message: string): Meaning => ({ code: 'conflict', path, message });
const invalid = (path: string, message: string): Meaning => ({
  code: 'invalid_request',
  path,
  message,
});

/** Constraints that a request may break, by their names in the migrations. */
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  account_key_is_unique: conflict('account', 'an account of that key exists'),
  grant_is_given_once: conflict(
    'role',
    'another grant gives this role already: remove one of them',
  ),
  login_email_is_unique_in_deployment: conflict('email', 'a login of that e-mail exists'),
  peer_has_one_login: conflict('peer', 'this peer has a login already'),
  peer_is_not_being_erased: conflict('peer_key', 'must not name a person whose erasure is running'),
  peer_key_is_unique_in_account: conflict('peer', 'a peer of that key exists'),
  account_key_has_1_to_256_characters: invalid('account', 'must have 1 to 256 characters'),
  peer_key_has_1_to_256_characters: invalid('peer_key', 'must have 1 to 256 characters'),
  peer_name_has_1_to_256_characters: invalid('name', 'must have 1 to 256 characters'),
  login_email_is_lower_case: invalid('email', 'has characters that have no lower case'),
  session_id_has_1_to_256_characters: invalid('session_id', 'must have 1 to 256 characters'),
  message_role_has_1_to_256_characters: invalid('role', 'must have 1 to 256 characters'),
  message_content_is_at_most_1_mib: {
    code: 'payload_too_large',
    path: 'content',
    message: 'must have at most 1 MiB',
  },
  idempotency_key_has_1_to_255_characters: invalid(
    'idempotency-key',
    'must have 1 to 255 characters',
  ),
};

const AWAY = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementTimeoutError,
] as const;

/** Socket errors, and the SQLSTATEs of a server that starts, stops, or has no connection left. */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
]);

const RETRY_AFTER_SECONDS = 2;

/** Errors of work that the server ends because it takes too long, while it serves everything else. */
const TOO_LONG = [IdleTransactionTimeoutError, StatementTimeoutError] as const;

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined;
}

const LOCK_NOT_AVAILABLE = '55P03';

/** The SQLSTATE or code of an error, or of what caused it. */
function codesOf(error: unknown): readonly unknown[] {
  return [codeOf(error), error instanceof Error ? codeOf(error.cause) : undefined];
}

/** Whether the SQL statement waited for a lock for as long as it may. */
export function isLockHeld(error: unknown): boolean {
  return codesOf(error).includes(LOCK_NOT_AVAILABLE);
}

/** Whether an error of the database says that it cannot be reached, or ended what it was doing. */
function isDatabaseAway(error: unknown): boolean {
  if (AWAY.some((kind) => error instanceof kind)) return true;
  return codesOf(error).some((code) => typeof code === 'string' && AWAY_CODES.has(code));
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Whether the database refused what it was asked, and so did none of it. What fails otherwise may have been done: the
 * connection was lost, or the answer could not be read.
 */
export function isRefusedByDatabase(error: unknown): boolean {
  if (isDatabaseAway(error)) return false;
  return codesOf(error).some((code) => typeof code === 'string' && SQLSTATE.test(code));
}

/**
 * Whether the database itself cannot be reached. Work that it ended because it took too long does not say so: the
 * request may be at fault.
 */
export function isDatabaseGone(error: unknown): boolean {
  return isDatabaseAway(error) && !TOO_LONG.some((kind) => error instanceof kind);
}

/** The refusal that a database error amounts to, or null when it is our own defect. */
export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof IntegrityConstraintViolationError) {
    const meaning = error.constraint === null ? undefined : MEANINGS[error.constraint];
    if (meaning === undefined) return null;
    return new Refusal(meaning.code, {
      fields: [{ path: meaning.path, message: meaning.message }],
    });
  }
  // Nothing was changed: what cannot be promised is not done. The cause holds a code of the system, and nothing else.
  if (error instanceof PromiseListError) {
    return new Refusal('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
  return isDatabaseAway(error)
    ? new Refusal('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    : null;
}

/** Runs `work`; what the database throws arrives as a refusal where it is one. */
export async function withRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toRefusal(error) ?? error;
  }
}
