/** The text for an operator when a process cannot start. */
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { PreconditionError } from '../../stores/postgres/precondition-error.ts';
import { ConfigError } from '../config/index.ts';
import { EmbeddedError } from '../../embedded/index.ts';
import { errorFields } from '../../engine/logging/logger.ts';

const INDEXES = { qdrant: 'Qdrant', meilisearch: 'Meilisearch' } as const;
const REASONS = {
  away: 'cannot be reached',
  timeout: 'did not answer in time',
  refused: 'answered with an error',
} as const;

/**
 * The message of the program's own errors, which is written for operators; of an index, which it is and how it failed; of
 * any other error only name and code.
 */
export function operatorText(error: unknown): string {
  if (
    error instanceof ConfigError ||
    error instanceof EmbeddedError ||
    error instanceof PreconditionError
  ) {
    return error.message;
  }
  const { error: name, code } = errorFields(error);
  const failure =
    error instanceof IndexFailure
      ? `${INDEXES[error.index]} ${REASONS[error.reason]}`
      : String(name);
  return `The start failed: ${failure}${code === undefined ? '' : ` (${String(code)})`}.`;
}
