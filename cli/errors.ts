/** Failures as one line for the person at the terminal. Of an unforeseen error only name and code are printed. */
import { Refusal } from '../domain/errors.ts';
import { IndexFailure } from '../domain/retrieval/index-failure.ts';
import { ConfigError } from '../runtime/config/index.ts';
import { EmbeddedError } from '../embedded/index.ts';
import { errorFields } from '../runtime/logger.ts';

/** The command line has missing or invalid arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whether the message was written for operators: settings, embedded servers, preconditions. */
function speaksToOperators(error: Error): boolean {
  return (
    error instanceof UsageError ||
    error instanceof ConfigError ||
    error instanceof EmbeddedError ||
    // The command line may not import the class from the stores, so it compares the name.
    error.name === 'PreconditionError'
  );
}

/** The line for `error`, without a newline. */
export function describeFailure(error: unknown): string {
  if (error instanceof Refusal) {
    const fields = error.fields?.map(({ path, message }) => `${path}: ${message}`) ?? [];
    return fields.length === 0 ? error.message : `${error.message} (${fields.join('; ')})`;
  }
  if (error instanceof IndexFailure) {
    const what = error.reason === 'refused' ? 'refused the request' : 'does not answer';
    return `${error.index} ${what}${error.code === null ? '' : ` (${error.code})`}.`;
  }
  if (error instanceof Error && speaksToOperators(error)) {
    return error.message.replaceAll(/\s+/g, (gap) => (gap.includes('\n') ? ' ' : gap));
  }
  const { error: name, code } = errorFields(error);
  return `The service failed unexpectedly (${[name, code].filter(Boolean).join(', ')}).`;
}
