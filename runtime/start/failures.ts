/** What an operator is told when a process cannot start. */
import { PreconditionError } from '../../stores/postgres/preconditions.ts';
import { ConfigError } from '../config/index.ts';
import { EmbeddedError } from '../../embedded/index.ts';
import { errorFields } from '../logger.ts';

/** Our own errors speak for themselves; of any other the name and code are said, not the text. */
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
