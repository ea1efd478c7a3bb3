/** Errors of `pg` as the pool knows them. It decides by their classes whether a connection and a transaction still live. */
import { DatabaseError } from 'pg';
import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  CheckExclusionConstraintViolationError,
  CheckIntegrityConstraintViolationError,
  ForeignKeyIntegrityConstraintViolationError,
  IdleTransactionTimeoutError,
  InvalidInputError,
  NotNullIntegrityConstraintViolationError,
  StatementCancelledError,
  StatementTimeoutError,
  UniqueIntegrityConstraintViolationError,
} from 'slonik';

/** The same error for the compiler: the pool's classes leave out what this type may have undefined. */
type Broken = ConstructorParameters<typeof UniqueIntegrityConstraintViolationError>[0];

const INTEGRITY = new Map([
  ['23502', NotNullIntegrityConstraintViolationError],
  ['23503', ForeignKeyIntegrityConstraintViolationError],
  ['23505', UniqueIntegrityConstraintViolationError],
  ['23514', CheckIntegrityConstraintViolationError],
  ['23P01', CheckExclusionConstraintViolationError],
]);

/** By its SQLSTATE. */
function ofServer(error: DatabaseError, code: string): Error {
  const Integrity = INTEGRITY.get(code);
  if (Integrity !== undefined) return new Integrity(error as Broken);
  if (code === '22P02') return new InvalidInputError(error.message);
  if (code === '25P03') return new IdleTransactionTimeoutError(error);
  if (code === '57P01') return new BackendTerminatedError(error);
  if (code !== '57014') return error;
  // One code for both: a caller's request to cancel, and the limit of time.
  return error.message.includes('due to user request')
    ? new StatementCancelledError(error)
    : new StatementTimeoutError(error);
}

/** The same error in the pool's words; an error that has none of them, unchanged. */
export function asPoolError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.toLowerCase();
  if (message.includes('connection terminated unexpectedly')) {
    return new BackendTerminatedUnexpectedlyError(error);
  }
  if (message.includes('connection terminated')) return new BackendTerminatedError(error);
  return error instanceof DatabaseError && error.code !== undefined
    ? ofServer(error, error.code)
    : error;
}
