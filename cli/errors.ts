/** Failures as one line for the person at the terminal. Of an unforeseen error only name and code are printed. */
import { Refusal } from '../domain/errors.ts';
import { IndexFailure } from '../domain/retrieval/index-failure.ts';

/** The command line has missing or invalid arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Errors whose message was written for operators: settings, embedded servers, preconditions. They are known by name, because
 * their modules bring along whatever throws them, and a command loads only what it uses.
 */
const FOR_OPERATORS: readonly string[] = [
  'UsageError',
  'ConfigError',
  'EmbeddedError',
  'PreconditionError',
];

/** The line for `error`, without a newline. */
export async function describeFailure(error: unknown): Promise<string> {
  if (error instanceof Refusal) {
    const { cause } = error;
    if (cause instanceof Error && cause.name === 'PromiseListError') {
      return `The list of promises cannot be written (${String(Reflect.get(cause, 'code'))}), so nothing was changed: let SERVICE_PROMISES_FILE name a file that this command may write.`;
    }
    const fields = error.fields?.map(({ path, message }) => `${path}: ${message}`) ?? [];
    return fields.length === 0 ? error.message : `${error.message} (${fields.join('; ')})`;
  }
  if (error instanceof IndexFailure) {
    const what = error.reason === 'refused' ? 'refused the request' : 'does not answer';
    return `${error.index} ${what}${error.code === null ? '' : ` (${error.code})`}.`;
  }
  if (error instanceof Error && FOR_OPERATORS.includes(error.name)) {
    return error.message.replaceAll(/\s+/g, (gap) => (gap.includes('\n') ? ' ' : gap));
  }
  const { errorFields } = await import('../engine/logging/log-fields.ts');
  const { error: name, code } = errorFields(error);
  return `The service failed unexpectedly (${[name, code].filter(Boolean).join(', ')}).`;
}
