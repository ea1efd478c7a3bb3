/** The text for an operator when a process cannot start. */
import { PreconditionError } from '../../stores/postgres/preconditions.ts';
import { ConfigError } from '../config/index.ts';
import { EmbeddedError } from '../../embedded/index.ts';
import { errorFields } from '../logger.ts';

/** The message of the program's own errors, which is written for operators; of any other error only name and code. */
export function operatorText(error: unknown): string {
  if (
    error instanceof ConfigError ||
    error instanceof EmbeddedError ||
    error instanceof PreconditionError
  ) {
    return error.message;
  }
  const { error: name, code } = errorFields(error);
  return `The start failed: ${String(name)}${code === undefined ? '' : ` (${String(code)})`}.`;
}
